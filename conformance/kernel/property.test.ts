import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CheckFailed } from './expect.ts';
import type { Journal, JournalEntry } from './journal.ts';
import { commandSeries, holdsForAll, runSeries } from './property.ts';

const step = (description: string): JournalEntry => ({ by: 'hand', description });

async function failureOf(run: () => Promise<void>): Promise<CheckFailed> {
  try {
    await run();
  } catch (error) {
    assert.ok(error instanceof CheckFailed, String(error));
    return error;
  }
  throw new Error('the property is true');
}

/** Tries random numbers. Those above 41 fail. The journal has an entry for each. */
const tryNumbers = (seed: number, journal: Journal) =>
  failureOf(() =>
    holdsForAll({ seed, journal }, 'numbers are small', fc.nat(1000), 50, async (value) => {
      journal.push(step(`tried ${value}`));
      if (value > 41) throw new CheckFailed('too large', 41, value);
    }),
  );

test('names the smallest failing value, and the seed and path that reproduce it', async () => {
  const { message, expected, actual } = await tryNumbers(7, []);
  assert.match(message, /^numbers are small: too large\nfor \[42\] \(seed 7, path [\d:]+, after \d+ shrinks\)$/);
  assert.deepEqual([expected, actual], [41, 42]);
});

test('keeps the journal of the smallest case and of the steps before the first case', async () => {
  const { shortest } = await tryNumbers(7, [step('made ready')]);
  assert.deepEqual(shortest, [step('made ready'), step('tried 42')]);
});

test('fails the same way with the same seed', async () => {
  const [first, second, other] = [await tryNumbers(7, []), await tryNumbers(7, []), await tryNumbers(8, [])];
  assert.equal(first.message, second.message);
  assert.notEqual(first.message, other.message);
});

test('rethrows errors of the suite unchanged', async () => {
  const broken = holdsForAll({ seed: 1, journal: [] }, 'x', fc.nat(), 5, async () => {
    throw new TypeError('a fault of the suite');
  });
  await assert.rejects(broken, TypeError);
});

test('shrinks a series to the necessary commands', async () => {
  type Shelf = { cups: number };
  const series = commandSeries<string, Shelf>(
    fc.constantFrom('add', 'take', 'look'),
    30,
    (shelf, one) => one !== 'take' || shelf.cups > 0,
    async (shelf, one) => {
      shelf.cups += { add: 1, take: -1, look: 0 }[one] ?? 0;
      if (shelf.cups === 3) throw new CheckFailed('the shelf breaks');
    },
  );
  const { message } = await failureOf(() =>
    holdsForAll({ seed: 3, journal: [] }, 'cups', series, 100, (one) => runSeries({ cups: 0 }, one)),
  );
  assert.match(message, /for \["add","add","add"\] \(seed 3/);
});
