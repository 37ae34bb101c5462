import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type KnownProxy, makeQuietRemovals } from './quiet-removals.ts';

/** A clock that a test moves, what was done, and how long was waited for. */
function makeStand(files = 0, load = 0, proxy: KnownProxy = 'none') {
  let now = 1000;
  const waits: number[] = [];
  const done: string[] = [];
  const ends: (() => void)[] = [];
  let wasRead = false;
  const pause = (ms: number) => {
    waits.push(ms);
    return new Promise<void>((resolve) => {
      ends.push(() => {
        now += ms;
        resolve();
      });
    });
  };
  const takeRead = () => {
    const answer = wasRead;
    wasRead = false;
    return answer;
  };
  const removals = makeQuietRemovals(
    { now: () => now, pause, load: () => load, wasRead: takeRead },
    files,
    proxy,
  );
  return {
    waits,
    done,
    pass: (ms: number) => {
      now += ms;
    },
    endWait: () => ends.shift()?.(),
    read: () => {
      wasRead = true;
    },
    /** Ends one wait and lets what waited go on to the next. */
    step: async () => {
      ends.shift()?.();
      await new Promise(setImmediate);
    },
    put: (name: string, added = 1) => removals.change(added, async () => void done.push(`+${name}`)),
    remove: (name: string) => removals.remove(async () => void done.push(`-${name}`)),
    failToPut: () =>
      removals.change(1, async () => {
        throw new Error('full');
      }),
    fail: () =>
      removals.remove(async () => {
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
    [3000, 1, 1000],
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

test('where a proxy reads, they go one by one, and each waits for the reading of the one before', async () => {
  const { put, remove, read, step, done } = makeStand();
  read();
  await put('a');
  await put('b');
  read();
  const all = [remove('a'), remove('b'), put('c')];
  const steps = async (count: number) => {
    for (let turn = 0; turn < count; turn += 1) await step();
  };
  await steps(20);
  assert.deepEqual(done, ['+a', '+b', '-a']);
  await steps(20);
  assert.deepEqual(done, ['+a', '+b', '-a']);
  read();
  await steps(120);
  await Promise.all(all);
  assert.deepEqual(done, ['+a', '+b', '-a', '-b', '+c']);
});

test('choice/gateway/118: where they would go one by one for longer than five seconds, the rest go together', async () => {
  const { put, remove, read, step, waits, done } = makeStand();
  read();
  await put('a');
  const all = Array.from({ length: 30 }, (_, number) => remove(`${number}`));
  // A proxy that begins to read a quarter of a second after each change.
  for (let turn = 0; done.length < 31 && turn < 3000; turn += 1) {
    if (turn % 50 === 49) read();
    await step();
  }
  await Promise.all(all);
  const took = waits.reduce((sum, ms) => sum + ms, 0);
  assert.ok(took > 5000 && took < 6000, `${took} ms`);
});

test('a change waits for the removals before it, and no longer for those that come meanwhile', async () => {
  const { put, remove, step, done } = makeStand();
  await put('a');
  const all = [remove('a'), put('b'), remove('b'), remove('c'), put('d')];
  for (let turn = 0; turn < 10; turn += 1) await step();
  await Promise.all(all);
  assert.deepEqual(done, ['+a', '-a', '+b', '-b', '-c', '+d']);
});

test('a removal is a change, too: the next one waits for its reading', async () => {
  const { put, remove, step, pass, waits } = makeStand();
  await put('a');
  await put('b');
  pass(100);
  await remove('a');
  const removed = remove('b');
  await step();
  await step();
  await removed;
  assert.deepEqual(waits, [20.5]);
});

test('a change that fails fails its caller and nobody else', async () => {
  const { put, remove, failToPut, pass, done } = makeStand();
  await assert.rejects(failToPut(), /full/);
  await put('a');
  pass(100);
  await remove('a');
  assert.deepEqual(done, ['+a', '-a']);
});

test('a proxy that was seen reading is waited for until it began, and then until it is done', async () => {
  const { put, remove, read, pass, step, done } = makeStand(9);
  await put('a');
  pass(100);
  read();
  await put('b');
  pass(300);
  const removed = remove('a');
  for (let turn = 0; turn < 8; turn += 1) await step();
  assert.deepEqual(done, ['+a', '+b'], 'it has not begun to read b');
  read();
  // It is seen after 45 ms, so a next one could take as long to begin; and 11 files take 5.5 ms.
  for (let turn = 0; turn < 11; turn += 1) await step();
  assert.deepEqual(done, ['+a', '+b'], 'it is not done');
  await step();
  assert.deepEqual(done, ['+a', '+b', '-a']);
  await removed;
  assert.deepEqual(done, ['+a', '+b', '-a']);
});

for (const [what, proxy, ms] of [
  ['a proxy of which a new life does not know is waited for 150 ms, once', 'unknown', 150],
  ['a proxy that went away is waited for a second, once', 'seen', 1000],
] as const) {
  test(what, async () => {
    const { put, remove, step, endWait, done, waits } = makeStand(0, 0, proxy);
    await put('a');
    await put('b');
    const first = remove('a');
    const looks = ms / 5;
    for (let turn = 0; turn < looks - 1; turn += 1) await step();
    assert.deepEqual(done, ['+a', '+b']);
    await step();
    await first;
    waits.length = 0;
    const second = remove('b');
    endWait();
    await second;
    assert.deepEqual([done, waits], [['+a', '+b', '-a', '-b'], [20.5]]);
  });
}

test('a proxy that begins in that time is one that is known from then on', async () => {
  const { put, remove, read, step, done } = makeStand(0, 0, 'unknown');
  await put('a');
  await put('b');
  const first = remove('a');
  for (let turn = 0; turn < 10; turn += 1) await step();
  read();
  for (let turn = 0; turn < 20; turn += 1) await step();
  await first;
  const second = remove('b');
  for (let turn = 0; turn < 100; turn += 1) await step();
  assert.deepEqual(done, ['+a', '+b', '-a'], 'it is waited for');
  read();
  for (let turn = 0; turn < 200; turn += 1) await step();
  await second;
});

test('each reading that begins meanwhile is waited for', async () => {
  const { put, remove, read, step, done } = makeStand();
  read();
  await put('a');
  const removed = remove('a');
  for (let turn = 0; turn < 20; turn += 1) {
    if (turn % 3 === 0) read();
    await step();
  }
  assert.deepEqual(done, ['+a']);
  for (let turn = 0; turn < 6; turn += 1) await step();
  assert.deepEqual(done, ['+a', '-a']);
  await removed;
});
