import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import { makeThrottle, type Throttle } from './throttle.ts';

let handedOn: string[] = [];
let throttle: Throttle<string>;
beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ['setTimeout'] });
  handedOn = [];
  throttle = makeThrottle(100, (value) => handedOn.push(value));
});

test('passes the first value at once, then the latest', () => {
  for (const value of ['a', 'b', 'c']) throttle.push(value);
  assert.deepEqual(handedOn, ['a']);
  mock.timers.tick(99);
  assert.deepEqual(handedOn, ['a']);
  mock.timers.tick(1);
  assert.deepEqual(handedOn, ['a', 'c']);
});

test('starts an interval with each passed value', () => {
  throttle.push('a');
  throttle.push('b');
  mock.timers.tick(100);
  throttle.push('c');
  assert.deepEqual(handedOn, ['a', 'b']);
  mock.timers.tick(100);
  assert.deepEqual(handedOn, ['a', 'b', 'c']);
  mock.timers.tick(100);
  throttle.push('d');
  assert.deepEqual(handedOn, ['a', 'b', 'c', 'd']);
});

test('is empty when no value waits, or when closed', async () => {
  throttle.push('a');
  await throttle.empty();
  throttle.push('b');
  const empty = throttle.empty();
  mock.timers.tick(100);
  await empty;
  throttle.push('c');
  const closed = throttle.empty();
  throttle.close();
  await closed;
  assert.deepEqual(handedOn, ['a', 'b']);
});
