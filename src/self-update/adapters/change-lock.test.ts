import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { acquireLock } from '../../lib/process/lock.ts';
import { temporaryFolder } from '../../lib/testing/temporary-folder.ts';
import { makeChangeLock, noChanges } from './change-lock.ts';

const folder = temporaryFolder();

test('choice/box/365: an update waits for the change that is in progress', async () => {
  const change = await acquireLock(join(folder, 'change.lock'), { wait: false });
  assert.equal(await makeChangeLock(folder).lock(0), null);
  const waiting = makeChangeLock(folder).lock(60);
  change?.release();
  const lock = await waiting;
  assert.ok(lock !== null);
  lock.release();
});

test('a lock that cannot be taken fails in words', async () => {
  await assert.rejects(makeChangeLock(join(folder, 'gone')).lock(1), {
    name: 'StorageFailed',
    message: /^cannot wait for the change of an app: /,
  });
});

test('a program without changes has nothing to wait for', async () => {
  (await noChanges.lock(1))?.release();
});
