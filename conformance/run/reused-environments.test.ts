import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { BoxContext } from '../checks/box/context.ts';
import { type Check, check, inReusedEnvironments } from '../kernel/check.ts';
import type { CheckContext } from '../kernel/context.ts';
import { equal } from '../kernel/expect.ts';
import { runConformance } from '../main.ts';
import type { CheckRun } from './check-run.ts';
import { makeReusedEnvironments } from './reused-environments.ts';

const server = join(import.meta.dirname, '..', 'testing', 'canned-box.ts');
const exec = `'${process.execPath}' --no-warnings '${server}'`;

/** Runs checks one by one in this order. Each may reuse an environment. */
async function run(...works: ((box: BoxContext) => Promise<void>)[]): Promise<0 | 1 | 2> {
  const checks = works.map((work, index) =>
    // Checks with a longer time limit run first, whatever the seed is.
    check(`box/test/${index}`, ['box/listApps/1'], 'is a test', work, { timeoutMs: 9e5 - index }),
  );
  const given = inReusedEnvironments(checks) as readonly Check<never>[];
  return runConformance({ api: 'box', exec, checks: given, jobs: 1, write: () => {} });
}

/** Sends a request and returns the process id of the implementation. */
async function pidAfterRequest(box: BoxContext): Promise<number> {
  await box.get('/api/apps');
  return box.subject().pid;
}

const isGone = (pid: number | undefined) => {
  assert.ok(pid);
  assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
};

test('gives the reset environment of one check to the next, and removes all at the end', async () => {
  const pids: number[] = [];
  const note = async (box: BoxContext) => void pids.push(await pidAfterRequest(box));
  const prepares = async (box: BoxContext) => {
    box.environment.bundle({ name: 'reef', manifest: {} });
    await box.environment.docker.pull('registry.example/reef:1');
    box.environment.setTool('docker', false);
    await note(box);
  };
  const finds = async (box: BoxContext) => {
    equal('the engine', await box.environment.docker.imageId('registry.example/reef:1'), null);
    box.environment.bundle({ name: 'reef', manifest: {} });
    await note(box);
  };
  assert.equal(await run(prepares, finds, note), 0);
  assert.deepEqual(
    pids.map((pid) => pid === pids[0]),
    [true, true, true],
  );
  isGone(pids[0]);
});

test('does not reuse an environment that cannot be reset', async () => {
  const pids: number[] = [];
  const note = async (box: BoxContext) => void pids.push(await pidAfterRequest(box));
  const installs = async (box: BoxContext) => {
    // The canned box removes nothing.
    box.environment.placeInstalled({ name: 'reef', manifest: {} });
    await note(box);
  };
  assert.equal(await run(installs, note), 0);
  assert.notEqual(pids[0], pids[1]);
  for (const pid of pids) isGone(pid);
});

test('reuses the environment of a check that kills and starts the implementation again', async () => {
  const pids: number[] = [];
  const note = async (box: BoxContext) => void pids.push(await pidAfterRequest(box));
  const startsAgain = async (box: BoxContext) => {
    await box.kill();
    await box.start();
    isGone(pids[0]);
    await note(box);
  };
  assert.equal(await run(note, startsAgain, note), 0);
  assert.notEqual(pids[0], pids[1]);
  assert.equal(pids[1], pids[2]);
  isGone(pids[2]);
});

test('does not reuse the environment of a check that chooses a start or ends the implementation', async () => {
  const pids: number[] = [];
  const note = async (box: BoxContext) => void pids.push(await pidAfterRequest(box));
  const starts = async (box: BoxContext) => {
    await box.start({ env: { BOX_KEEP_REMOVED_DAYS: '3' } });
    isGone(pids[0]);
    await note(box);
  };
  const ends = async (box: BoxContext) => {
    await note(box);
    await box.stop();
  };
  assert.equal(await run(note, starts, ends, note), 0);
  assert.equal(new Set(pids).size, 4);
  for (const pid of pids) isGone(pid);
});

test('ends every process that a check started in a reused environment', async () => {
  const pids: number[] = [];
  const note = async (box: BoxContext) => void pids.push(await pidAfterRequest(box));
  const starts = async (box: BoxContext) => {
    pids.push((await box.startBeside()).pid);
    await box.start();
    await note(box);
  };
  assert.equal(await run(note, starts), 0);
  assert.equal(new Set(pids).size, 3);
  for (const pid of pids) isGone(pid);
});

test('does not reuse an environment whose reset takes too long', async () => {
  const endless = makeReusedEnvironments<CheckContext>({ reset: () => new Promise(() => {}) }, 5);
  const one = check<CheckContext>('box/test/one', [], 'is a test', async () => {}, { mayReuse: true });
  const run = {
    plainSubject: () => ({ pid: 1 }),
    context: {},
  } as unknown as CheckRun<CheckContext>;
  // A timer keeps the process alive, because the pending promises do not.
  const alive = setInterval(() => {}, 1000);
  assert.equal(await endless.offer(one, run, {} as CheckContext['environment']), false);
  clearInterval(alive);
  assert.equal(endless.take(one), null);
});

test('runs a check that fails in a reused environment again in a new one', async () => {
  const pids: number[] = [];
  const fails = (times: number) => async (box: BoxContext) => {
    pids.push(await pidAfterRequest(box));
    equal('the answer', pids.length > times, true);
  };
  assert.equal(await run(fails(0), fails(2)), 0);
  assert.deepEqual([pids.length, new Set(pids).size], [3, 2]);
  pids.length = 0;
  assert.equal(await run(fails(0), fails(3)), 1);
  for (const pid of pids) isGone(pid);
});

test('a check with a shared fixture gets no reused environment', async () => {
  const [one] = inReusedEnvironments([
    check('box/test/shares', [], 'shares', async () => {}, { shared: { name: 'x', prepare: () => {} } }),
  ]);
  assert.equal(one?.options.mayReuse, undefined);
});
