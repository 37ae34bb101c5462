import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
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

for (const store of ['memory:', '']) {
  test(
    `a box from its registration to its deregistration, on ${store === '' ? 'a file' : store}`,
    limits,
    async (t) => {
      const environment = await makeServerEnvironment(t);
      const gateway = await serve(t, environment, { GATEWAY_STORE: store });
      const { call } = gateway;
      assert.deepEqual(await call('GET', '/healthz'), { status: 200, body: { status: 'ok' } });
      const { id, token } = await register(gateway);
      assert.deepEqual(
        environment.manager.clients().map(({ name }) => name),
        [`boxgate-${id}`],
      );
      const published = await call('POST', '/v1/routes', { body: wanted('notes'), token });
      assert.equal(published.status, 201);
      assert.equal(published.body.host, 'notes.example.org');
      const text = readFileSync(join(environment.routesDir, `boxgate-${id}.yml`), 'utf8');
      assert.match(text, /Host\(`notes\.example\.org`\)/);
      assert.match(text, new RegExp(`http://${environment.manager.clients()[0]?.address}:8080`));
      const listed = await call('GET', '/v1/routes', { token });
      assert.deepEqual(listed.body, { routes: [published.body] });
      assert.equal((await call('POST', `/v1/boxes/${id}/heartbeat`, { token })).status, 200);
      assert.equal((await call('DELETE', `/v1/routes/${published.body.id}`, { token })).status, 200);
      assert.deepEqual(ymlFiles(environment), []);
      const rotated = await call('POST', `/v1/boxes/${id}/rotate-token`, { token });
      const next = String(rotated.body.box_token);
      assert.equal((await call('GET', '/v1/routes', { token })).status, 401);
      assert.equal((await call('POST', '/v1/routes', { body: wanted('notes'), token: next })).status, 201);
      assert.equal((await call('POST', `/v1/boxes/${id}/deregister`, { token: next })).status, 200);
      assert.equal((await call('GET', '/v1/routes', { token: next })).status, 401);
      assert.deepEqual([ymlFiles(environment), environment.manager.clients()], [[], []]);
      assert.deepEqual(await gateway.stop(), [0, null]);
      assert.match(gateway.said.out, /^listening on http:\/\/127\.0\.0\.1:\d+\n$/);
      const verbs = gateway.said.error.match(/^[a-z-]+(?= )/gm);
      assert.deepEqual(verbs, ['join', 'publish', 'unpublish', 'rotate-token', 'publish', 'deregister']);
    },
  );
}

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

test('gateway/process/22: a stop finishes a registration in progress', limits, async (t) => {
  const environment = await makeServerEnvironment(t);
  const gateway = await serve(t, environment);
  const slow = environment.manager.faults.script({ kind: 'slow', on: 'create', delayMs: 500 });
  const registered = register(gateway);
  await until(() => slow.struck() > 0);
  assert.deepEqual(await gateway.stop(), [0, null]);
  const { id } = await registered;
  assert.deepEqual(
    (await boxesIn(environment)).map((box) => [box.id, box.state]),
    [[id, 'active']],
  );
});

test('a stop does not wait for a slow login of the look at the start', limits, async (t) => {
  const environment = await makeServerEnvironment(t, { loginMs: 30_000 });
  const gateway = await serve(t, environment);
  await until(() => environment.manager.counters().logins === 1);
  const before = performance.now();
  assert.deepEqual(await gateway.stop(), [0, null]);
  assert.ok(performance.now() - before < 8_000, `${performance.now() - before} ms`);
});

test('should/gateway/100: answered changes survive kill -9, row and file', limits, async (t) => {
  const environment = await makeServerEnvironment(t);
  let gateway = await serve(t, environment);
  const { id, token } = await register(gateway);
  const file = join(environment.routesDir, `boxgate-${id}.yml`);
  for (const name of ['a', 'b', 'c']) {
    const { status } = await gateway.call('POST', '/v1/routes', { body: wanted(name), token });
    assert.equal(status, 201);
    await gateway.stop('SIGKILL');
    assert.match(readFileSync(file, 'utf8'), new RegExp(`\`${name}\\.example\\.org\``));
    gateway = await serve(t, environment);
    const { routes } = (await gateway.call('GET', '/v1/routes', { token })).body as { routes: { subdomain: string }[] };
    assert.equal(routes.at(-1)?.subdomain, name);
  }
  const rotated = await gateway.call('POST', `/v1/boxes/${id}/rotate-token`, { token });
  await gateway.stop('SIGKILL');
  gateway = await serve(t, environment);
  assert.equal((await gateway.call('GET', '/v1/routes', { token })).status, 401);
  const next = String(rotated.body.box_token);
  assert.equal((await gateway.call('POST', `/v1/boxes/${id}/deregister`, { token: next })).status, 200);
  await gateway.stop('SIGKILL');
  assert.equal(existsSync(file), false);
  assert.deepEqual(await boxesIn(environment), []);
});

test('should/gateway/44: the next start cleans up a registration that a kill interrupted', limits, async (t) => {
  const environment = await makeServerEnvironment(t);
  const gateway = await serve(t, environment);
  const hanging = environment.manager.faults.script({ kind: 'hang-after', on: 'create' });
  const lost = register(gateway).catch(() => undefined);
  await until(() => hanging.struck() > 0 && environment.manager.clients().length > 0);
  await gateway.stop('SIGKILL');
  await lost;
  assert.deepEqual(
    (await boxesIn(environment)).map(({ state }) => state),
    ['pending'],
  );
  await serve(t, environment);
  await until(() => environment.manager.clients().length === 0);
  await until(async () => (await boxesIn(environment)).length === 0);
});

test(
  'choice/gateway/102: a start corrects the directory before its ready line, and keeps correct files',
  limits,
  async (t) => {
    const environment = await makeServerEnvironment(t);
    let gateway = await serve(t, environment);
    const boxes = [await register(gateway), await register(gateway), await register(gateway)];
    for (const [i, { token }] of boxes.entries()) {
      await gateway.call('POST', '/v1/routes', { body: wanted(`n${i}`), token });
    }
    await gateway.stop();
    const paths = boxes.map(({ id }) => join(environment.routesDir, `boxgate-${id}.yml`));
    const [right = '', changed = '', gone = ''] = paths;
    const texts = paths.map((path) => readFileSync(path, 'utf8'));
    const { ino, mtimeMs } = statSync(right);
    writeFileSync(changed, 'http: 1\n');
    unlinkSync(gone);
    const orphan = join(environment.routesDir, 'boxgate-box_orphan.yml');
    writeFileSync(orphan, 'http: 1\n');
    writeFileSync(join(environment.routesDir, 'mine.yml'), '# mine\n');
    gateway = await serve(t, environment);
    assert.deepEqual(
      paths.map((path) => readFileSync(path, 'utf8')),
      texts,
    );
    assert.deepEqual([statSync(right).ino, statSync(right).mtimeMs], [ino, mtimeMs]);
    assert.deepEqual([existsSync(orphan), ymlFiles(environment).length], [false, 4]);
  },
);

test('choice/gateway/90: other users can reach the routes, whatever the umask is', limits, async (t) => {
  const environment = await makeServerEnvironment(t);
  const stateDir = join(environment.stateDir, 'deep', 'state');
  const umask = process.umask(0o077);
  t.after(() => process.umask(umask));
  await serve(t, environment, { GATEWAY_STATE_DIR: stateDir });
  for (const folder of [stateDir, join(stateDir, 'routes')]) assert.equal(statSync(folder).mode & 0o777, 0o755);
  assert.equal(statSync(join(stateDir, 'gateway.db')).mode & 0o777, 0o600);
});

test('choice/gateway/568: an unmanaged file that stops the proxy is named on standard error', limits, async (t) => {
  const environment = await makeServerEnvironment(t);
  await (await serve(t, environment)).stop();
  writeFileSync(join(environment.routesDir, 'mine.yml'), 'http: {}\n');
  const gateway = await serve(t, environment);
  await until(() => gateway.said.error.includes('\n'));
  assert.match(
    gateway.said.error,
    /^the file "mine\.yml" in the routes directory keeps the proxy .* has no entries\n$/,
  );
});

test(
  'should/gateway/49: starts while the tunnel manager is unreachable, and registers once it is back',
  limits,
  async (t) => {
    const environment = await makeServerEnvironment(t);
    await environment.manager.stop();
    const gateway = await serve(t, environment);
    const { status, body } = await gateway.call('POST', '/v1/boxes/register', { body: registration });
    assert.equal(status, 502);
    assert.match(String(body.error), /^tunnel manager: not reachable/);
    await environment.manager.start();
    await register(gateway);
  },
);

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

test(
  'should/gateway/69, should/gateway/43: a peer is removed when the manager is back, also after a kill',
  limits,
  async (t) => {
    const environment = await makeServerEnvironment(t);
    let gateway = await serve(t, environment);
    const { id, token } = await register(gateway);
    await environment.manager.stop();
    assert.equal((await gateway.call('POST', `/v1/boxes/${id}/deregister`, { token })).status, 200);
    await gateway.stop('SIGKILL');
    await environment.manager.start();
    gateway = await serve(t, environment);
    await until(() => environment.manager.clients().length === 0);
  },
);

test('gateway/process/21, gateway/process/27, choice/gateway/102: reasons for a failed start', limits, async (t) => {
  const environment = await makeServerEnvironment(t);
  const gateway = await serve(t, environment);
  const second = run(t, environment);
  assert.deepEqual(await second.ended, [1, null]);
  assert.match(second.said.error, /^boxgate: another process works on the store [^\n]*\n$/);
  const other = run(t, environment, ['serve'], { GATEWAY_STORE: 'memory:' });
  assert.deepEqual(await other.ended, [1, null]);
  assert.match(other.said.error, /^boxgate: the routes directory \S+ belongs to another store; [^\n]*\n$/);
  await gateway.stop();
  const taken = createServer().listen(0, '127.0.0.1');
  t.after(() => taken.close());
  await new Promise((resolve) => taken.once('listening', resolve));
  const { port } = taken.address() as { port: number };
  const late = run(t, environment, ['serve'], { GATEWAY_PORT: String(port) });
  assert.deepEqual(await late.ended, [1, null]);
  assert.match(
    late.said.error,
    /^boxgate: cannot listen on 127\.0\.0\.1 port \d+: the port is taken; set GATEWAY_PORT in .*\n$/,
  );
  const missing = run(t, environment, ['serve'], { GATEWAY_DOMAIN: '' });
  assert.deepEqual(await missing.ended, [2, null]);
  assert.equal(
    missing.said.error,
    'boxgate: GATEWAY_DOMAIN is required: set it in /etc/boxgate/gateway.env (or --domain)\n',
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

test('should/gateway/20: no secret is in clear text in a file or on standard error', limits, async (t) => {
  const environment = await makeServerEnvironment(t);
  const gateway = await serve(t, environment);
  const { token } = await register(gateway);
  environment.manager.faults.script({ kind: 'fail-before', on: 'any', times: 20 });
  await gateway.call('POST', '/v1/boxes/register', { body: registration });
  await gateway.stop();
  const { password } = environment.manager;
  const names = readdirSync(environment.stateDir, { recursive: true, withFileTypes: true });
  for (const entry of names.filter((one) => one.isFile())) {
    const bytes = readFileSync(join(entry.parentPath, entry.name));
    for (const secret of [token, password, registrationToken]) {
      assert.equal(bytes.includes(secret), false, `${entry.name} holds a secret`);
    }
  }
  for (const secret of [token, password, registrationToken]) assert.ok(!gateway.said.error.includes(secret));
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
