import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Service } from './exchange.ts';
import type { Reply } from './reply.ts';
import { rawClient } from './testing/raw-client.ts';
import { clientOf, get, type Log, makeService, post, start } from './testing/test-service.ts';

test('answers HEAD as GET without the body', async () => {
  const client = await clientOf();
  client.send('HEAD /thing HTTP/1.1\r\nHost: x\r\n\r\n');
  const { status, headers } = await client.answer({ head: true });
  assert.equal(status, 200);
  assert.equal(headers.get('content-length'), '14');
  client.send(get('/thing'));
  assert.equal((await client.answer()).status, 200);
});

test('carries out the steps in order and stops at the first refusal', async () => {
  const log: Log = [];
  const client = await clientOf(makeService(log));
  const stepsOf = async (request: string) => {
    log.length = 0;
    client.send(request);
    const { status } = await client.answer();
    return `${status}: ${log.join(', ')}`;
  };
  assert.equal(await stepsOf(post('/echo', '{}')), '200: admit, body 2, match /echo, handle echo, done');
  assert.equal(await stepsOf(post('/echo', 'x', 'X-Bad: 1\r\nContent-Length: 1\r\n')), '403: admit');
  assert.equal(await stepsOf(post('/nothing', '[]')), '400: admit, body 2');
  assert.equal(await stepsOf(post('/nothing', '{}')), '404: admit, body 2, match /nothing');
});

test('ignores requests after one whose response closes the connection', async () => {
  const log: Log = [];
  const client = await clientOf(makeService(log));
  client.send(post('/echo', 'x'.repeat(1001)) + post('/echo', '{}') + get('/thing'));
  assert.equal((await client.answer()).status, 413);
  assert.equal(await client.closed(), '');
  assert.deepEqual(log, ['admit']);
});

test('a client that closed its half of the connection gets slow responses too', async () => {
  const log: Log = [];
  const { promise: gate, resolve: release } = Promise.withResolvers<void>();
  const client = await rawClient((await start(makeService(log, gate))).port, true);
  client.socket.end(post('/wait', '') + post('/echo', '{"a":1}'));
  while (!log.includes('handle wait')) await new Promise(setImmediate);
  // When another client has its response, the server has seen the end of the first one.
  const other = await rawClient((await start()).port);
  other.send(get('/thing'));
  await other.answer();
  release();
  assert.equal((await client.answer()).status, 200);
  assert.equal((await client.answer()).body, '{"a":1}');
  await client.closed();
});

test('reads a body of exactly the limit', async () => {
  const client = await clientOf();
  const body = `{"a":"${'x'.repeat(992)}"}`;
  assert.equal(body.length, 1000);
  client.send(post('/echo', body));
  assert.equal((await client.answer()).body, body);
});

const unsendable: [string, object][] = [
  ['a body that is no JSON value', { status: 200, body: { n: 1n } }],
  ['a header that HTTP does not allow', { status: 200, body: {}, headers: { 'X-Line': 'a\nb' } }],
];
const faults: [string, Service, RegExp][] = [
  ['an unknown fault', makeService(), /Error: the secret cause\n +at /],
  ...unsendable.map(([what, reply]): [string, Service, RegExp] => [
    what,
    { ...makeService(), handle: async () => reply as Reply },
    /TypeError.*\n +at /,
  ]),
];
for (const [what, service, cause] of faults) {
  test(`${what} is 500 with an id, and only standard error gets its text`, async () => {
    const client = await clientOf(service);
    const write = process.stderr.write;
    let written = '';
    process.stderr.write = ((text: string) => {
      written += text;
      return true;
    }) as typeof write;
    client.send(post('/fail', '{"password":"hunter2"}'));
    const { status, phrase, body } = await client.answer().finally(() => {
      process.stderr.write = write;
    });
    assert.equal(`${status} ${phrase}`, '500 Internal Server Error');
    const [, id] = /^\{"error":"internal error \(([0-9a-f]{12})\)"\}$/.exec(body) ?? [];
    assert.ok(id);
    assert.match(written, new RegExp(`internal error \\(${id}\\): `));
    assert.match(written, cause);
    assert.doesNotMatch(written, /hunter2/);
  });
}
