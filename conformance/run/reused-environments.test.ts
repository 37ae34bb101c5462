import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Box } from '../checks/box/context.ts';
import { type Check, check, inUsedWorlds } from '../kernel/check.ts';
import { equal } from '../kernel/expect.ts';
import { runConformance } from '../main.ts';
import type { Held, Trial } from './check-run.ts';
import { makeUsedWorlds } from './reused-environments.ts';

const server = join(import.meta.dirname, '..', 'testing', 'canned-box.ts');
const exec = `'${process.execPath}' --no-warnings '${server}'`;

/** Runs checks one after the other, each of which may be given a used world, in the order of the list. */
async function run(...works: ((box: Box) => Promise<void>)[]): Promise<0 | 1 | 2> {
  const checks = works.map((work, index) =>
    // Those that may take longer come first, whatever the seed.
    check(`box/test/${index}`, ['box/listApps/1'], 'is a test', work, { timeoutMs: 9e5 - index }),
  );
  const given = inUsedWorlds(checks) as readonly Check<never>[];
  return runConformance({ api: 'box', exec, checks: given, jobs: 1, write: () => {} });
}

/** The process that answers. */
async function asks(box: Box): Promise<number> {
  await box.get('/api/apps');
  return box.subject().pid;
}

const isGone = (pid: number | undefined) => {
  assert.ok(pid);
  assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
};

test('a check is given the world of another that left it tidy, and in the end all are gone', async () => {
  const pids: number[] = [];
  const note = async (box: Box) => void pids.push(await asks(box));
  const furnishes = async (box: Box) => {
    box.world.bundle({ name: 'reef', manifest: {} });
    await box.world.docker.pull('registry.example/reef:1');
    box.world.setTool('docker', false);
    await note(box);
  };
  const finds = async (box: Box) => {
    equal('the engine', await box.world.docker.imageId('registry.example/reef:1'), null);
    box.world.bundle({ name: 'reef', manifest: {} });
    await note(box);
  };
  assert.equal(await run(furnishes, finds, note), 0);
  assert.deepEqual(
    pids.map((pid) => pid === pids[0]),
    [true, true, true],
  );
  isGone(pids[0]);
});

test('a world in which something stays is given to nobody', async () => {
  const pids: number[] = [];
  const note = async (box: Box) => void pids.push(await asks(box));
  const installs = async (box: Box) => {
    // This server removes nothing.
    box.world.placeInstalled({ name: 'reef', manifest: {} });
    await note(box);
  };
  assert.equal(await run(installs, note), 0);
  assert.notEqual(pids[0], pids[1]);
  for (const pid of pids) isGone(pid);
});

test('a check that starts or ends the implementation has one of its own, and hands it on to nobody', async () => {
  const pids: number[] = [];
  const note = async (box: Box) => void pids.push(await asks(box));
  const starts = async (box: Box) => {
    await box.start();
    isGone(pids[0]);
    await note(box);
  };
  const ends = async (box: Box) => {
    await note(box);
    await box.stop();
  };
  assert.equal(await run(note, starts, ends, note), 0);
  assert.equal(new Set(pids).size, 4);
  for (const pid of pids) isGone(pid);
});

test('a check that starts several in a used world leaves none behind', async () => {
  const pids: number[] = [];
  const note = async (box: Box) => void pids.push(await asks(box));
  const starts = async (box: Box) => {
    pids.push((await box.startBeside()).pid);
    await box.start();
    await note(box);
  };
  assert.equal(await run(note, starts), 0);
  assert.equal(new Set(pids).size, 3);
  for (const pid of pids) isGone(pid);
});

test('a world that takes too long to be made tidy is given to nobody', async () => {
  const endless = makeUsedWorlds<Held>({ tidy: () => new Promise(() => {}) }, 5);
  const one = check<Held>('box/test/one', [], 'is a test', async () => {}, { used: true });
  const trial = { undisturbed: () => ({ pid: 1 }), held: {} } as unknown as Trial<Held>;
  // The race does not keep the process alive by itself.
  const alive = setInterval(() => {}, 1000);
  assert.equal(await endless.leave(one, trial, {} as Held['world']), false);
  clearInterval(alive);
  assert.equal(endless.take(one), null);
});

test('only a fresh world condemns: a check that fails in a used one is asked again', async () => {
  const pids: number[] = [];
  const fails = (times: number) => async (box: Box) => {
    pids.push(await asks(box));
    equal('the answer', pids.length > times, true);
  };
  assert.equal(await run(fails(0), fails(2)), 0);
  assert.deepEqual([pids.length, new Set(pids).size], [3, 2]);
  pids.length = 0;
  assert.equal(await run(fails(0), fails(3)), 1);
  for (const pid of pids) isGone(pid);
});

test('a choice that nobody asks for takes no world from others', async () => {
  const pids: number[] = [];
  const note = async (box: Box) => void pids.push(await asks(box));
  const rules = [['box/listApps/1'], ['choice/box/1'], ['box/listApps/1']];
  const checks = rules.map((named, index) =>
    check(`box/test/${index}`, named, 'is a test', note, { timeoutMs: 9e5 - index }),
  );
  const given = inUsedWorlds(checks) as readonly Check<never>[];
  assert.equal(await runConformance({ api: 'box', exec, checks: given, jobs: 1, write: () => {} }), 0);
  assert.deepEqual([pids.length, new Set(pids).size], [2, 1]);
  isGone(pids[0]);
});

test('a check that shares a world is given no other', async () => {
  const [one] = inUsedWorlds([
    check('box/test/shares', [], 'shares', async () => {}, { shared: { name: 'x', prepare: () => {} } }),
  ]);
  assert.equal(one?.options.used, undefined);
});
