import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../kernel/check.ts';
import { until } from '../kernel/observe.ts';
import { good, must, outcomes } from '../testing/run-checks.ts';

test('a check that was only too slow is repeated alone with more patience', async () => {
  let attempts = 0;
  const slow = check('box/test/slow', must, 'is slow once', async () => {
    attempts += 1;
    await until('it is ready', () => attempts > 1, 50);
  });
  assert.deepEqual(await outcomes([slow, good]), [0, 'passed-late', 'pass']);
  assert.equal(attempts, 2);
  attempts = 0;
  assert.deepEqual(await outcomes([slow, good], { noLate: true }), [1, 'passed-late', 'pass']);
});

test('the repetitions end after three checks that hang', async () => {
  let attempts = 0;
  const hanging = [1, 2, 3, 4, 5].map((index) =>
    check(`box/test/hangs-${index}`, must, 'hangs', async () => {
      attempts += 1;
      await until('it is ready', () => false, 20);
    }),
  );
  assert.deepEqual(await outcomes(hanging), [1, 'fail', 'fail', 'fail', 'fail', 'fail']);
  assert.equal(attempts, 8);
});

test('checks that hang do not keep those of a higher level from a repetition', async () => {
  let attempts = 0;
  const hanging = [1, 2, 3].map((index) =>
    check(`box/test/hangs-${index}`, ['should/box/503'], 'hangs', () => until('it is ready', () => false, 20)),
  );
  const slow = check('box/test/slow', must, 'is slow once', async () => {
    attempts += 1;
    await until('it is ready', () => attempts > 1, 50);
  });
  assert.deepEqual(await outcomes([...hanging, slow]), [0, 'fail', 'fail', 'fail', 'passed-late']);
});
