import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KnownToken } from '../box-operations.ts';
import { makeTokenLookups } from './token-lookups.ts';

describe('look-ups of tokens', () => {
  it('of one turn of the event loop share a query', async () => {
    const statements: number[] = [];
    const lookUp = makeTokenLookups(async (hashes) => {
      statements.push(hashes.length);
      return hashes.filter((hash) => hash[0] !== 7).map(known);
    });
    const found = await Promise.all(numbers(20).map((n) => lookUp(hash(n))));
    assert.deepEqual(
      found.map((box) => box?.id ?? null),
      numbers(20).map((n) => (n === 7 ? null : `box_${n}`)),
    );
    assert.deepEqual(statements, [20]);
  });

  it('wait while two queries run, and then share the next', async () => {
    const statements: { hashes: Uint8Array[]; answer: (known: KnownToken[]) => void }[] = [];
    const lookUp = makeTokenLookups((hashes) => new Promise((answer) => statements.push({ hashes, answer })));
    const answered: number[] = [];
    for (const n of numbers(5)) {
      void lookUp(hash(n)).then(() => answered.push(n));
      await turn();
    }
    assert.deepEqual(
      statements.map(({ hashes }) => hashes.length),
      [1, 1],
    );
    statements[1]?.answer([]);
    await turn();
    assert.deepEqual(answered, [1]);
    assert.deepEqual(
      statements.map(({ hashes }) => hashes.length),
      [1, 1, 3],
    );
    statements[2]?.answer([]);
    await turn();
    assert.deepEqual(answered, [1, 2, 3, 4]);
  });

  it('are never answered by a query that began before', async () => {
    const statements: ((known: KnownToken[]) => void)[] = [];
    const lookUp = makeTokenLookups(() => new Promise((answer) => statements.push(answer)));
    const before = lookUp(hash(1));
    await turn();
    const after = lookUp(hash(1)); // The token may have been replaced meanwhile.
    await turn();
    statements[0]?.([known(hash(1))]);
    statements[1]?.([]);
    assert.equal((await before)?.id, 'box_1');
    assert.equal(await after, null);
  });

  it('of one query fail together, and the next continue', async () => {
    let fails = true;
    const lookUp = makeTokenLookups(async (hashes) => {
      if (fails) throw new Error('gone');
      return hashes.map(known);
    });
    const outcomes = await Promise.allSettled([lookUp(hash(1)), lookUp(hash(2))]);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    fails = false;
    assert.equal((await lookUp(hash(3)))?.id, 'box_3');
  });

  it('are split into several queries if there are too many', async () => {
    const statements: number[] = [];
    const lookUp = makeTokenLookups(async (hashes) => {
      statements.push(hashes.length);
      return [];
    });
    await Promise.all(numbers(600).map((n) => lookUp(hash(n))));
    assert.deepEqual(statements, [256, 256, 88]);
  });
});

function hash(n: number): Uint8Array {
  return new Uint8Array(32).fill(n);
}

function known(tokenHash: Uint8Array): KnownToken {
  return { tokenHash, box: { id: `box_${tokenHash[0]}`, accountId: 'acc' } };
}

/** Waits for all callbacks that are due now, and for those that they schedule. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(() => setImmediate(resolve))));
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, n) => n);
}
