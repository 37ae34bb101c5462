/** HTTPS to servers whose certificates come from an authority that only the system's store has. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

const launcher = join(import.meta.dirname, 'boxgate.cjs');
const folder = mkdtempSync(join(tmpdir(), 'boxgate-authority-'));
const authority = join(folder, 'ca.pem');
let address = '';
let server: Server | null = null;

const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });

before(async () => {
  const key = ['-newkey', 'rsa:2048', '-nodes'];
  openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=own authority');
  openssl(
    'req',
    ...key,
    '-keyout',
    'own.key',
    '-out',
    'own.csr',
    '-subj',
    '/CN=localhost',
    '-addext',
    'subjectAltName=DNS:localhost',
  );
  openssl(
    'x509',
    '-req',
    '-in',
    'own.csr',
    '-CA',
    'ca.pem',
    '-CAkey',
    'ca.key',
    '-copy_extensions',
    'copy',
    '-out',
    'own.pem',
  );
  const read = (name: string) => readFileSync(join(folder, name));
  server = createServer({ key: read('own.key'), cert: read('own.pem') }, (request, response) => {
    const isFeed = request.url === '/feed.json';
    response.writeHead(isFeed ? 200 : 401, { 'Content-Type': 'application/json' });
    response.end(
      JSON.stringify(isFeed ? { version: '987.0.0', archives: {} } : { error: 'a word of the server' }),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  address = `https://localhost:${(server.address() as { port: number }).port}`;
});

after(() => {
  server?.closeAllConnections();
  server?.close();
  rmSync(folder, { recursive: true });
});

/** Runs a command; `isKnown`: the authority is in the system's store. */
async function run(command: string[], env: NodeJS.ProcessEnv, isKnown: boolean): Promise<string> {
  const child = spawn(process.execPath, command, {
    env: { PATH: process.env.PATH, HOME: folder, ...(isKnown ? { SSL_CERT_FILE: authority } : {}), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (said += bytes));
  await once(child, 'close');
  return said;
}

test('choice/box/334: a release feed', async () => {
  const command = [launcher, 'box', 'update', 'check', '--release-feed', `${address}/feed.json`];
  assert.match(await run(command, {}, true), /no signed statement on version 987\.0\.0/);
  assert.match(await run(command, {}, false), /cannot be read: .*certificate/);
});

test('choice/box/334: a gateway', async () => {
  const stateDir = join(folder, 'state');
  const command = [
    launcher,
    'tunnel',
    'join',
    '--gateway',
    address,
    '--name',
    'attic',
    '--state-dir',
    stateDir,
  ];
  const env = { BOX_REGISTRATION_TOKEN: 'a token' };
  assert.match(await run(command, env, true), /a word of the server/);
  assert.match(await run(command, env, false), /CERT|certificate|VERIFY/i);
});

test("choice/box/334: the gateway's proxy", async () => {
  const from = JSON.stringify(join(import.meta.dirname, '../lib/probe-host.ts'));
  const script = `const { probeHost } = await import(${from});
    console.log((await probeHost('${address}', 'localhost')).distrust);`;
  const command = ['--input-type=module', '--eval', script];
  assert.match(await run(command, {}, true), /^null\n/);
  assert.match(await run(command, {}, false), /CERT|certificate|VERIFY/i);
});

test('choice/box/334: a tunnel manager', async () => {
  const from = JSON.stringify(join(import.meta.dirname, '../gateway/adapters/wg-easy/wg-easy-request.ts'));
  const call = JSON.stringify({ method: 'GET', path: '/api', cookie: null });
  const script = `const { exchange } = await import(${from});
    console.log(await exchange(new URL('${address}'), ${call}, 10000).then(({ body }) => body, String));`;
  const command = ['--input-type=module', '--eval', script];
  assert.match(await run(command, {}, true), /a word of the server/);
  assert.match(await run(command, {}, false), /CERT|certificate|VERIFY/i);
});
