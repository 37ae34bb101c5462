import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hear, type Source } from './heartbeat-sources.ts';

/** What is found after heartbeats of sources such as `a1`, address and boot id, at seconds. */
function found(...heartbeats: [source: string, second: number][]) {
  let heard: Source[] = [];
  return heartbeats.map(([source, second]) => {
    const result = hear(heard, { address: `${source[0]}`, boot: source.slice(1), at: second * 1000 });
    heard = result.heard;
    return result.inTurn;
  });
}

test('two sources in turn are two machines, also behind one address', () => {
  assert.deepEqual(found(['a', 0], ['b', 20], ['a', 62]), [null, null, 'a and b']);
  assert.deepEqual(found(['a1', 0], ['a2', 20], ['a1', 62], ['a2', 81]), [null, null, 'a', 'a']);
});

test('a reboot, a new address and a home with two connections are one machine', () => {
  assert.deepEqual(found(['a1', 0], ['a2', 30], ['a2', 90], ['b2', 150]), [null, null, null, null]);
  assert.deepEqual(found(['a', 0], ['b', 60], ['a', 120], ['b', 180]), [null, null, null, null]);
  assert.deepEqual(found(['a', 0], ['a', 1], ['a', 60]), [null, null, null]);
});

test('remembers a bounded number of sources', () => {
  const many = Array.from({ length: 20 }, (_, n): Source => ({ address: `${n}`, boot: '', at: n }));
  const heard = many.reduce<Source[]>((before, one) => hear(before, one).heard, []);
  assert.equal(heard.length, 8);
});
