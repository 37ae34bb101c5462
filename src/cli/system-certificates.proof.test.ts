/** HTTPS to servers whose certificates come from an authority that only the system's store has. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launcher, startProgram } from '../lib/testing/boxgate-process.ts';
import { temporaryFolder } from '../lib/testing/temporary-folder.ts';

const folder = temporaryFolder();
const authority = join(folder, 'ca.pem');
let address = '';
let server: Server | null = null;

const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });

before(async () => {
  const key = ['-newkey', 'rsa:2048', '-nodes'];
  openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=own authority');
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  openssl('req', ...key, '-keyout', 'own.key', '-out', 'own.csr', ...names);
  const signer = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-copy_extensions', 'copy'];
  openssl('x509', '-req', '-in', 'own.csr', ...signer, '-out', 'own.pem');
  const read = (name: string) => readFileSync(join(folder, name));
  server = createServer({ key: read('own.key'), cert: read('own.pem') }, (request, response) => {
    const isFeed = request.url === '/feed.json';
    response.writeHead(isFeed ? 200 : 401, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(isFeed ? { version: '987.0.0', archives: {} } : { error: 'a word of the server' }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  address = `https://localhost:${(server.address() as { port: number }).port}`;
});

after(() => {
  server?.closeAllConnections();
  server?.close();
});

/** Runs a command; `isKnown`: the authority is in the system's store. */
async function run(command: string[], env: NodeJS.ProcessEnv, isKnown: boolean): Promise<string> {
  const known = isKnown ? { SSL_CERT_FILE: authority } : {};
  const variables = { PATH: process.env.PATH, HOME: folder, ...known, ...env };
  const { said, ended } = startProgram([process.execPath, ...command], variables);
  await ended;
  return said.out + said.err;
}

test('choice/box/334: a release feed', async () => {
  const command = [launcher, 'box', 'update', 'check', '--release-feed', `${address}/feed.json`];
  assert.match(await run(command, {}, true), /no signed statement on version 987\.0\.0/);
  assert.match(await run(command, {}, false), /cannot be read: .*certificate/);
});

test('choice/box/334: a gateway', async () => {
  const command = [launcher, 'tunnel', 'join', '--gateway', address, '--name', 'attic'];
  const env = { BOX_REGISTRATION_TOKEN: 'a token', BOX_STATE_DIR: join(folder, 'state') };
  assert.match(await run(command, env, true), /a word of the server/);
  assert.match(await run(command, env, false), /CERT|certificate|VERIFY/i);
});

test("choice/box/334: the gateway's proxy", async () => {
  const from = JSON.stringify(join(import.meta.dirname, '../lib/network/probe-host.ts'));
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
