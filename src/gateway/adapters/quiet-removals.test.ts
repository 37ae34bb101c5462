import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeQuietRemovals } from './quiet-removals.ts';

/** A clock that a test moves, what was done, and how long was waited for. */
function makeStand(files = 0, load = 0) {
  let now = 1000;
  const waits: number[] = [];
  const done: string[] = [];
  const ends: (() => void)[] = [];
  const pause = (ms: number) => {
    waits.push(ms);
    return new Promise<void>((resolve) => {
      ends.push(() => {
        now += ms;
        resolve();
      });
    });
  };
  const removals = makeQuietRemovals({ now: () => now, pause, load: () => load }, files);
  return {
    waits,
    done,
    pass: (ms: number) => {
      now += ms;
    },
    endWait: () => ends.shift()?.(),
    put: (name: string, added = 1) => removals.change(added, () => void done.push(`+${name}`)),
    remove: (name: string) => removals.remove(() => void done.push(`-${name}`)),
    fail: () =>
      removals.remove(() => {
        throw new Error('no');
      }),
  };
}

test('choice/gateway/118: a file goes at once when nothing was changed for as long as a reading takes', async () => {
  const { put, remove, pass, done, waits } = makeStand();
  await put('a');
  pass(20.5);
  await remove('a');
  assert.deepEqual([done, waits], [['+a', '-a'], []]);
});

test('a removal waits for the readings of the changes before it, longer with more files and more changes', async () => {
  for (const [files, puts, expected] of [
    [0, 1, 20.5],
    [99, 1, 119.5],
    [10, 3, 20 + 5 + (11 + 12 + 13) / 2],
    [1000, 1, 250],
  ] as const) {
    const { put, remove, endWait, waits } = makeStand(files);
    for (let number = 0; number < puts; number += 1) await put(`f${number}`);
    const removed = remove('f0');
    endWait();
    await removed;
    assert.deepEqual(waits, [expected], `${files} files, ${puts} changes`);
  }
});

test('a removal waits longer on a machine that has more to do than it can', async () => {
  const { put, remove, endWait, waits } = makeStand(0, 3);
  await put('a');
  const removed = remove('a');
  endWait();
  await removed;
  assert.deepEqual(waits, [80.5]);
});

test('what an earlier life changed may be being read at the start', async () => {
  const { remove, endWait, waits } = makeStand(40);
  const removed = remove('old');
  endWait();
  await removed;
  assert.deepEqual(waits, [40]);
});

test('changes that come meanwhile queue behind it, in their order, and none waits otherwise', async () => {
  const { put, remove, endWait, done, waits } = makeStand();
  await put('a');
  await put('b');
  const all = [remove('a'), put('c'), put('d')];
  await Promise.resolve();
  assert.deepEqual(done, ['+a', '+b']);
  endWait();
  await Promise.all(all);
  assert.deepEqual(done, ['+a', '+b', '-a', '+c', '+d']);
  assert.equal(waits.length, 1);
});

test('removals that wait together go together; one that fails fails alone', async () => {
  const { put, remove, fail, endWait, done, waits } = makeStand();
  await put('a');
  const all = Promise.allSettled([remove('a'), fail(), remove('b')]);
  endWait();
  assert.deepEqual(
    (await all).map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  assert.deepEqual([done, waits.length], [['+a', '-a', '-b'], 1]);
});

test('a removal is a change, too: the next one waits for its reading', async () => {
  const { put, remove, endWait, pass, waits } = makeStand();
  await put('a');
  await put('b');
  pass(100);
  await remove('a');
  const removed = remove('b');
  endWait();
  await removed;
  assert.deepEqual(waits, [20.5]);
});

test('a change that fails fails its caller and nobody else', async () => {
  const removals = makeQuietRemovals({ now: () => 0, pause: async () => {}, load: () => 0 }, 0);
  await assert.rejects(
    removals.change(1, () => {
      throw new Error('full');
    }),
    /full/,
  );
  await removals.change(1, () => {});
  await removals.remove(() => {});
});
