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
  traefik = await startTraefik({ routesDir: routesDir(), ...options });
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

test('counts one event and one read for a file that is renamed out of a folder', async () => {
  await start();
  assert.deepEqual([traefik.events, traefik.reads], [0, 1]);
  publish('a');
  await traefik.settled();
  assert.deepEqual([traefik.events, traefik.reads], [1, 2]);
  assert.deepEqual(traefik.hosts(), ['a.test']);
});

test('settles without a directory', async () => {
  rmSync(routesDir(), { recursive: true });
  await start();
  await traefik.settled();
  assert.equal(traefik.reads, 0);
  assert.match(traefik.log.join('\n'), /Cannot start the provider/);
});

test('maps server addresses, and forwards bodies both ways', async () => {
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

test('the header limit ends when a response starts during the upload', async () => {
  const app = createServer((incoming, response) => {
    response.write('begun, ');
    // The rest of the body comes later than the limit for headers, which must not apply to it.
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

test('rejects unsupported features with a reason that names the fake', async () => {
  const middlewares = { m: { stripPrefix: { prefixes: ['/a'] } } };
  const x = { rule: 'Host(`x.test`)', service: 'x', middlewares: ['m'], tls: {} };
  publish('x', JSON.stringify({ http: { routers: { x, y: { ...x, rule: 'ClientIP(`::1`)' } }, middlewares } }));
  await start();
  assert.match(traefik.routers()[0]?.error?.join() ?? '', /not served by this fake/);
  assert.match(traefik.routers()[1]?.error?.join() ?? '', /ClientIP is not served by this fake/);
  publish('t');
  renameSync(join(routesDir(), 't.yml'), join(routesDir(), 't.toml'));
  await traefik.settled();
  assert.match(traefik.blocked?.reason ?? '', /TOML is not known to this fake/);
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
