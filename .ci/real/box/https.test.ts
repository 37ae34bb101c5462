import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { askSecurely as ask, ownSites, plainPage, startCaddyBox, startConsole } from '../support/programs/caddy.ts';
import { docker } from '../support/programs/docker.ts';
import { startNameServer } from '../support/programs/name-server.ts';
import { registry } from '../support/programs/registry.ts';
import { freePort } from '../support/server-process.ts';
import { until } from '../support/until.ts';

/** Names with HTTPS by a real Caddy and its own authority. */
const domain = 'box.example.org';
const app = 'real-https';
const host = `${app}.${domain}`;
/** At `/cgi-bin/headers` it shows what it was sent. */
const compose = `services:
  web:
    image: "${registry}/web:1"
    ports: ["\${PORT}:8080", "\${GAME}:8081"]
    command:
      - sh
      - -c
      - |
        mkdir /www/cgi-bin
        printf '#!/bin/sh\\necho; env' >/www/cgi-bin/headers
        chmod +x /www/cgi-bin/headers
        exec httpd -f -p 8080 -h /www
`;
const manifest = {
  ports: [{ port: 8080, protocol: 'http' }],
  settings: [{ name: 'PORT' }, { name: 'GAME' }],
};

/** The lines that `deploy/proxy/README.md` recommends, with a server that knows the session of one user. */
async function loginFile(t: TestContext, file: string): Promise<string> {
  const server = createServer(({ headers, url }, response) => {
    const asked = `https://${headers['x-forwarded-host']}${headers['x-forwarded-uri']}`;
    if (url !== '/api/authz/forward-auth') response.writeHead(404).end();
    else if (headers.cookie === 'session=ada') response.writeHead(200, { 'remote-user': 'ada' }).end();
    else response.writeHead(302, { location: `https://auth.example.org/?rd=${asked}` }).end();
  });
  t.after(() => server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const [, lines = ''] = /```\n(forward_auth [\s\S]*?)```/.exec(readFileSync('deploy/proxy/README.md', 'utf8')) ?? [];
  writeFileSync(file, lines.replace(':9091', `:${port}`));
  return file;
}

test('names with HTTPS follow the apps, and off takes all back', async (t) => {
  const apps = { [app]: { compose, manifest } };
  const caddyBox = await startCaddyBox(t, apps);
  const { box, caddyfile, types, https } = caddyBox;
  const console = await startConsole(t, caddyBox);
  const setup = (resolver: string) =>
    https('setup', '--domain', domain, '--local', '--resolver', resolver, '--caddyfile', caddyfile);

  const [first, second, game] = [await freePort(), await freePort(), await freePort()];
  assert.equal((await box.install(app, { PORT: first, GAME: game })).status, 200);

  const unknown = await startNameServer(t, { 'other.example.org': '127.0.0.1' });
  const refused = await setup(unknown);
  const local = { domain, certificate: 'local' };
  for (const { text } of [refused, await console.act('https/setup', { ...local, resolver: unknown })])
    assert.match(text, /box\.example\.org has no address[\s\S]*nothing was changed/);
  assert.equal(refused.status, 1);
  assert.equal(readFileSync(caddyfile, 'utf8'), ownSites);
  assert.equal(existsSync(join(box.state, 'https')), false);

  const resolver = await startNameServer(t, { [domain]: '127.0.0.1' });
  const made = await console.act('https/setup', { ...local, resolver });
  assert.ok(made.ok, made.text);
  assert.match(made.text, new RegExp(`^https://${host}/`, 'm'));
  const ca = readFileSync(join(box.state, 'https', 'root.crt'), 'utf8');
  await until('the app answers under its name', async () => (await ask(ca, host)).text.trim() === 'web 1');
  assert.match((await ask(ca, domain, '/apps')).text, /<title>/);
  assert.equal((await ask(ca, `nobody.${domain}`)).status, 404);
  assert.equal(await plainPage(), 'plain');
  const [entry] = (await box.get('/api/apps')).body;
  assert.deepEqual(entry.open_urls, [`https://${host}/`]);

  const again = await https('setup', '--caddyfile', caddyfile);
  assert.equal(again.status, 0, again.text);
  assert.match(again.text, new RegExp(`^https://${host}/`, 'm'));
  assert.equal(
    readFileSync(caddyfile, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('import ')).length,
    1,
  );

  const password = 'correct horse';
  types(`${password}\n`);
  const typed = await https('setup', '--resolver', resolver, '--login', 'bob');
  assert.match(typed.text, /asks for the login bob for the page and the apps/);
  const login = await console.act('https/setup', { login: 'ada', password, login_for: 'all', login_except: '' });
  assert.match(login.text, /asks for the login ada for the page and the apps/);
  const shown = await console.server.ask('/settings/api/rooms/https');
  assert.doesNotMatch(
    JSON.stringify(shown.body) + console.server.stdout + console.server.stderr,
    /correct horse|\$2[aby]/,
  );
  for (const [name, path] of [
    [host, '/'],
    [domain, '/apps'],
  ] as const) {
    assert.equal((await ask(ca, name, path)).status, 401);
    const authorization = `Basic ${btoa('ada:correct horse')}`;
    assert.equal((await ask(ca, name, path, { authorization })).status, 200);
  }
  const other = await freePort();
  writeFileSync(caddyfile, `${ownSites}http://attic:${other} {\n\treverse_proxy 127.0.0.1:${box.port}\n}\n`);
  const open = await https('setup', '--resolver', resolver, '--login-except', app);
  assert.match(open.text, new RegExp(`the plain page is open at http://attic:${other}/apps and asks for no login`));
  writeFileSync(caddyfile, ownSites);
  assert.doesNotMatch((await https('setup', '--resolver', resolver)).text, /plain page/);
  assert.deepEqual([(await ask(ca, host)).status, (await ask(ca, domain)).status], [200, 401]);

  const file = await loginFile(t, join(box.folder, 'login.caddy'));
  const own = await https('setup', '--resolver', resolver, '--login-file', file, '--login-except', '');
  assert.equal(own.status, 0, own.text);
  const session = { cookie: 'session=ada', 'remote-user': 'somebody else' };
  for (const [name, path] of [
    [host, '/cgi-bin/headers'],
    [domain, '/apps'],
  ] as const) {
    assert.equal((await ask(ca, name, path)).location, `https://auth.example.org/?rd=https://${name}${path}`);
    assert.equal((await ask(ca, name, path, session)).status, 200);
  }
  assert.match((await ask(ca, host, '/cgi-bin/headers', session)).text, /^HTTP_REMOTE_USER=ada$/m);
  assert.equal((await https('setup', '--resolver', resolver, '--login-except', app)).status, 0);
  assert.deepEqual([(await ask(ca, host)).status, (await ask(ca, domain)).status], [200, 302]);

  const bindings = () => docker('port', `${app}-web-1`).trim().split('\n').toSorted();
  const before = bindings();
  const closed = await console.act('https/setup', { close_ports: 'true', close_except: '' });
  assert.ok(closed.ok, closed.text);
  assert.match(closed.text, new RegExp(`stay open beside the names: ${game} \\(${app}\\)$`, 'm'));
  const closedAt = (port: number) => [
    `8080/tcp -> 127.0.0.1:${port}`,
    ...before.filter((line) => line.startsWith('8081')),
  ];
  assert.deepEqual(bindings(), closedAt(first));
  await until('a closed app answers under its name', async () => (await ask(ca, host)).text.trim() === 'web 1');

  const changed = await box.change(app, { PORT: second });
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  await until('the name follows the app', () =>
    readFileSync(join(box.state, 'https', `app-${app}.caddy`), 'utf8').includes(`:${second}`),
  );
  await until('the app answers again', async () => (await ask(ca, host)).text.trim() === 'web 1');
  assert.deepEqual(bindings(), closedAt(second));
  docker('stop', '-t', '0', `${app}-web-1`);
  await until('a stopped app says so', async () => (await ask(ca, host)).status === 503);

  assert.equal((await box.change(app, { PORT: first })).status, 200);
  await until('the app answers at its first port', async () => (await ask(ca, host)).text.trim() === 'web 1');

  const id = () => docker('inspect', '-f', '{{.Id}}', `${app}-web-1`);
  const container = id();
  assert.equal((await https('setup', '--resolver', resolver)).status, 0);
  assert.deepEqual([id(), bindings()], [container, closedAt(first)]);
  assert.equal((await https('setup', '--resolver', resolver, '--open-ports')).status, 0);
  assert.deepEqual(bindings(), before);

  assert.equal((await box.remove(app)).status, 200);
  await until('the name of a removed app goes', async () => (await ask(ca, host)).status === 404);
  const status = await https('status');
  assert.equal(status.status, 0, status.text);

  assert.match((await console.act('https/off', {})).text, /have ended/);
  assert.equal(readFileSync(caddyfile, 'utf8'), ownSites);
  assert.equal(existsSync(join(box.state, 'https')), false);
  assert.equal((await ask(ca, domain)).status, 0);
  assert.equal(await plainPage(), 'plain');
});
