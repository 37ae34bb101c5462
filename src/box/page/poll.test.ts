import { deepEqual, equal } from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { pauseMs, startPolling } from './poll.js';

/** Polls that a test answers, and a page that a test hides. */
function polled(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const looks: ((isAnswered: boolean) => void)[] = [];
  const page = { isVisible: true };
  const lookNow = startPolling(
    () => new Promise((resolve) => looks.push(resolve)),
    () => page.isVisible,
  );
  const answer = async (isAnswered: boolean) => {
    looks.at(-1)?.(isAnswered);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { looks, page, lookNow, answer, pass: (ms: number) => t.mock.timers.tick(ms) };
}

test('looks once a second, and never twice at a time', async (t) => {
  const { looks, lookNow, answer, pass } = polled(t);
  pass(10_000);
  lookNow();
  equal(looks.length, 1);
  await answer(true);
  pass(999);
  equal(looks.length, 1);
  pass(1);
  equal(looks.length, 2);
});

test('does not look while the page is hidden, and looks at once when it is visible again', async (t) => {
  const { looks, page, lookNow, answer, pass } = polled(t);
  page.isVisible = false;
  await answer(true);
  pass(60_000);
  equal(looks.length, 1);
  page.isVisible = true;
  lookNow();
  equal(looks.length, 2);
  await answer(true);
  pass(1000);
  equal(looks.length, 3);
});

test('looks less often where the box does not answer, or takes long', async (t) => {
  deepEqual(
    [0, 1, 2, 3, 4, 9].map((failures) => pauseMs(failures, 3)),
    [1000, 1000, 2000, 4000, 5000, 5000],
  );
  deepEqual([pauseMs(0, 500), pauseMs(0, 8000)], [2000, 5000]);
  const { looks, answer, pass } = polled(t);
  await answer(false);
  pass(1000);
  await answer(false);
  pass(1999);
  equal(looks.length, 2);
  pass(1);
  await answer(true);
  pass(1000);
  equal(looks.length, 4);
});
