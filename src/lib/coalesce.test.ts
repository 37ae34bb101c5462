import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coalesce } from './coalesce.ts';

/** Work whose end the test controls. */
function gatedWork() {
  const ends: { resolve(): void; reject(error: Error): void }[] = [];
  const work = () => new Promise<void>((resolve, reject) => ends.push({ resolve, reject }));
  return { ends, work };
}

const turns = async () => {
  for (let i = 0; i < 10; i += 1) await undefined;
};

test('a call runs the work', async () => {
  const { ends, work } = gatedWork();
  const run = coalesce(work);
  const first = run();
  ends[0]?.resolve();
  await first;
  const second = run();
  assert.equal(ends.length, 2);
  ends[1]?.resolve();
  await second;
});

test('calls during a run share one that begins after it', async () => {
  const { ends, work } = gatedWork();
  const run = coalesce(work);
  const first = run();
  let isOver = false;
  const others = [run(), run(), run()];
  for (const one of others) one.then(() => (isOver = true));
  ends[0]?.resolve();
  await first;
  await turns();
  assert.deepEqual([ends.length, isOver], [2, false]);
  const later = run();
  ends[1]?.resolve();
  await Promise.all(others);
  await turns();
  assert.equal(ends.length, 3);
  ends[2]?.resolve();
  await later;
});

test('a failed run rejects only the calls that waited for it', async () => {
  const { ends, work } = gatedWork();
  const run = coalesce(work);
  const first = run();
  const second = run();
  ends[0]?.reject(new Error('first'));
  await assert.rejects(first, /first/);
  await turns();
  ends[1]?.resolve();
  await second;
});
