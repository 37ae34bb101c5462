import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeBoxEnvironment } from '../../fakes/box-environment.ts';
import { secretsIn, watchProcesses } from '../real/support/secrets.ts';
import { ServerProcess } from '../real/support/server-process.ts';

/**
 * Runs a box's operations and failures with recognisable secrets. No secret, in any reversible encoding, may appear in
 * a response, in the output, in a process list or in a file that other users may read.
 */
const secrets = new Map([
  ['password setting', 'Canary "Box\\Päss" %/+&\'1'],
  ['key of .env', "Canary'Token+of/env=2"],
  ['secret file', 'Canary-file-3-3-3-3'],
  ['new password', 'Canary New "Pässword" 4'],
]);
const [password = '', token = '', inFile = '', newPassword = ''] = secrets.values();

const manifest = {
  name: 'vault',
  version: '1',
  settings: [
    { name: 'PW', label: 'PW', type: 'password' },
    { name: 'SEATS', label: 'SEATS', type: 'number' },
  ],
};
const compose = `services:
  web:
    image: registry.example/vault:1
    environment: { PW: "\${PW}", API_TOKEN: "\${API_TOKEN:-}" }
    secrets: [file]
secrets:
  file: { file: ./secret.txt }
`;

test('no answer, output, process or file of others has a secret of an app', async (t) => {
  const world = makeBoxEnvironment();
  const box = new ServerProcess(['box', 'serve'], (port) => ({ ...world.env(), BOX_PORT: port }));
  const watched = watchProcesses(() => box.process?.pid);
  t.after(async () => {
    watched.stop();
    await box.kill();
    await world.dispose();
  });
  const heard: { what: string; text: string }[] = [];
  const ask = async (what: string, path: string, body?: object): Promise<number> => {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const answer = await fetch(box.url + path, init);
    heard.push({ what: `${what}: ${answer.status}`, text: await answer.text() });
    heard.push({ what: `${what}: headers`, text: JSON.stringify([...answer.headers]) });
    return answer.status;
  };
  const install = (what: string, settings = {}) => ask(what, '/api/apps/install', { name: 'vault', settings });
  const change = (what: string, settings: object) => ask(what, '/api/apps/vault/settings', { settings });
  const update = (what: string) => ask(what, '/api/apps/vault/update', {});
  const file = (name: string) => join(world.installedApps, 'vault', name);
  const says = (message: string) => world.docker.fail({ on: 'any', message, times: 40 });

  world.bundle({ name: 'vault', manifest, compose, files: { 'secret.txt': 'placeholder of the bundle\n' } });
  await box.start();

  assert.equal(await install('install', { PW: password, API_TOKEN: token }), 200);
  writeFileSync(file('secret.txt'), `${inFile}\n`);
  assert.equal(await install('reinstall'), 200);
  assert.equal(await ask('settings view', '/api/apps/vault/settings'), 200);
  assert.equal(await change('a new password', { PW: newPassword }), 200);
  assert.equal(await change('the old password', { PW: password }), 200);
  assert.equal(await change('a wrong number beside a password', { PW: newPassword, SEATS: newPassword }), 400);
  assert.equal(await change('a password with a control character', { PW: `${newPassword}\0` }), 400);
  await ask('no JSON', '/api/apps/install', { name: [password] });
  assert.equal(await update('update'), 200);

  // Messages of the container tool that quote secrets.
  const quoted = [password, token].flatMap((secret) => [
    secret,
    JSON.stringify(secret),
    `PW="${secret.replace(/[\\"$]/g, '\\$&')}"`,
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64'),
    `'${secret.replaceAll("'", "'\\''")}'`,
  ]);
  for (const words of quoted) {
    await says(`cannot read <${words}> here`);
    assert.equal(await change(`a 207 for ${words.length}`, { SEATS: String(words.length) }), 207);
    assert.equal(await update('a failed update'), 502);
    await world.docker.clearFaults();
  }

  // Files that cannot be read.
  const whole = readFileSync(file('.env'));
  for (const damaged of [`PW="${password}`, `PW ${password}\n`, Buffer.concat([whole, Buffer.from([0xff])])]) {
    writeFileSync(file('.env'), damaged);
    await change('a damaged .env', {});
    await update('update with a damaged .env');
    await ask('view of a damaged .env', '/api/apps/vault/settings');
  }
  writeFileSync(file('.env'), whole);
  const nowhere = `services: { web: { image: web:1, env_file: "$\{PW}" } }\n`;
  for (const text of [nowhere, `${compose}x: *${token}`, `${compose}"${token}": [`]) {
    writeFileSync(file('compose.yaml'), text);
    assert.equal(await change('a broken Compose file', {}), 207);
    assert.equal(await update('update with a broken Compose file'), 502);
  }
  writeFileSync(file('manifest.json'), `{"name": ["${token}"], "version": 1}`);
  writeFileSync(file('compose.yaml'), compose);
  await says(`cannot read <${token}> here`);
  assert.equal(await change('a broken manifest', {}), 400);
  assert.equal(await update('update with a broken manifest'), 502);
  await world.docker.clearFaults();
  writeFileSync(file('manifest.json'), JSON.stringify(manifest));

  // Faults of the disk and of the state directory.
  rmSync(join(world.stateDir, 'change.lock'), { recursive: true, force: true });
  mkdirSync(join(world.stateDir, 'change.lock'));
  assert.equal(await change('a 500', { PW: newPassword }), 500);
  rmSync(join(world.stateDir, 'change.lock'), { recursive: true });
  await says(`cannot stop <${password}>`);
  assert.equal(await ask('remove', '/api/apps/remove', { name: 'vault' }), 200);
  for (const path of ['/', '/api/apps', '/api/bundled', '/api/self/update/status']) await ask(path, path);
  await ask('check', '/api/self/update/check', {});
  const processes = watched.stop();
  await box.stop();

  const answers = heard.map(({ what, text }) => [what, secretsIn(text, secrets)] as const);
  assert.deepEqual(
    answers.filter(([, found]) => found.length > 0),
    [],
  );
  assert.deepEqual(secretsIn(box.stderr, secrets), []);
  const shown = [...processes].map(([what, text]) => [what, secretsIn(Buffer.from(text, 'latin1'), secrets)]);
  assert.ok(shown.length > 20, 'the processes were seen');
  assert.deepEqual(
    shown.filter(([, found]) => found?.length),
    [],
  );
  const readable = readdirSync(world.stateDir, { recursive: true, encoding: 'utf8' }).filter((path) => {
    const stats = statSync(join(world.stateDir, path));
    // Only the owner can enter the trash.
    return stats.isFile() && (stats.mode & 0o004) !== 0 && !path.startsWith('trash/');
  });
  assert.deepEqual(
    readable.filter((path) => secretsIn(readFileSync(join(world.stateDir, path)), secrets).length > 0),
    [],
  );
  assert.equal(statSync(join(world.stateDir, 'trash')).mode & 0o077, 0);
});
