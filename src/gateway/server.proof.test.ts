import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { openStore, viewStore } from './store/open-store.ts';
import {
  makeServerEnvironment,
  registrationToken,
  run,
  type ServerEnvironment,
  type Serving,
  serve,
  until,
} from './testing/server-process.ts';

const registration = { registration_token: registrationToken, box_name: 'Attic' };
const wanted = (subdomain: string) => ({ app_name: 'notes', subdomain, port: 8080 });

async function register(gateway: Serving): Promise<{ id: string; token: string }> {
  const { status, body } = await gateway.call('POST', '/v1/boxes/register', { body: registration });
  assert.equal(status, 201, JSON.stringify(body));
  return { id: String(body.box_id), token: String(body.box_token) };
}

const ymlFiles = ({ routesDir }: ServerEnvironment) => readdirSync(routesDir).filter((name) => name.endsWith('.yml'));
const storeOf = ({ stateDir }: ServerEnvironment) => ({ kind: 'file' as const, path: join(stateDir, 'gateway.db') });

async function boxesIn(environment: ServerEnvironment) {
  const store = await viewStore(storeOf(environment));
  try {
    return await store.listBoxes();
  } finally {
    await store.close();
  }
}

const limits = { timeout: 60_000 };

test('choice/gateway/65, gateway/process/22: a stop writes collected heartbeats', limits, async (t) => {
  const environment = await makeServerEnvironment(t);
  const gateway = await serve(t, environment);
  const { id, token } = await register(gateway);
  const before = Date.now();
  await gateway.call('POST', `/v1/boxes/${id}/heartbeat`, { token });
  assert.deepEqual(await gateway.stop('SIGINT'), [0, null]);
  const [box] = await boxesIn(environment);
  assert.ok((box?.lastSeenAt ?? 0) >= before);
});

test('a stop does not wait for a slow login of the look at the start', limits, async (t) => {
  const environment = await makeServerEnvironment(t, { loginMs: 30_000 });
  const gateway = await serve(t, environment);
  await until(() => environment.manager.counters().logins === 1);
  const before = performance.now();
  assert.deepEqual(await gateway.stop(), [0, null]);
  assert.ok(performance.now() - before < 8_000, `${performance.now() - before} ms`);
});

test('a start names a tunnel manager that is too old, and so does a registration', limits, async (t) => {
  const environment = await makeServerEnvironment(t);
  const manager = createHttpServer((_, answer) => answer.writeHead(204).end()).listen(0, '127.0.0.1');
  t.after(() => manager.close());
  await once(manager, 'listening');
  const { port } = manager.address() as AddressInfo;
  const gateway = await serve(t, environment, { GATEWAY_TUNNEL_URL: `http://127.0.0.1:${port}` });
  await until(() => gateway.said.error.includes('\n'));
  const problem = /^tunnel manager: wg-easy is older than 15\.4 .*: update wg-easy to 15\.4 or newer\n?$/;
  assert.match(gateway.said.error, problem);
  const { status, body } = await gateway.call('POST', '/v1/boxes/register', { body: registration });
  assert.equal(status, 502);
  assert.match(String(body.error), problem);
});

test('a start names a wrong password of the tunnel manager', limits, async (t) => {
  const environment = await makeServerEnvironment(t);
  const gateway = await serve(t, environment, { GATEWAY_TUNNEL_PASSWORD: 'long-enough-but-wrong' });
  await until(() => gateway.said.error.includes('\n'));
  assert.match(
    gateway.said.error,
    /^tunnel manager: wrong password, or no user of that name: set GATEWAY_TUNNEL_USER.*\n$/,
  );
});

test('choice/gateway/102: a start that cannot write a route file names its path', limits, async (t) => {
  const environment = await makeServerEnvironment(t);
  const path = join(environment.routesDir, 'boxgate-box_a.yml');
  mkdirSync(path, { recursive: true });
  const { said, ended } = run(t, environment);
  assert.deepEqual(await ended, [1, null]);
  assert.equal(
    said.error,
    `boxgate: the routes directory has a directory in the place of boxgate-box_a.yml (${path})\n`,
  );
});

test(
  'choice/gateway/107: an operator lists and removes boxes, while the gateway runs and while it is stopped',
  limits,
  async (t) => {
    const environment = await makeServerEnvironment(t);
    const gateway = await serve(t, environment);
    const { id, token } = await register(gateway);
    await gateway.call('POST', '/v1/routes', { body: wanted('notes'), token });
    const list = run(t, environment, ['boxes', 'list']);
    assert.deepEqual(await list.ended, [0, null]);
    assert.match(list.said.out, new RegExp(`^ID .*\n${id}  Attic  10\\.8\\.0\\.2  1 +never\n$`));
    const remove = async (which: string) => {
      const { ended, said } = run(t, environment, ['boxes', 'remove', which]);
      const [status] = await ended;
      return [status, said.out + said.error];
    };
    const socket = `${storeOf(environment).path}.sock`;
    assert.equal(statSync(socket).mode & 0o777, 0o600);
    assert.deepEqual(await remove('Attic'), [1, `there is no box "Attic"; boxes of that name: ${id}\n`]);
    const other = await register(gateway);
    assert.deepEqual(await remove(other.id), [
      0,
      `${other.id} is removed, with its routes and names; its peer goes as soon as the tunnel manager lets it\n`,
    ]);
    assert.equal((await gateway.call('GET', '/v1/routes', { token: other.token })).status, 401);
    assert.equal(environment.manager.clients().length, 1);
    assert.match(gateway.said.error, new RegExp(`^remove ${other.id}: ok, .* at the command line\\)$`, 'm'));
    await gateway.stop('SIGKILL');
    assert.ok(existsSync(socket), 'a gateway that was killed leaves its socket');
    const removal = run(t, environment, ['boxes', 'remove', id]);
    assert.deepEqual(await removal.ended, [0, null]);
    const again = await serve(t, environment);
    assert.deepEqual(ymlFiles(environment), []);
    assert.equal((await again.call('GET', '/v1/routes', { token })).status, 401);
    await until(() => environment.manager.clients().length === 0);
    await again.stop();
    const store = await openStore(storeOf(environment));
    assert.deepEqual(await store.duePeers(10 ** 14, 10), []);
    await store.close();
  },
);
