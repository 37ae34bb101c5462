import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isIn, wentBack } from './snapshot.ts';

describe('a snapshot', () => {
  for (const [snapshot, ended, running] of [
    ['10:10:', [1, 9], [10, 11]],
    ['10:15:10,13', [9, 11, 12, 14], [10, 13, 15]],
    ['10:20:10,13', [9, 1, 19], [10, 13, 20]],
    ['4294967300:4294967302:4294967300', [4_294_967_299, 4_294_967_301], [4_294_967_300, 4_294_967_302]],
  ] as const) {
    it(`${snapshot} holds what had ended and nothing else`, () => {
      for (const transaction of ended) assert.ok(isIn(snapshot, BigInt(transaction)), `${transaction}`);
      for (const transaction of running) assert.ok(!isIn(snapshot, BigInt(transaction)), `${transaction}`);
    });
  }

  it('that knows less than an earlier one is of another history', () => {
    assert.equal(wentBack('10:15:10', '10:15:10'), false);
    assert.equal(wentBack('10:15:10', '16:16:'), false);
    assert.equal(wentBack('10:15:10', '9:30:9'), true);
  });
});
