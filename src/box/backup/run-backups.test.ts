import { deepEqual, equal, match } from 'node:assert/strict';
import { test } from 'node:test';
import { ResticFailed } from '../../restic/ports.ts';
import { installApp } from '../apps/install.ts';
import { listApps } from '../apps/list-apps.ts';
import { removeApp } from '../apps/remove.ts';
import { restoreRemovedApp } from '../apps/restore-removed.ts';
import { reconcile } from '../engine/reconcile.ts';
import { useTestBox } from '../testing/test-box.ts';
import { lastSuccesses, warnOfBackups } from './backup-problems.ts';
import { bringBack, returnText } from './bring-back.ts';
import { makeBackup } from './make-backup.ts';
import { restoreFromBackup } from './restore-app.ts';
import { runBackups } from './run-backups.ts';

const t = useTestBox();

async function run(isStopping = () => false): Promise<{ status: number; lines: string[] }> {
  const lines: string[] = [];
  const status = await runBackups(t.box, { tell: ({ text }) => lines.push(text), isStopping });
  return { status, lines };
}

const calls = (verb: string) => t.repository.calls.filter((call) => call.startsWith(verb));
const problems = () => listApps(t.box).map(({ backup_problem: problem }) => problem);

/** Two apps; a rehearsal of each was made a moment ago. */
async function start(): Promise<void> {
  t.repository.isInstalled = true;
  const rehearsal = { at: t.clock.now.toISOString(), failure: null };
  const rehearsals = { feeds: rehearsal, memos: rehearsal };
  await t.box.backup.runs.change((runs) => ({ ...runs, enabledAt: t.clock.now.toISOString(), rehearsals }));
  t.installed('feeds');
  t.installed('memos');
}

test('the failure of one app is its own, and is told until its next good backup', async () => {
  await start();
  t.repository.failing.set('backUp', new ResticFailed('there is no room left', 'no-room'));
  const first = await run();
  equal(first.status, 1);
  match(first.lines[0] ?? '', /^feeds: no backup: there is no room left$/);
  match(first.lines[1] ?? '', /^memos: backup /);
  deepEqual(problems(), ['no backup: there is no room left', undefined]);
  warnOfBackups(t.box);
  deepEqual(t.warnings, ['backups of feeds: no backup: there is no room left']);
  deepEqual([...lastSuccesses(t.box).keys()], ['memos']);
  equal((await run()).status, 0);
  deepEqual(problems(), [undefined, undefined]);
  deepEqual([...lastSuccesses(t.box).keys()], ['feeds', 'memos']);
});

test('each run checks the next part of the data; a part that is damaged is checked again', async () => {
  await start();
  await t.box.backup.runs.change((runs) => ({ ...runs, nextPart: 30 }));
  await run();
  t.repository.failing.set('check', new ResticFailed('others were at work', 'failed'));
  await run();
  deepEqual(calls('check'), ['check 30/30 beside', 'check 1/30 beside', 'check 1/30 alone']);
  t.repository.check = async () => {
    throw new ResticFailed('the pack is damaged', 'failed');
  };
  const { status, lines } = await run();
  equal(status, 1);
  equal(lines.at(-1), 'the check of the backups failed: the pack is damaged');
  deepEqual(problems(), [lines.at(-1), lines.at(-1)]);
  equal(t.box.backup.runs.load().nextPart, 2);
});

test('a night copies each app twice, and forgets first passes and what need not be kept at once', async () => {
  await start();
  await reconcile(t.box, null);
  t.repository.calls = [];
  await run();
  const made = ['feeds', 'memos'].map((app) => `backUp app=${app} reason=schedule version=1.0.0`);
  const asked = made.flatMap((one) => [`${one} first-pass`, one]);
  deepEqual(t.repository.calls, ['prepare', ...asked, 'snapshots', 'forget 00000001 00000003', 'check 1/30 beside']);
  t.clock.now = new Date('2027-01-01T00:00:00Z');
  t.repository.kept = t.repository.kept.map((one) => ({ ...one, tags: [one.tags[0] ?? '', 'reason=update'] }));
  await run();
  deepEqual(calls('forget').at(-1), 'forget 00000005 00000007 00000002 00000004 --prune');
});

test('tells of backups that another machine has made since, and forgets none of them', async () => {
  await start();
  await run();
  t.repository.kept = t.repository.kept.map((one) => ({ ...one, time: new Date(0), isOwn: false, host: 'attic' }));
  t.installed('wiki');
  t.box.apps.all = () => [];
  const { lines } = await run();
  match(lines.join(), /another machine, attic, made the latest backup of feeds, memos: /);
  deepEqual(calls('forget'), []);
});

test('without a repository no app is touched, and the last good backups are still known', async () => {
  await start();
  await run();
  const before = lastSuccesses(t.box);
  t.repository.failing.set('prepare', new ResticFailed('the disk is not mounted', 'no-repository'));
  const { status, lines } = await run();
  deepEqual([status, lines], [1, ['there are no backups: the disk is not mounted']]);
  deepEqual(lastSuccesses(t.box), before);
  deepEqual(problems(), [lines[0], lines[0]]);
});

test('a run that is told to stop ends after the app under way', async () => {
  await start();
  const { status, lines } = await run(() => true);
  equal(status, 1);
  equal(lines.length, 1);
});

const ways: Record<string, () => Promise<unknown>> = {
  'from the trash': () => restoreRemovedApp(t.box, t.box.trash.list()[0]?.id ?? ''),
  'from its backup': () => restoreFromBackup(t.box, 'wiki', ''),
  'by an install': () => installApp(t.box, { name: 'wiki', settings: {} }),
};
for (const [way, comeBack] of Object.entries(ways)) {
  test(`an app that was removed and came back ${way} is brought to another machine`, async () => {
    await start();
    t.bundle('wiki');
    t.installed('wiki');
    await removeApp(t.box, 'wiki');
    await comeBack();
    await t.box.trash.put('wiki');
    const told: string[] = [];
    await bringBack(t.box, { tell: (one) => told.push(returnText(one).text) });
    match(told.at(-1) ?? '', /^wiki: wiki is as it was at /);
  });
}

test('all apps that are not installed come back, apart from removed ones; one failure is its own', async () => {
  await start();
  t.installed('wiki');
  t.installed('old');
  await run();
  const removed = t.repository.kept.find(({ tags }) => tags.includes('app=old'));
  removed?.tags.splice(0, removed.tags.length, 'app=old', 'reason=remove');
  for (const name of ['feeds', 'memos', 'old']) await t.box.trash.put(name);
  const broken = t.repository.kept.find(({ tags }) => tags.includes('app=feeds'));
  broken?.paths.splice(0);
  const told: string[] = [];
  equal(await bringBack(t.box, { tell: (one) => told.push(returnText(one).text) }), 1);
  match(told[0] ?? '', /^feeds: was not restored: .* is no backup of an app that this box can read$/);
  match(told[1] ?? '', /^memos: memos is as it was at /);
  match(told[2] ?? '', /^old: was removed at .* boxgate box backup restore old brings it back$/);
  equal(told[3], 'wiki: is installed already, and stays as it is');
  match(t.file('memos/manifest.json'), /1\.0\.0/);
});

test('the backup whose data is still to be put back is not forgotten', async () => {
  await start();
  await reconcile(t.box, null);
  const { snapshot } = await makeBackup(t.box, 'feeds', 'update');
  const { files, waiting } = t.box.backup;
  await files.writeJournal({ app: 'feeds', operation: 'update', way: 'back', snapshot: snapshot.id });
  await waiting.setAside('feeds');
  await run();
  match(calls('forget').join(), /\d/);
  equal(calls('forget').join().includes(snapshot.id), false);
});
