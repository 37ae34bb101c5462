import assert from 'node:assert/strict';
import { readlinkSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { isComplete, sample } from '../support/random.ts';
import { until } from '../support/until.ts';
import {
  answers,
  apply,
  countFailure,
  fails,
  feed,
  first,
  release,
  reset,
  runs,
  runsAlone,
  software,
  startBox,
  startService,
  stopServices,
  updatesWell,
} from './box.ts';
import { type Disks, SmallDisk } from './disk.ts';
import { ended, machine } from './machine.ts';
import { holdAt, holds, slowStops } from './stages.ts';
import { isFinal, job, readState, type State, Watch } from './state.ts';

/** Fills the disk of the software, of the state, or of both at each stage. */
const mebibyte = 1024 * 1024;
const full = /space|ENOSPC|no room|full/i;

before(async () => {
  await startBox({ waitSeconds: 3 });
  await slowStops();
});
after(async () => {
  await reset();
  await feed.close();
});

/**
 * Asserts that the old version runs and the state has the reason, or that the new version runs. If the final state
 * could not be written, the next start with free space writes it.
 */
async function isWhole(disk: SmallDisk, version: string, attempt: string | undefined): Promise<State> {
  await ended(job);
  if (!isFinal(readState()) || readState().attempt === attempt) {
    const current = readlinkSync(machine.path(`${software}/current`));
    await until('a version runs while the disk is full', async () => (await answers()) === current);
    await disk.leave(300 * mebibyte);
    // The new version in these tests is a script that corrects no state.
    if (current === version) return { stage: 'done' };
    await stopServices();
    await startService();
  }
  const end = readState();
  if (end.stage === 'done') {
    await runs(version, [first, version]);
    return end;
  }
  await runsAlone(first);
  if (end.attempt === attempt) return end;
  assert.equal(end.stage, 'rolled_back', JSON.stringify(end));
  if (end.reason !== 'interrupted') assert.match(end.reason ?? '', full);
  return end;
}

for (const kind of ['software', 'state'] as Disks[]) {
  test(`a disk that is full from a stage on: ${kind}`, async (t) => {
    const disk = await SmallDisk.mount(kind);
    try {
      // After the switch nothing more is written beside the software.
      const possible = holds.filter(({ isSwitched }) => kind === 'state' || !isSwitched);
      for (const hold of sample(possible, 2)) {
        await t.test(`at ${hold.stage}`, async () => {
          countFailure();
          const { attempt } = readState();
          const watch = new Watch();
          try {
            await hold.begin();
            await apply();
            await holdAt(hold, watch);
            await disk.leave(0);
          } finally {
            hold.letGo();
          }
          const end = await isWhole(disk, watch.seen.at(-1)?.to ?? '', attempt);
          watch.stop();
          t.diagnostic(`${kind} at ${hold.stage}: ${end.stage} ${end.reason ?? ''}`);
          await disk.leave(300 * mebibyte);
          if (end.stage !== 'done') return;
          await reset({ isElsewhere: true });
          await disk.leave(300 * mebibyte);
        });
      }
    } finally {
      await disk.unmount();
      await reset();
    }
  });
}

test('an archive of four times the disk is not even downloaded', async () => {
  const disk = await SmallDisk.mount('software');
  try {
    feed.announce(release({ statement: { unpacked_size: 1200 * mebibyte } }));
    await fails({ reason: /needs 126\d MiB of free space in \/opt\/boxgate, which has 300 MiB/ });
    assert.equal(feed.asked.archive, 0);
  } finally {
    await disk.unmount();
    await reset();
  }
});

test('a disk with one page more for each try, until the update fits', { skip: !isComplete }, async (t) => {
  const disk = await SmallDisk.mount('both');
  try {
    for (let pages = 0; ; pages += 1) {
      assert.ok(pages < 40, 'the update fits at last');
      const { attempt } = readState();
      const made = release();
      feed.announce(made);
      const letGo = feed.hold('archive');
      const watch = new Watch();
      await apply();
      await watch.reaches('downloading');
      await disk.leave(pages * 4096);
      letGo();
      const end = await isWhole(disk, made.version, attempt);
      watch.stop();
      t.diagnostic(`${pages} pages: ${end.stage} ${end.reason ?? ''}`);
      await disk.leave(300 * mebibyte);
      if (end.stage === 'done') break;
      countFailure();
    }
  } finally {
    await disk.unmount();
    await reset();
  }
});

test('after all that a good update works', async () => {
  await reset({ waitSeconds: 10 });
  await updatesWell();
});
