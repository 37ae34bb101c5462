import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeRegistrationGuard } from './registration-guard.ts';

const times = (count: number, act: () => number) => Array.from({ length: count }, act);

test('choice/gateway/36: delays answers after ten failures a minute, up to a second', () => {
  const guard = makeRegistrationGuard();
  assert.deepEqual(new Set(times(10, () => guard.failed('a', 1000))), new Set([0]));
  const further = times(12, () => guard.failed('a', 1001));
  assert.deepEqual(further, [100, 200, 300, 400, 500, 600, 700, 800, 900, 1000, 1000, 1000]);
});

test('a new minute begins with the first failure after the old one', () => {
  const guard = makeRegistrationGuard();
  times(11, () => guard.failed('a', 0));
  assert.equal(guard.failed('a', 59_999), 200);
  assert.equal(guard.failed('a', 60_000), 0);
  assert.deepEqual(new Set(times(9, () => guard.failed('a', 60_001))), new Set([0]));
  assert.equal(guard.failed('a', 60_002), 100);
});

test('a clock that was set back begins a new minute', () => {
  const guard = makeRegistrationGuard();
  times(20, () => guard.failed('a', 3_600_000));
  assert.equal(guard.failed('a', 0), 0);
});

test('one address does not slow down another', () => {
  const guard = makeRegistrationGuard();
  times(20, () => guard.failed('a', 0));
  assert.equal(guard.failed('b', 0), 0);
});

test('bounds the number of addresses, and drops the oldest', () => {
  const guard = makeRegistrationGuard(2);
  times(20, () => guard.failed('a', 0));
  times(20, () => guard.failed('b', 1));
  assert.equal(guard.failed('c', 2), 0); // a is forgotten
  assert.equal(guard.failed('b', 3), 1000);
  assert.equal(guard.failed('a', 3), 0); // b is forgotten
  assert.equal(guard.failed('b', 4), 0);
});

test('an address that begins a new minute is the newest', () => {
  const guard = makeRegistrationGuard(2);
  guard.failed('a', 0);
  guard.failed('b', 1);
  times(11, () => guard.failed('a', 60_000));
  guard.failed('c', 60_001); // b is forgotten, not a
  assert.equal(guard.failed('a', 60_002), 200);
});
