import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boxIdOfPeer, idBytes, idOf, peerNameOf } from './ids.ts';

test('choice/gateway/58: an id is its kind and lower-case letters and digits', () => {
  assert.equal(idOf('box', Uint8Array.of(0, 1, 25, 26, 31, 32, 255)), 'box_abz27a7');
  assert.equal(idOf('rt', new Uint8Array(idBytes)), `rt_${'a'.repeat(20)}`);
  assert.match(
    idOf(
      'acc',
      Uint8Array.from({ length: 256 }, (_, i) => i),
    ),
    /^acc_[a-z2-7]{256}$/,
  );
});

test('every character is as likely as any other', () => {
  const characters = [
    ...idOf(
      'rt',
      Uint8Array.from({ length: 256 }, (_, i) => i),
    ).slice(3),
  ];
  const counts = new Map<string, number>();
  for (const one of characters) counts.set(one, (counts.get(one) ?? 0) + 1);
  assert.deepEqual([...new Set(counts.values())], [8]);
});

test('choice/gateway/33: the peer is named after the id and nothing else', () => {
  assert.equal(peerNameOf('box_x'), 'boxgate-box_x');
});

test('the name of a peer contains the id of its box', () => {
  assert.equal(boxIdOfPeer(peerNameOf('box_x')), 'box_x');
});
