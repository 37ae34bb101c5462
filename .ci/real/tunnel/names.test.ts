import assert from 'node:assert/strict';
import { execFile, execFileSync, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { startFakeGateway } from '../../../src/box/addresses/testing/fake-gateway.ts';
import { Box } from '../support/box.ts';
import { container, docker, forget } from '../support/programs/docker.ts';
import { registry } from '../support/programs/registry.ts';
import { launcher } from '../support/server-process.ts';
import { pageAt, until } from '../support/until.ts';

/**
 * A published name leads to its app or nowhere, with a real Docker Engine and a real packet filter. The gateway's side
 * asks for the ports every few milliseconds through all tests. Each test continues from the one before.
 */
const ports = { memos: 5231, moved: 5240, api: 5233 };
const memosText = ['web 1', 'web 3'];
const namespace = 'names-gateway';
const ip = (...argv: string[]) => execFileSync('ip', argv, { stdio: 'pipe' });
const run = promisify(execFile);

/** Asks each port without a pause, and prints `PORT TEXT` for each page that is not the last one of its port. */
const askerScript = `
  const net = require('net'), last = {};
  const ask = (port) => {
    let text = '';
    const socket = net.connect({ host: '10.8.0.2', port: Number(port), timeout: 250 });
    socket.on('connect', () => socket.write('GET / HTTP/1.0\\r\\n\\r\\n')).on('data', (bytes) => { text += bytes; });
    socket.on('timeout', () => socket.destroy()).on('error', () => 0).on('close', () => {
      const page = text.split('\\r\\n\\r\\n')[1]?.trim();
      if (page && page !== last[port]) console.log(port + ' ' + (last[port] = page));
      if (!page) last[port] = '';
    });
  };
  setInterval(() => process.argv.slice(1).forEach(ask), 5);`;

const box = new Box();
let gateway: Awaited<ReturnType<typeof startFakeGateway>>;
let asker: ReturnType<typeof spawn>;
let seen: string[] = [];

const tunnel = (...words: string[]) => {
  const env = {
    ...box.environment(`${box.port}`),
    BOX_REGISTRATION_TOKEN: 'let me in',
    BOX_GATEWAY_PROXY: gateway.url,
  };
  return run(process.execPath, [launcher, 'tunnel', ...words], { env });
};
const routes = () => gateway.routes.map(({ subdomain, port }) => `${subdomain} ${port}`).sort();
const isPublic = (port: number, text: string) => until(`${port} ${text}`, () => seen.includes(`${port} ${text}`));
/** Only the app's own pages, wherever they were. */
const onlyMemos = () =>
  assert.deepEqual(
    seen.filter((line) => !memosText.includes(line.slice(5))),
    [],
  );
const app = (...services: string[]) => ({ compose: `services: { ${services.join(', ')} }`, manifest: { ports: [] } });
const service = (name: string, version: number, variable: string, port: number) =>
  `${name}: { image: "${registry}/web:${version}", stop_grace_period: 0s, ports: ["\${${variable}:-${port}}:8080"] }`;

/** A program that listens on a port of the box as soon as the port is free. */
function takePort(t: TestContext, port: number): Server {
  const server = createServer((socket) => socket.on('error', () => undefined).end('HTTP/1.0 200 OK\r\n\r\nprogram'));
  const take = () => server.listen(port, '0.0.0.0');
  server.on('error', () => setTimeout(take, 2));
  take();
  t.after(() => server.close());
  return server;
}

before(async () => {
  gateway = await startFakeGateway();
  box.bundle('names-memos', app(service('web', 1, 'WEB_PORT', ports.memos), service('api', 3, 'API_PORT', ports.api)));
  box.bundle('names-other', app(service('web', 2, 'WEB_PORT', ports.memos)));
  await box.start();
  ip('netns', 'add', namespace);
  // The packet filter knows the tunnel by the name of its interface.
  ip('link', 'add', 'tunnel', 'type', 'veth', 'peer', 'name', 'box', 'netns', namespace);
  ip('addr', 'add', '10.8.0.2/24', 'dev', 'tunnel');
  ip('link', 'set', 'tunnel', 'up');
  ip('-n', namespace, 'addr', 'add', '10.8.0.1/24', 'dev', 'box');
  ip('-n', namespace, 'link', 'set', 'box', 'up');
  await tunnel('join', '--gateway', gateway.url, '--name', 'attic');
  await tunnel('firewall');
  const all = Object.values(ports).map(String);
  asker = spawn('ip', ['netns', 'exec', namespace, process.execPath, '-e', askerScript, ...all]);
  asker.stdout?.on('data', (bytes) => seen.push(...String(bytes).trim().split('\n')));
});

after(async () => {
  asker?.kill('SIGKILL');
  await box.close();
  await gateway.close();
  ip('link', 'delete', 'tunnel');
  ip('netns', 'delete', namespace);
  execFileSync('nft', ['delete', 'table', 'inet', 'boxgate_tunnel']);
});

test('a published port is public, and shown in the list', async () => {
  assert.equal((await box.install('names-memos')).status, 200);
  await tunnel('publish', 'names-memos', '--subdomain', 'notes', '--port', `${ports.memos}`);
  await tunnel('publish', 'names-memos', '--subdomain', 'api', '--port', `${ports.api}`);
  await isPublic(ports.memos, 'web 1');
  await isPublic(ports.api, 'web 3');
  const urls = (await box.get('/api/apps')).body[0].public_urls;
  assert.deepEqual(urls, ['https://notes.example.test', 'https://api.example.test']);
});

test('a name follows its app, and what takes its old port is not public', async (t) => {
  const taker = takePort(t, ports.memos);
  assert.equal((await box.change('names-memos', { WEB_PORT: ports.moved })).status, 200);
  await until('a program has the old port', () => taker.listening);
  taker.close();
  assert.equal((await box.install('names-other')).status, 200);
  await isPublic(ports.moved, 'web 1');
  assert.deepEqual(routes(), [`api ${ports.api}`, `notes ${ports.moved}`]);
  onlyMemos();
});

test('names whose ports change places follow', async () => {
  seen = [];
  assert.equal((await box.change('names-memos', { WEB_PORT: ports.api, API_PORT: ports.moved })).status, 200);
  await isPublic(ports.api, 'web 1');
  await isPublic(ports.moved, 'web 3');
  assert.deepEqual(routes(), [`api ${ports.moved}`, `notes ${ports.api}`]);
  onlyMemos();
});

test('what takes the port of a stopped app by hand is not public', async (t) => {
  const { id } = container('names-memos', 'web');
  docker('stop', id);
  const file = join(box.folder, 'foreign.yaml');
  writeFileSync(file, app(service('web', 2, 'WEB_PORT', ports.api)).compose);
  const foreign = (...words: string[]) => docker('compose', '-p', 'names-foreign', '-f', file, ...words);
  t.after(() => forget(['names-foreign']));
  foreign('up', '-d');
  assert.match(await pageAt(`http://127.0.0.1:${ports.api}`), /web 2/);
  const { stderr } = await tunnel('list');
  assert.match(stderr, /^boxgate: notes\.example\.test leads nowhere, because web of names-memos does not run/m);
  foreign('down');
  const program = takePort(t, ports.api);
  await until('a program has the port', () => program.listening);
  await tunnel('heartbeat');
  onlyMemos();
  program.close();
  seen = [];
  docker('start', id);
  await isPublic(ports.api, 'web 1');
});

test('an app that gets the port of a removed one is not public', async () => {
  seen = [];
  assert.equal((await box.remove('names-memos')).status, 200);
  assert.deepEqual(routes(), []);
  assert.equal((await box.change('names-other', { WEB_PORT: ports.api })).status, 200);
  assert.match(await pageAt(`http://127.0.0.1:${ports.api}`), /web 2/);
  onlyMemos();
});
