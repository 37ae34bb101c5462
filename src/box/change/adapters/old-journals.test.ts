import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeBackup } from '../../backup/make-backup.ts';
import { reconcile } from '../../engine/reconcile.ts';
import { type TestBox, useTestBox, writeFiles } from '../../testing/test-box.ts';
import { finishWaiting } from '../finish.ts';
import { makeWaitingWork } from './exchange-folders.ts';
import { recover } from './recovery.ts';

const t: TestBox = useTestBox();

const manifest = (version: string) => JSON.stringify({ name: 'a', version });
const start = async () => {
  await recover(t.directories, t.work, t.box.changes, t.box.warn);
  assert.equal(await finishWaiting(t.box, null), null);
  const left = t.tree().filter((path) => /boxgate|journal|waiting|restore/.test(path) && !path.startsWith('repo'));
  assert.deepEqual(left, []);
};
const oldBackup = (journal: object, place = 'backup-journal.json') =>
  writeFiles(t.directories.state, { [place]: JSON.stringify(journal) });

/** An exchange of `c.conf`, as a killed server of before left it: the new file is in place. */
function oldExchange(suffix: '' | '.back'): void {
  const staging = `${t.root}/.boxgate-apps/install-1`;
  const directory = t.installed('a', { 'c.conf': 'new', 'manifest.json': manifest('2') });
  writeFiles(staging, { 'old-0': 'old', 'old-1': manifest('1') });
  const step = { keepAs: null, existed: true, keptBefore: false };
  const steps = ['c.conf', 'manifest.json'].map((path, at) => ({ ...step, path, staged: `${at}` }));
  const record = { path: `${t.directories.state}/installs/a.json`, text: '{}' };
  const text = JSON.stringify({ directory, staging, steps, record });
  writeFiles(t.directories.state, { [`installs/a.journal.json${suffix}`]: text });
}

test('the files of an install that an older version has left are exchanged, and those of an upgrade put back', async () => {
  oldExchange('');
  await start();
  assert.equal(t.file('a/c.conf'), 'new');
  oldExchange('.back');
  await start();
  assert.deepEqual([t.file('a/c.conf'), t.file('a/manifest.json')], ['old', manifest('1')]);
});

async function updating(): Promise<object> {
  t.installed('a', { 'manifest.json': manifest('1'), rows: 'old' });
  t.repository.isInstalled = true;
  await reconcile(t.box, null);
  const { snapshot } = await makeBackup(t.box, 'a', 'update');
  writeFiles(`${t.directories.installed}/a`, { rows: 'new' });
  return { step: 'updating', app: 'a', snapshot: snapshot.id, version: '1', images: [] };
}

test('the data of an update that an older version has left comes back, unless the new version had stayed up', async () => {
  const journal = await updating();
  oldBackup(journal, 'backup-waiting/a.json');
  await start();
  assert.equal(t.file('a/rows'), 'old');

  writeFiles(`${t.directories.installed}/a`, { rows: 'new' });
  oldExchange('.back');
  oldBackup(journal);
  await start();
  assert.deepEqual([t.file('a/rows'), t.file('a/manifest.json')], ['old', manifest('1')]);

  writeFiles(`${t.directories.installed}/a`, { rows: 'new', 'manifest.json': manifest('2') });
  oldBackup(journal);
  await start();
  assert.equal(t.file('a/rows'), 'new');
});

test('what an older version has stopped is started, and a restore is ended', async () => {
  await updating();
  const [web] = t.containers.containers;
  Object.assign(web ?? {}, { state: 'exited' });
  const starts = [{ ids: [web?.id], healthy: [] }];
  oldBackup({ step: 'away', app: 'a', folders: [], starts, operation: 'restart' });
  await start();
  assert.equal(web?.state, 'running');

  const root = `${t.directories.installed}/../restore-a`;
  const folder = { target: `${t.directories.installed}/a`, root, staged: `${root}/new`, aside: `${root}/old` };
  writeFiles(root, { 'new/rows': 'restored' });
  oldBackup({ step: 'filling', app: 'a', folders: [folder] });
  await start();
  assert.equal(t.file('a/rows'), 'new');
  writeFiles(root, { 'new/rows': 'restored' });
  oldBackup({ step: 'swapping', app: 'a', folders: [folder], images: [], toTrash: false });
  await start();
  assert.equal(t.file('a/rows'), 'restored');
  const told = t.box.history.of('a').map(({ operation, outcome }) => `${operation} ${outcome}`);
  assert.deepEqual(told, ['restore ok', 'restore failed', 'restart failed']);
});

test('an update of boxgate that may still be rolled back leaves old journals to the older version', async () => {
  oldExchange('.back');
  const before = t.tree();
  const { waiting } = t.box.backup;
  t.box.backup.waiting = makeWaitingWork(t.directories, async () => true);
  await recover(t.directories, t.work, t.box.changes, t.box.warn);
  assert.match((await finishWaiting(t.box, 'a'))?.message ?? '', /waits until its update has ended/);
  assert.equal(await finishWaiting(t.box, 'b'), null);
  assert.deepEqual([t.tree(), t.box.backup.waiting.apps()], [before, ['a']]);
  t.box.backup.waiting = waiting;
  await start();
  assert.equal(t.file('a/c.conf'), 'old');
});
