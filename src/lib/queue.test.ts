import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeQueue, QueueFull } from './queue.ts';

test('runs jobs one at a time, first come first served', async () => {
  const queue = makeQueue();
  const log: string[] = [];
  const job = (name: string) => async () => {
    log.push(`${name} starts`);
    await new Promise(setImmediate);
    log.push(`${name} ends`);
    return name;
  };
  const answers = await Promise.all([queue(job('a')), queue(job('b')), queue(job('c'))]);
  assert.deepEqual(answers, ['a', 'b', 'c']);
  assert.deepEqual(log, ['a starts', 'a ends', 'b starts', 'b ends', 'c starts', 'c ends']);
});

test("gives a failure to the job's caller and goes on with the next job", async () => {
  const queue = makeQueue();
  const failing = queue(async () => {
    throw new Error('no');
  });
  const next = queue(async () => 'yes');
  await assert.rejects(failing, /^Error: no$/);
  assert.equal(await next, 'yes');
});

test('treats a job that throws before its first await like any other failure', async () => {
  const queue = makeQueue();
  await assert.rejects(
    queue(() => {
      throw new Error('at once');
    }),
    /at once/,
  );
  assert.equal(await queue(async () => 1), 1);
});

test('takes no more jobs than its limit, and takes some again when one has ended', async () => {
  const queue = makeQueue(2);
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const first = queue(() => gate);
  const second = queue(async () => 'second');
  await assert.rejects(
    queue(async () => 'third'),
    QueueFull,
  );
  open();
  await first;
  assert.equal(await second, 'second');
  assert.equal(await queue(async () => 'fourth'), 'fourth');
});
