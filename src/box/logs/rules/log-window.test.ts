import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeLogWindow } from './log-window.ts';

const line = (source: string, text: string, sortedBy = text) => ({ source, line: text, isCut: false, sortedBy });

test('has the lines of all containers by their times, of each the latest of its past', () => {
  const window = makeLogWindow(3);
  for (const text of ['1', '3', '5', '7', '7']) window.add(line('web', text));
  for (const text of ['2', '6']) window.add(line('db', text));
  const texts = window.take().lines.map(({ line: text }) => text);
  assert.deepEqual(texts, ['6', '7', '7']);
});

test('keeps at most 1 MiB of the past of a container', () => {
  const window = makeLogWindow(1000);
  for (let count = 0; count < 200; count += 1) window.add(line('web', 'x'.repeat(10_000)));
  assert.equal(window.take().lines.length, 104);
});

test('later keeps the first 250 lines and 128 KiB of each part, and the past of a new container', () => {
  const window = makeLogWindow(1000);
  window.add(line('web', 'past'));
  window.leaveOut();
  assert.equal(window.take().leftOut, 1);
  for (let count = 0; count < 250; count += 1) {
    assert.ok(window.hasRoom('web', 10));
    window.add(line('web', 'later'));
  }
  assert.equal(window.hasRoom('web', 10), false);
  assert.ok(window.hasRoom('new', 10));
  assert.deepEqual([window.take().lines.length, window.take().leftOut], [250, 0]);
  window.add(line('web', 'x'.repeat(128 * 1024)));
  assert.equal(window.hasRoom('web', 1), false);
});
