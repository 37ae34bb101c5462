import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { TooManyChanges } from '../ports.ts';
import { makeChanges } from './changes.ts';

const folder = mkdtempSync(join(tmpdir(), 'boxgate-changes-'));
after(() => rmSync(folder, { recursive: true }));

test('choice/box/161: a hundred changes may wait, and one more is not taken', async () => {
  const changes = makeChanges(folder);
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const taken = Array.from({ length: 100 }, (_, n) =>
    changes.run(async () => {
      await gate;
      return n;
    }),
  );
  await assert.rejects(
    changes.run(async () => 'one more'),
    TooManyChanges,
  );
  open();
  assert.deepEqual(await Promise.all(taken), [...taken.keys()]);
  assert.equal(await changes.run(async () => 'later'), 'later');
});

/** What a change was given that was prepared while its turn was taken, and how often that was begun. */
async function prepared(changes: ReturnType<typeof makeChanges>, meanwhile = () => {}) {
  let begun = 0;
  const given = await changes.runPrepared(
    async () => {
      begun += 1;
      if (begun === 1) meanwhile();
      return begun;
    },
    async (promise) => promise,
  );
  return { begun, given };
}

test('what a change looks up is looked up once when nobody changes anything', async () => {
  const changes = makeChanges(folder);
  await changes.run(async () => 'an end is marked');
  assert.deepEqual(await prepared(changes), { begun: 1, given: 1 });
  assert.deepEqual(await prepared(changes), { begun: 1, given: 1 });
});

test('what a change looks up is looked up in its turn when another change ended since', async () => {
  const changes = makeChanges(folder);
  await changes.run(async () => 'an end is marked');
  const other = () => writeFileSync(join(folder, 'change.lock'), 'idle since the change of another process');
  assert.deepEqual(await prepared(changes, other), { begun: 2, given: 2 });
});

test('nothing is looked up early while a change is under way, or after one that was killed', async () => {
  const one = makeChanges(folder);
  const other = makeChanges(folder);
  const { promise: gate, resolve: end } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const running = one.run(async () => {
    begin();
    await gate;
  });
  await begun;
  let isOver = false;
  const waiting = other.runPrepared(
    async () => isOver,
    async (seen) => seen,
  );
  await new Promise((resolve) => setImmediate(resolve));
  isOver = true;
  end();
  await running;
  assert.equal(await waiting, true);
  writeFileSync(join(folder, 'change.lock'), 'busy');
  assert.deepEqual(await prepared(other), { begun: 1, given: 1 });
});

test('a look that fails before its turn and is not needed hurts nobody', async () => {
  const changes = makeChanges(folder);
  await changes.run(async () => 'an end is marked');
  const failing = () => Promise.reject(new Error('the engine is gone'));
  assert.equal(await changes.runPrepared(failing, async () => 'refused'), 'refused');
  await assert.rejects(
    changes.runPrepared(failing, async (seen) => seen),
    /the engine is gone/,
  );
});
