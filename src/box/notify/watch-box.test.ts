import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { printRoom } from '../../console/rooms.ts';
import { withBackup } from '../backup/rules/backup-runs.ts';
import { ContainersFailed } from '../core.ts';
import { reconcile } from '../engine/reconcile.ts';
import { useTestBox } from '../testing/test-box.ts';
import { makeNotifier } from './notifier.ts';
import { setNotifications, testNotification } from './notify-commands.ts';
import type { NotifyBox } from './ports.ts';
import { noticeOf, watchBox } from './watch-box.ts';

const t = useTestBox();

/** Starts a server on the test box; `pass` lets seconds pass. */
async function serve(updateState: object = {}) {
  t.notifications.kept = 'https://ntfy.sh/secret-topic';
  const feed = { text: '{"version": "1.1.0"}', address: 'file:///srv/release.json' };
  const selfUpdate = {
    version: '1.0.0',
    now: t.box.now,
    releaseFeed: { read: async () => feed },
    keys: { trusted: async () => '', isSigned: () => false },
    platform: 'linux-x64',
    updateFiles: { readState: async () => updateState },
  } as unknown as NotifyBox['selfUpdate'];
  const due: (() => unknown)[] = [];
  const notifier = makeNotifier({ ...t.box, later: (_ms, run) => due.push(run) });
  const box = { ...t.box, ...notifier, selfUpdate };
  const watch = watchBox(box);
  await box.observer.look();
  const pass = async (seconds: number) => {
    for (let i = 0; i < seconds; i += 5) {
      await watch();
      for (const run of due.splice(0)) await run();
      await t.box.pause(5000);
    }
  };
  return { box, pass };
}

const told = () => t.notifications.sent.splice(0).flatMap((text) => text.split('\n'));
const newer = 'boxgate 1.1.0 is there; this box has 1.0.0. The page can update it.';

async function setState(name: string, state: string) {
  for (const one of t.containers.containers) if (one.project === name) Object.assign(one, { state, exitCode: 1 });
  await t.box.observer.look();
}

test('tells once that an app is down and once that it is back, also across restarts', async () => {
  t.installed('notes');
  t.installed('photos');
  await reconcile(t.box, null);
  const first = await serve();
  await first.pass(60);
  assert.deepEqual(told(), [newer]);
  await setState('notes', 'exited');
  await first.pass(60);
  assert.match(told().join(), /^notes is down\. It stopped at .* with exit code 1\.$/);
  const second = await serve();
  await second.pass(60);
  assert.deepEqual(told(), []);
  await setState('notes', 'running');
  await second.pass(20);
  await (await serve()).pass(20);
  assert.deepEqual(told(), ['notes runs again.']);
});

test('an app that was removed is not down any more', async () => {
  t.installed('notes');
  await reconcile(t.box, null);
  await setState('notes', 'exited');
  const { pass } = await serve();
  await pass(30);
  told();
  rmSync(join(t.directories.installed, 'notes'), { recursive: true });
  // The box was off while the app was removed.
  await (await serve()).pass(20);
  assert.deepEqual([told(), t.notifications.stored.topics['app notes']?.told], [[], 'ok']);
});

test('tells once that Docker is away, and nothing of its apps', async () => {
  for (const name of ['notes', 'photos', 'films']) t.installed(name);
  await reconcile(t.box, null);
  const { pass } = await serve();
  await pass(5);
  told();
  t.containers.failing.set('observe', new ContainersFailed('is it running?', true));
  await t.box.observer.look();
  await pass(120);
  assert.deepEqual(told(), ['Docker does not answer: is it running?']);
  t.containers.failing.clear();
  await t.box.observer.look();
  await pass(60);
  assert.deepEqual(told(), ['Docker answers again.']);
});

test('an app that a change stops is not down', async () => {
  t.installed('notes');
  await reconcile(t.box, null);
  const { pass } = await serve();
  await pass(5);
  told();
  await t.box.changes.run(async () => {
    await setState('notes', 'exited');
    await pass(60);
    await setState('notes', 'running');
  });
  await pass(60);
  assert.deepEqual(told(), []);
});

test('tells of backups that fail, once for the same apps, and that they are made again', async () => {
  t.installed('notes');
  await t.box.backup.runs.change((runs) => ({ ...runs, enabledAt: t.clock.now.toISOString() }));
  const { pass } = await serve();
  const night = async (failure: string | null) => {
    await t.box.backup.runs.change((runs) => withBackup(runs, 'notes', failure, t.clock.now));
    await pass(120);
    return told().filter((line) => line !== newer);
  };
  assert.deepEqual(await night('the repository does not answer'), [
    'Backups fail. notes: the repository does not answer',
  ]);
  assert.deepEqual(await night('the repository is full'), []);
  assert.deepEqual(await night(null), ['Backups are made again.']);
});

test('tells once of a disk that is nearly full, and of a newer version of an app', async () => {
  t.installed('notes');
  const { box, pass } = await serve();
  const since = t.clock.now.toISOString();
  const newerOf = (to: string) => ({ notes: [{ what: 'catalogue' as const, of: '1.0.0', to, since }] });
  const look = async (low: string | null, apps: ReturnType<typeof newerOf> | Record<string, never>) => {
    box.space.low.text = low;
    await box.versions.known.change((known) => ({ ...known, apps }));
    await pass(120);
    return told().filter((line) => line !== newer);
  };
  const [full, version] = ['The disk has only 1 GB free (9 %).', 'There is version 1.1.0 for notes.'];
  assert.deepEqual(await look(full, newerOf('1.1.0')), [full, version]);
  assert.deepEqual(await look('The disk has only 1 GB free (8 %).', newerOf('1.1.0')), []);
  assert.deepEqual(await look(null, newerOf('1.2.0')), [
    'The disks have enough room again.',
    'There is version 1.2.0 for notes.',
  ]);
  assert.deepEqual(await look(null, {}), []);
});

test('tells of an update of boxgate that failed lately', async () => {
  const failed = { stage: 'rolled_back', attempt: 'a', reason: 'the disk is full' };
  const at = (finished_at: string) => serve({ ...failed, finished_at });
  await (await at('2026-01-01T20:00:00Z')).pass(10);
  await (await at('2026-01-01T20:00:00Z')).pass(10);
  assert.deepEqual(told(), ['The update of boxgate failed: the disk is full', newer]);
  await (await at('2025-12-01T20:00:00Z')).pass(10);
  assert.deepEqual(told(), []);
});

test('does nothing while notifications are off', async () => {
  t.installed('notes');
  await reconcile(t.box, null);
  await setState('notes', 'exited');
  const { pass } = await serve();
  t.notifications.kept = null;
  await pass(120);
  assert.deepEqual([told(), t.notifications.stored.topics], [[], {}]);
});

test('tells that the update of an app failed', () => {
  const entry = { operation: 'update', subject: 'notes', by: '', detail: 'it did not stay up', durationMs: 1 };
  assert.equal(noticeOf({ ...entry, outcome: 'failed' })?.text, 'The update of notes failed: it did not stay up');
  assert.equal(noticeOf({ ...entry, outcome: 'ok' })?.state, 'ok');
  assert.equal(noticeOf({ ...entry, outcome: 'refused' }), null);
  assert.equal(noticeOf({ ...entry, operation: 'install', outcome: 'failed' }), null);
});

test('the commands say where messages go, without the address', async () => {
  assert.match((await testNotification(t.box)).text, /^notifications are off/);
  assert.match((await printRoom(t.box, 'notifications')).lines.join('\n'), /^notifications are off/);
  t.notifications.kept = 'https://ntfy.sh/secret-topic';
  assert.deepEqual(await testNotification(t.box), { ok: true, text: 'ntfy.sh answered 200 OK' });
  t.installed('notes');
  await reconcile(t.box, null);
  const { pass } = await serve();
  await pass(10);
  await setState('notes', 'exited');
  t.notifications.problem = 'answered 403 Forbidden';
  await pass(30);
  const { status, lines: printed } = await printRoom(t.box, 'notifications');
  assert.equal(status, 1);
  const lines = printed.map((line) => line.replace(/at \d{4}\S*/, 'at TIME'));
  assert.deepEqual(lines, [
    'notifications go to ntfy.sh, the address of the page',
    'the latest was sent at TIME',
    'ntfy.sh answered 403 Forbidden',
    'still to be sent:',
    'notes is down. It stopped at an unknown time with exit code 1.',
  ]);
  t.notifications.problem = 'answered 404 Not Found';
  assert.deepEqual(await testNotification(t.box), { ok: false, text: 'ntfy.sh answered 404 Not Found' });
  assert.match((await printRoom(t.box, 'notifications')).lines.join('\n'), /^ntfy.sh answered 404 Not Found$/m);
});

test('an address is kept, is that of https without a scheme, and the settings count after it', async () => {
  assert.equal(await setNotifications(t.box, ' ntfy.sh/topic '), 'Messages go to ntfy.sh now.');
  assert.equal(t.notifications.kept, 'https://ntfy.sh/topic');
  for (const typed of ['gopher://x', 'https://', 'https://me:50%@push.example.org/t'])
    await assert.rejects(setNotifications(t.box, typed), { refusal: 'invalidValues' });
  assert.equal(await setNotifications(t.box, ''), 'Notifications are off.');
  t.notifications.address = () => ({ address: 'https://push.example.org/x', isKept: false });
  assert.equal(await setNotifications(t.box, ''), 'Messages go to push.example.org again, the address of BOX_NOTIFY.');
});
