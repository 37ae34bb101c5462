import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs, { readFileSync, statSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { temporaryFolder } from '../../lib/testing/temporary-folder.ts';
import { TooManyChanges } from '../ports.ts';
import { makeChanges } from './changes.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

type TestedChanges = ReturnType<typeof makeChanges>;
const lockFile = () => join(folder, 'change.lock');
const noChange = async () => undefined;

/** Runs a change whose command inherits the lock, like one that changes a container. */
const changeContainers = ({ run, lend }: TestedChanges) => run(() => lend(noChange));

/**
 * Runs a change that needs a listing. Returns the number of listings that began, and the number of the listing that
 * the change received.
 */
async function list({ runPrepared }: TestedChanges, meanwhile = noChange) {
  let begun = 0;
  const given = await runPrepared(
    async () => {
      begun += 1;
      return begun;
    },
    async (prepared) => {
      await meanwhile();
      return prepared;
    },
  );
  return { begun, given };
}

/** Like `list`, while another program holds the lock until the first listing has begun. */
async function listWhileHeld(changes: TestedChanges) {
  const holder = spawn('flock', [lockFile(), 'sh', '-c', 'echo held; exec cat'], { stdio: ['pipe', 'pipe', 'ignore'] });
  await once(holder.stdout, 'data');
  const listing = list(changes);
  try {
    const giveUpAt = Date.now() + 60_000;
    while (!isWaiting()) {
      assert.ok(Date.now() < giveUpAt, 'nobody waited for the lock in a minute');
      await pause(5);
    }
  } finally {
    holder.stdin.end();
  }
  return listing;
}

/** Whether a program that we started is waiting for the lock. */
function isWaiting(): boolean {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ');
  return children.some((pid) => {
    const words = commandLine(pid).split('\0');
    return words[0] === 'flock' && words.at(-2) === '3' && !words.includes('--nonblock');
  });
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return ''; // The process ended meanwhile or never existed.
  }
}

test('choice/box/161: a hundred changes may wait, and one more is not taken', async () => {
  const changes = makeChanges(folder);
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const taken = Array.from({ length: 100 }, (_, n) =>
    changes.run(async () => {
      await gate;
      return n;
    }),
  );
  await assert.rejects(
    changes.run(async () => 'one more'),
    TooManyChanges,
  );
  open();
  assert.deepEqual(await Promise.all(taken), [...taken.keys()]);
  assert.equal(await changes.run(async () => 'later'), 'later');
});

test('a listing is begun once while no other process changes anything', async () => {
  const changes = makeChanges(folder);
  assert.deepEqual(await list(changes), { begun: 1, given: 1 });
  await changeContainers(changes);
  assert.deepEqual(await list(changes), { begun: 1, given: 1 });
});

test('a listing is begun while the previous change releases the lock, and again if it had to wait', async () => {
  const changes = makeChanges(folder);
  await changeContainers(changes);
  assert.deepEqual(await listWhileHeld(changes), { begun: 2, given: 2 });
});

test('a listing waits for the lock before this process has changed a container', async () => {
  const changes = makeChanges(folder);
  await list(changes);
  assert.deepEqual(await listWhileHeld(changes), { begun: 1, given: 1 });
});

test('a listing is begun again after another process changed a container, and then waits for the lock', async () => {
  const [changes, others] = [makeChanges(folder), makeChanges(folder)];
  await changeContainers(changes);
  await changeContainers(others);
  assert.deepEqual(await list(changes), { begun: 2, given: 2 });
  assert.deepEqual(await listWhileHeld(changes), { begun: 1, given: 1 });
  await changeContainers(changes);
  assert.deepEqual(await listWhileHeld(changes), { begun: 2, given: 2 });
});

test('a change of another process that touches no container costs no second listing', async () => {
  const [changes, others] = [makeChanges(folder), makeChanges(folder)];
  await changeContainers(changes);
  await others.run(noChange);
  assert.deepEqual(await list(changes), { begun: 1, given: 1 });
});

test('a listing waits for the lock after a failed command, which may have left something running', async () => {
  const changes = makeChanges(folder);
  const failing = () => changes.lend(() => Promise.reject(new Error('took too long')));
  await changeContainers(changes);
  await assert.rejects(changes.run(failing), /took too long/);
  assert.deepEqual(await listWhileHeld(changes), { begun: 1, given: 1 });
  assert.deepEqual(await listWhileHeld(changes), { begun: 2, given: 2 });
});

test('a failed listing harms only the change that needs it', async () => {
  const changes = makeChanges(folder);
  const failing = () => Promise.reject(new Error('the engine is gone'));
  for (const before of [noChange, () => changeContainers(changes)]) {
    await before();
    assert.equal(await changes.runPrepared(failing, async () => 'refused'), 'refused');
    await assert.rejects(
      changes.runPrepared(failing, async (prepared) => prepared),
      /the engine is gone/,
    );
  }
});

test('a change that touches no container writes nothing into the lock', async () => {
  const changes = makeChanges(folder);
  await list(changes);
  assert.equal(readFileSync(lockFile(), 'utf8'), '');
  await changeContainers(changes);
  const before = statSync(lockFile(), { bigint: true });
  await list(changes);
  await changeContainers(changes);
  const after = statSync(lockFile(), { bigint: true });
  assert.deepEqual([after.ino, after.mtimeNs], [before.ino, before.mtimeNs]);
});

test('a full disk lets the change happen, and no process takes the lock for its own', async (context) => {
  const [changes, others] = [makeChanges(folder), makeChanges(folder)];
  await changeContainers(others);
  const full = context.mock.method(fs, 'writeSync', () => {
    throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
  });
  syncBuiltinESMExports();
  await changeContainers(changes).finally(() => {
    full.mock.restore();
    syncBuiltinESMExports();
  });
  assert.equal(full.mock.callCount(), 1);
  assert.equal(readFileSync(lockFile(), 'utf8'), '');
  assert.deepEqual(await list(others), { begun: 2, given: 2 });
  assert.deepEqual(await listWhileHeld(changes), { begun: 1, given: 1 });
});
