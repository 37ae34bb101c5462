import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Stream } from '../http/reply.ts';
import { boundStreams } from './open-streams.ts';

test('a stream too many is refused, until another one has ended', async () => {
  const bound = boundStreams(20);
  const { signal } = new AbortController();
  const body: Stream = async function* () {
    yield 'line';
  };
  const open = () =>
    (bound({ status: 200, type: 'text/event-stream', body }).body as Stream)(signal)[Symbol.asyncIterator]();
  const streams = Array.from({ length: 20 }, open);
  for (const stream of streams) assert.equal((await stream.next()).value, 'line');
  assert.throws(open, { refusal: 'tooManyStreams', status: 503 });
  assert.deepEqual(bound({ status: 200, body: {} }), { status: 200, body: {} });
  await streams[0]?.return?.();
  assert.equal((await open().next()).value, 'line');
});
