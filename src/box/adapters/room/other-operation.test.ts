import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { makeOtherOperation } from './other-operation.ts';

test('asks the running server for the change of an app, and takes no answer for none', async (t) => {
  const operation = { kind: 'update', since: '2026-01-02T03:04:05Z', step: 'pulling' };
  let answer = JSON.stringify([{ name: 'other' }, { name: 'notes', operation }]);
  const server = createServer((_, response) => response.end(answer));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const of = makeOtherOperation(async () => ({ address: `http://127.0.0.1:${port}` }));
  assert.deepEqual([await of('notes'), await of('other'), await of('gone')], [operation, null, null]);
  for (const text of ['{', '{}', '[null,{"name":"notes","operation":7}]']) {
    answer = text;
    assert.equal(await of('notes'), null, text);
  }
  assert.equal(await makeOtherOperation(async () => null)('notes'), null);
  assert.equal(await makeOtherOperation(async () => ({ address: 'http://127.0.0.1:1' }))('notes'), null);
});
