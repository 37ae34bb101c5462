import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { listen } from '../http/listen.ts';
import { type RawAnswer, rawClient } from '../http/testing/raw-client.ts';
import { type ChangeEntry, changeLine } from '../lib/journal.ts';
import { makeAuthenticate } from './boxes/authenticate.ts';
import { makeHandlers } from './handlers.ts';
import { type RefusalName, refusals } from './refusals.ts';
import { gatewayService } from './service.ts';
import {
  addBox,
  breakable,
  full,
  makeTestEnvironment,
  makeTestGateway,
  type TestGateway,
  unreachable,
} from './testing/test-gateway.ts';

type Request = { method?: string; path: string; body?: string | Buffer | object; headers?: string[] };

/** The service of a gateway. A test gives the bytes of the requests. */
async function serve(t: TestContext, gateway: TestGateway) {
  const service = gatewayService(makeHandlers(gateway), makeAuthenticate(gateway), '1.2.3');
  const listening = await listen({ host: '127.0.0.1', port: 0, service });
  const client = await rawClient(listening.port);
  t.after(async () => {
    client.socket.destroy();
    await listening.close();
  });
  const ask = async ({ method = 'GET', path, body, headers = [] }: Request): Promise<RawAnswer & { text: string }> => {
    const bytes = Buffer.isBuffer(body)
      ? body
      : Buffer.from(typeof body === 'object' ? JSON.stringify(body) : (body ?? ''));
    const length = body === undefined ? [] : [`Content-Length: ${bytes.length}`];
    const lines = [`${method} ${path} HTTP/1.1`, 'Host: gateway', ...length, ...headers];
    client.send(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), bytes]));
    const answer = await client.answer({ head: method === 'HEAD' });
    const value = answer.body === '' ? {} : JSON.parse(answer.body);
    const named = refusals[answer.headers.get('boxgate-error') as RefusalName];
    assert.equal(named?.status, answer.status < 400 ? undefined : answer.status, 'every error names its refusal');
    if (named !== undefined && method !== 'HEAD') assert.deepEqual(Object.keys(value), ['error']);
    return { ...answer, text: `${answer.status} ${value.error ?? ''}`.trim() };
  };
  return { ask, client };
}

const bearer = (token: string) => [`Authorization: Bearer ${token}`];

test('gateway/rules/1, gateway/endpoints/9, gateway/endpoints/10, choice/gateway/2, choice/gateway/4, choice/gateway/15: anything else is 404, with a token or without', async (t) => {
  const gateway = await makeTestGateway(t);
  const { ask } = await serve(t, gateway);
  const { box, token } = await addBox(gateway, 'a');
  for (const headers of [[], bearer(token), bearer('x')]) {
    for (const [method, path] of [
      ['HEAD', '/healthz'],
      ['POST', '/healthz'],
      ['OPTIONS', '/v1/routes'],
      ['PUT', '/v1/routes'],
      ['GET', '/v1/boxes/register'],
      ['GET', `/v1/boxes/${box.id}/heartbeat`],
      ['POST', '/v1/boxes//heartbeat'],
      ['POST', `/v1/boxes/${box.id}/x/heartbeat`],
      ['DELETE', '/v1/routes/'],
      ['DELETE', '/v1/routes/a/b'],
      ['GET', '/healthz/'],
      ['GET', '/'],
    ] as const) {
      const { status, body } = await ask({ method, path, headers });
      assert.equal(status, 404, `${method} ${path}`);
      assert.equal(body, method === 'HEAD' ? '' : '{"error":"not found"}');
    }
  }
});

test('choice/gateway/8: accepts a body of 64 KiB and no larger one, for any path', async (t) => {
  const gateway = await makeTestGateway(t);
  const { ask } = await serve(t, gateway);
  const fits = Buffer.alloc(65_536, ' ');
  assert.equal((await ask({ path: '/healthz', body: fits })).status, 200);
  const { text, headers } = await ask({ path: '/nothing', body: Buffer.alloc(65_537, ' ') });
  assert.equal(text, '413 the body has more than 64 KiB');
  assert.equal(headers.get('connection'), 'close');
});

test('choice/gateway/54: refuses two Authorization headers as malformed', async (t) => {
  const gateway = await makeTestGateway(t);
  const { ask } = await serve(t, gateway);
  const { token } = await addBox(gateway, 'a');
  const headers = [...bearer(token), `authorization: Bearer ${token}`];
  const answer = await ask({ path: '/v1/routes', headers });
  assert.equal(answer.text, '400 malformed HTTP request: more than one Authorization header');
  assert.equal(answer.headers.get('connection'), 'close');
});

test('choice/gateway/15: checks the token, then the box, then the fields', async (t) => {
  const gateway = await makeTestGateway(t);
  const { ask } = await serve(t, gateway);
  const a = await addBox(gateway, 'a');
  const b = await addBox(gateway, 'b');
  for (const action of ['heartbeat', 'rotate-token', 'deregister']) {
    const path = `/v1/boxes/${a.box.id}/${action}`;
    assert.equal((await ask({ method: 'POST', path })).text, '401 missing bearer token');
    const other = await ask({ method: 'POST', path, headers: bearer(b.token), body: '{' });
    assert.equal(other.text, '403 token does not authorize this box');
  }
  const path = '/v1/routes';
  assert.equal((await ask({ method: 'POST', path, body: '{}' })).text, '401 missing bearer token');
  assert.match((await ask({ method: 'POST', path, body: '{}', headers: bearer(a.token) })).text, /^400 /);
});

test('choice/gateway/18, choice/gateway/48: answers known faults with a sentence that contains no path', async (t) => {
  const environment = await makeTestEnvironment(t);
  const { store, broken } = breakable(environment.store);
  const gateway = await makeTestGateway(t, { environment, ports: { store } });
  const { ask } = await serve(t, gateway);
  const { token } = await addBox(gateway, 'a');
  const headers = bearer(token);
  const body = { registration_token: 'the registration token', box_name: 'n' };
  environment.tunnels.fails = unreachable;
  const failed = await ask({ method: 'POST', path: '/v1/boxes/register', body });
  assert.equal(failed.text, '502 tunnel manager: not reachable');
  environment.files.fails = full;
  const wanted = { app_name: 'n', subdomain: 'n', port: 1 };
  const unwritten = await ask({ method: 'POST', path: '/v1/routes', body: wanted, headers });
  assert.equal(unwritten.text, '500 the routes directory is on a disk that is full');
  broken.add('routesOfBox');
  const unread = await ask({ path: '/v1/routes', headers });
  assert.equal(unread.text, '500 the store of the gateway failed; the gateway has written down why');
  broken.add('boxOfToken');
  for (const request of [{ path: '/v1/routes' }, { method: 'POST', path: '/v1/boxes/box_a/heartbeat' }]) {
    const unknown = await ask({ ...request, headers });
    assert.equal(unknown.text, '500 the store of the gateway failed; the gateway has written down why');
  }
  assert.deepEqual(environment.warnings, ['no routesOfBox', 'no boxOfToken', 'no boxOfToken']);
  assert.deepEqual(environment.changes.map(shownChange), [
    'join n: failed: tunnel manager: not reachable (from 127.0.0.1)',
    `publish n.example.org: failed: ${full.message} (by box_a)`,
  ]);
});

/** The line of a change, without its duration. */
function shownChange(entry: ChangeEntry): string {
  return changeLine(entry).replace(/, \d+ ms(?= \(|$)/, '');
}

test('choice/gateway/330: writes one line for each change, and none for heartbeats and reads', async (t) => {
  const gateway = await makeTestGateway(t);
  const { ask } = await serve(t, gateway);
  const body = { registration_token: 'the registration token', box_name: 'at\u202etic' };
  const joined = await ask({
    method: 'POST',
    path: '/v1/boxes/register',
    body,
    headers: ['X-Forwarded-For: 192.0.2.7'],
  });
  const { box_id: id, box_token: token } = JSON.parse(joined.body);
  const headers = bearer(token);
  const wanted = { app_name: 'memos', subdomain: 'notes', port: 5230 };
  const published = await ask({ method: 'POST', path: '/v1/routes', body: wanted, headers });
  await ask({ method: 'POST', path: '/v1/routes', body: wanted, headers });
  await ask({ path: '/v1/routes', headers });
  await ask({ method: 'POST', path: `/v1/boxes/${id}/heartbeat`, headers });
  await ask({ method: 'DELETE', path: `/v1/routes/${JSON.parse(published.body).id}`, headers });
  await ask({ method: 'DELETE', path: '/v1/routes/rt_none', headers });
  await ask({ method: 'POST', path: '/v1/routes', body: {}, headers });
  await ask({ method: 'POST', path: '/v1/routes', body: wanted, headers: bearer('wrong') });
  const rotated = await ask({ method: 'POST', path: `/v1/boxes/${id}/rotate-token`, headers });
  const rights = bearer(JSON.parse(rotated.body).box_token);
  await ask({ method: 'POST', path: `/v1/boxes/${id}/deregister`, headers: rights });
  assert.deepEqual(gateway.environment.changes.map(shownChange), [
    `join ${id} (at\\u{202e}tic): ok (from 192.0.2.7)`,
    `publish notes.example.org: ok, memos on port 5230 (by ${id})`,
    `publish notes.example.org: refused: subdomain already in use (by ${id})`,
    `unpublish notes.example.org: ok (by ${id})`,
    `unpublish: refused: route not found (by ${id})`,
    `rotate-token ${id}: ok`,
    `deregister ${id}: ok`,
  ]);
});

test('choice/gateway/330: counts a registration without the token, and writes no line for it', async (t) => {
  const gateway = await makeTestGateway(t);
  const { ask } = await serve(t, gateway);
  const body = { registration_token: 'wrong', box_name: 'n' };
  await ask({ method: 'POST', path: '/v1/boxes/register', body, headers: ['X-Forwarded-For: 192.0.2.7'] });
  gateway.refusedTokens.flush();
  assert.deepEqual(gateway.environment.warnings, [
    '1 registration with a wrong token in the last minute, from 192.0.2.7',
  ]);
  assert.deepEqual(gateway.environment.changes, []);
});

test('choice/gateway/40, choice/gateway/330: in another mode, registrations fail without a line and boxes go on', async (t) => {
  const gateway = await makeTestGateway(t, { terms: { mode: 'shared' } });
  const { ask } = await serve(t, gateway);
  const { box, token } = await addBox(gateway, 'a');
  const heartbeat = { method: 'POST', path: `/v1/boxes/${box.id}/heartbeat`, headers: bearer(token) };
  assert.equal((await ask(heartbeat)).status, 200);
  const body = { registration_token: 'wrong', box_name: 'n' };
  assert.equal((await ask({ method: 'POST', path: '/v1/boxes/register', body })).status, 501);
  gateway.refusedTokens.flush();
  assert.deepEqual([gateway.environment.warnings, gateway.environment.changes], [[], []]);
});

test('choice/gateway/18: logs an unexpected error, and answers with its id only', async (t) => {
  const environment = await makeTestEnvironment(t);
  const store = { ...environment.store, routesOfBox: () => assert.fail('the secret cause') };
  const gateway = await makeTestGateway(t, { environment, ports: { store } });
  const { ask } = await serve(t, gateway);
  const { token } = await addBox(gateway, 'a');
  const lines: string[] = [];
  t.mock.method(process.stderr, 'write', (text: string) => lines.push(text) > 0);
  const { text } = await ask({ path: '/v1/routes', headers: bearer(token) });
  t.mock.restoreAll();
  const id = /^500 internal error \((\w+)\)$/.exec(text)?.[1] ?? assert.fail(text);
  assert.match(lines.join(''), new RegExp(`internal error \\(${id}\\): [^]*the secret cause`));
});
