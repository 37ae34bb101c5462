import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { type FakeTraefik, startTraefik, type TraefikOptions } from './traefik.ts';

let folder = '';
let traefik: FakeTraefik;
const routesDir = () => join(folder, 'routes');
const start = async (options: Partial<TraefikOptions> = {}) => {
  traefik = await startTraefik({ routesDir: routesDir(), throttleMs: 1, ...options });
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fake-traefik-test-'));
  mkdirSync(join(routesDir(), 'work'), { recursive: true });
});
afterEach(async () => {
  await traefik.close();
  rmSync(folder, { recursive: true, force: true });
});

const route = (name: string, url = 'http://127.0.0.1:1') =>
  JSON.stringify({
    http: {
      routers: { [name]: { rule: `Host(\`${name}.test\`)`, service: name, tls: {} } },
      services: { [name]: { loadBalancer: { servers: [{ url }] } } },
    },
  });

function publish(name: string, text = route(name)) {
  writeFileSync(join(routesDir(), 'work', 'x.tmp'), text);
  renameSync(join(routesDir(), 'work', 'x.tmp'), join(routesDir(), `${name}.yml`));
}

test('counts one event and one reading for a file that comes by rename out of a folder', async () => {
  await start();
  assert.deepEqual([traefik.events, traefik.reads], [0, 1]);
  publish('a');
  await traefik.settled();
  assert.deepEqual([traefik.events, traefik.reads], [1, 2]);
  assert.deepEqual(traefik.hosts(), ['a.test']);
});

test('counts more for a temporary file in the directory itself', async () => {
  await start();
  writeFileSync(join(routesDir(), 'a.tmp'), route('a'));
  renameSync(join(routesDir(), 'a.tmp'), join(routesDir(), 'a.yml'));
  await traefik.settled();
  assert.ok(traefik.events >= 3, `${traefik.events} events`);
});

test('is settled once everything before was read, however fast it came', async () => {
  await start();
  for (let number = 0; number < 50; number += 1) publish(`r${number % 7}`, route(`r${number}`));
  await traefik.settled();
  const last = Array.from({ length: 7 }, (_, at) => `r${at + 43}.test`);
  assert.deepEqual(traefik.hosts(), last);
  assert.equal(traefik.events, 50);
});

test('is settled too when nothing was or can be seen', async () => {
  rmSync(routesDir(), { recursive: true });
  await start();
  await traefik.settled();
  assert.equal(traefik.reads, 0);
  assert.match(traefik.log.join('\n'), /Cannot start the provider/);
});

test('names the file that blocks, and why, until it is gone', async () => {
  await start();
  publish('a');
  await traefik.settled();
  publish('bad', 'http: {}\n');
  publish('b');
  await traefik.settled();
  const file = join(routesDir(), 'bad.yml');
  assert.deepEqual(traefik.blocked, { file, reason: 'http cannot be a standalone element' });
  assert.deepEqual(traefik.hosts(), ['a.test']);
  rmSync(file);
  await traefik.settled();
  assert.equal(traefik.blocked, null);
  assert.deepEqual(traefik.hosts(), ['a.test', 'b.test']);
});

test('serves on what it had when its directory is gone, or a file is in its place', async () => {
  await start();
  publish('a');
  await traefik.settled();
  renameSync(routesDir(), join(folder, 'old'));
  await traefik.settled();
  assert.deepEqual(traefik.hosts(), ['a.test']);
  writeFileSync(routesDir(), 'no directory');
  // The directory that it watches is the old one, wherever it is: an event there makes it read the path.
  writeFileSync(join(folder, 'old', 'event'), '');
  await traefik.settled();
  assert.deepEqual(traefik.blocked?.file, routesDir());
  assert.deepEqual(traefik.hosts(), ['a.test']);
});

test("finds the tunnel's addresses where the caller says, and hands on bodies both ways", async () => {
  const app = createServer((incoming, response) => {
    response.writeHead(201, { 'x-app': 'yes' });
    incoming.pipe(response);
  }).listen(0, '127.0.0.1');
  await once(app, 'listening');
  try {
    const { port } = app.address() as AddressInfo;
    await start({ addressMap: (address) => (address === '10.8.0.2' ? '127.0.0.1' : address) });
    publish('a', route('a', `http://10.8.0.2:${port}`));
    await traefik.settled();
    const answer = await traefik.ask('a.test', '/echo');
    assert.deepEqual([answer.status, answer.headers['x-app'], answer.body], [201, 'yes', '']);
  } finally {
    app.close();
    app.closeAllConnections();
  }
});

test('an answer that begins before the upload has ended has no limit for its headers any more', async () => {
  const app = createServer((incoming, response) => {
    response.write('begun, ');
    // Longer than the limit after the upload has ended.
    incoming.resume().on('end', () => setTimeout(() => response.end('ended'), 200));
  }).listen(0, '127.0.0.1');
  await once(app, 'listening');
  try {
    const { port } = app.address() as AddressInfo;
    const file = JSON.parse(route('a', `http://127.0.0.1:${port}`));
    file.http.services.a.loadBalancer.serversTransport = 'quick';
    file.http.serversTransports = { quick: { forwardingTimeouts: { responseHeaderTimeout: '50ms' } } };
    publish('a', JSON.stringify(file));
    await start();
    const upload = request(traefik.url, { method: 'POST', headers: { host: 'a.test' }, agent: false });
    upload.write('half');
    const [answer] = (await once(upload, 'response')) as [IncomingMessage];
    upload.end('whole');
    let body = '';
    for await (const text of answer) body += text;
    assert.equal(body, 'begun, ended');
  } finally {
    app.close();
    app.closeAllConnections();
  }
});

test('serves its API as JSON, and nothing that it does not know', async () => {
  await start();
  publish('a');
  await traefik.settled();
  const get = async (path: string) => {
    const answer = await fetch(traefik.apiUrl + path);
    return answer.ok ? await answer.json() : answer.status;
  };
  assert.deepEqual(await get('/api/overview'), {
    http: { routers: { total: 1, warnings: 0, errors: 0 } },
    providers: ['File'],
  });
  assert.deepEqual(await get('/api/http/routers'), traefik.routers());
  assert.deepEqual(await get('/api/http/routers/a@file'), traefik.routers()[0]);
  assert.deepEqual(await get('/api/http/routers?status=disabled'), []);
  assert.equal(await get('/api/http/services'), 404);
});

test('refuses what it does not serve, in words that say who refuses', async () => {
  const middlewares = { m: { stripPrefix: { prefixes: ['/a'] } } };
  const x = { rule: 'Host(`x.test`)', service: 'x', middlewares: ['m'], tls: {} };
  publish(
    'x',
    JSON.stringify({ http: { routers: { x, y: { ...x, rule: 'ClientIP(`::1`)' } }, middlewares } }),
  );
  await start();
  assert.match(traefik.routers()[0]?.error?.join() ?? '', /not served by this stand-in/);
  assert.match(traefik.routers()[1]?.error?.join() ?? '', /ClientIP is not served by this stand-in/);
  publish('t');
  renameSync(join(routesDir(), 't.yml'), join(routesDir(), 't.toml'));
  await traefik.settled();
  assert.match(traefik.blocked?.reason ?? '', /TOML is not known to this stand-in/);
});

test('leaves nothing behind', async (t) => {
  const { TMPDIR } = process.env;
  t.after(() => {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  });
  process.env.TMPDIR = join(folder, 'routes', 'work');
  await start();
  await Promise.all([traefik.settled(), traefik.settled()]);
  await traefik.close();
  assert.deepEqual(readdirSync(tmpdir()), []);
});
