import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeClock, makeRandom, makeResource } from './events.ts';

test('events happen in the order of their times, and those of one time in the order in which they were asked for', () => {
  const clock = makeClock();
  const random = makeRandom(7);
  const seen: [number, number][] = [];
  for (let n = 0; n < 2000; n += 1) {
    const at = Math.floor(random() * 500);
    clock.after(at, () => seen.push([at, n]));
  }
  clock.runUntil(1000);
  const sorted = [...seen].sort(([a, n], [b, m]) => a - b || n - m);
  assert.equal(seen.length, 2000);
  assert.deepEqual(seen, sorted);
});

test('what is later than the end does not happen yet', () => {
  const clock = makeClock();
  const seen: number[] = [];
  clock.after(10, () => clock.after(10, () => seen.push(clock.now)));
  clock.runUntil(19);
  assert.deepEqual([seen, clock.now], [[], 19]);
  clock.runUntil(20);
  assert.deepEqual(seen, [20]);
});

test('a resource serves as many at once as it has, in their order, and knows how busy it was', () => {
  const clock = makeClock();
  const resource = makeResource(clock, 2);
  const ends: [string, number][] = [];
  for (const name of ['a', 'b', 'c', 'd']) resource.use(10, () => ends.push([name, clock.now]));
  clock.runUntil(40);
  assert.deepEqual(ends, [
    ['a', 10],
    ['b', 10],
    ['c', 20],
    ['d', 20],
  ]);
  assert.equal(resource.utilisation(), 0.5);
  resource.reset();
  clock.runUntil(50);
  assert.equal(resource.utilisation(), 0);
});

test('the same seed gives the same numbers, spread evenly', () => {
  const [one, same, other] = [makeRandom(1), makeRandom(1), makeRandom(2)];
  const numbers = Array.from({ length: 10_000 }, one);
  assert.deepEqual(numbers.slice(0, 5), Array.from({ length: 5 }, same));
  assert.notEqual(numbers[0], other());
  const mean = numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
  assert.ok(Math.abs(mean - 0.5) < 0.02, `${mean}`);
});
