import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { startBox } from '../support/box.ts';
import { docker } from '../support/docker.ts';
import { startNameServer } from '../support/name-server.ts';
import { registry } from '../support/registry.ts';
import { required } from '../support/required.ts';
import { freePort, launcher } from '../support/server-process.ts';
import { until } from '../support/until.ts';

/** Names with HTTPS by a real Caddy, whose authority this client trusts, and nothing else. */
const domain = 'box.example.org';
const app = 'real-https';
const host = `${app}.${domain}`;
const web = (version: number) => `services: { web: { image: "${registry}/web:${version}", ports: ["\${PORT}:8080"] } }`;

/** Status and text; status 0 if the connection or its certificate is refused. */
function ask(ca: string, servername: string, path = '/'): Promise<{ status: number; text: string }> {
  return new Promise((resolve) => {
    const options = { host: '127.0.0.1', port: 443, servername, path, ca, headers: { host: servername }, agent: false };
    const asked = request(options, async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      resolve({ status: response.statusCode ?? 0, text });
    });
    asked.on('error', ({ message }) => resolve({ status: 0, text: message }));
    asked.end();
  });
}

test('names with HTTPS follow the apps, and off takes all back', async (t) => {
  const caddy = join(required('BOXGATE_CI_SCRATCH'), 'caddy/usr/bin');
  const box = await startBox(t, { [app]: { compose: web(1), manifest: { settings: [{ name: 'PORT' }] } } });
  await box.stop();
  box.env = { PATH: `${caddy}:${process.env.PATH}` };
  await box.start();
  const folder = join(box.folder, 'caddy');
  const caddyfile = join(folder, 'Caddyfile');
  mkdirSync(folder);
  const own = `{\n\tskip_install_trust\n}\n:80 {\n\trespond "plain"\n}\n`;
  writeFileSync(caddyfile, own);
  const env = { ...process.env, ...box.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const proxy = spawn('caddy', ['run', '--config', caddyfile, '--adapter', 'caddyfile'], { env, stdio: 'ignore' });
  t.after(() => proxy.kill());
  const plain = async () => (await fetch('http://127.0.0.1/')).text();
  await until('Caddy answers', async () => (await plain().catch(() => '')) === 'plain');

  // The name server is in this process, so the command must not hold it up.
  const run = promisify(execFile);
  const https = async (...words: string[]) => {
    const variables = { ...box.environment(`${box.port}`), ...box.env };
    return run(process.execPath, [launcher, 'box', 'https', ...words], { env: variables }).then(
      ({ stdout }) => ({ status: 0, text: stdout }),
      ({ code, stderr }) => ({ status: code as number, text: String(stderr) }),
    );
  };
  const setup = (resolver: string) =>
    https('setup', '--domain', domain, '--local', '--resolver', resolver, '--caddyfile', caddyfile);

  const [first, second] = [await freePort(), await freePort()];
  assert.equal((await box.install(app, { PORT: first })).status, 200);

  const refused = await setup(await startNameServer(t, { 'other.example.org': '127.0.0.1' }));
  assert.match(refused.text, /box\.example\.org has no address[\s\S]*nothing was changed/);
  assert.equal(refused.status, 1);
  assert.equal(readFileSync(caddyfile, 'utf8'), own);
  assert.equal(existsSync(join(box.state, 'https')), false);

  const resolver = await startNameServer(t, { [domain]: '127.0.0.1' });
  const done = await setup(resolver);
  assert.equal(done.status, 0, done.text);
  assert.match(done.text, new RegExp(`^https://${host}/`, 'm'));
  const ca = readFileSync(join(box.state, 'https', 'root.crt'), 'utf8');
  await until('the app answers under its name', async () => (await ask(ca, host)).text.trim() === 'web 1');
  assert.match((await ask(ca, domain, '/apps')).text, /<title>/);
  assert.equal((await ask(ca, `nobody.${domain}`)).status, 404);
  assert.equal(await plain(), 'plain');
  const [entry] = (await box.get('/api/apps')).body;
  assert.deepEqual(entry.open_urls, [`https://${host}/`]);

  const again = await setup(resolver);
  assert.deepEqual({ ...again, status: again.status }, done);
  assert.equal(
    readFileSync(caddyfile, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('import ')).length,
    1,
  );

  const changed = await box.change(app, { PORT: second });
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  await until('the name follows the app', () =>
    readFileSync(join(box.state, 'https', `app-${app}.caddy`), 'utf8').includes(`:${second}`),
  );
  await until('the app answers again', async () => (await ask(ca, host)).text.trim() === 'web 1');
  docker('stop', '-t', '0', `${app}-web-1`);
  await until('a stopped app says so', async () => (await ask(ca, host)).status === 503);

  assert.equal((await box.change(app, { PORT: first })).status, 200);
  await until('the app answers at its first port', async () => (await ask(ca, host)).text.trim() === 'web 1');

  assert.equal((await box.remove(app)).status, 200);
  await until('the name of a removed app goes', async () => (await ask(ca, host)).status === 404);
  const status = await https('status');
  assert.equal(status.status, 0, status.text);

  assert.equal((await https('off')).status, 0);
  assert.equal(readFileSync(caddyfile, 'utf8'), own);
  assert.equal(existsSync(join(box.state, 'https')), false);
  assert.equal((await ask(ca, domain)).status, 0);
  assert.equal(await plain(), 'plain');
});
