import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { actByCommand } from '../../console/rooms.ts';
import { makeBackup } from '../backup/make-backup.ts';
import { restoreFromBackup } from '../backup/restore-app.ts';
import { ContainersFailed } from '../core.ts';
import { reconcileUnasked } from '../engine/reconcile-unasked.ts';
import { isStoppedInVain } from '../engine/stop-and-start.ts';
import { testBoxAt, useTestBox } from '../testing/test-box.ts';
import { installApp } from './install.ts';
import { listApps } from './list-apps.ts';
import { removeApp } from './remove.ts';
import { restartApp, startApp, stopApp } from './restart-app.ts';
import { restoreApp } from './restore-removed.ts';
import { appRoom } from './rooms/app-room.ts';
import { updateAppSettings } from './settings.ts';
import { updateApp } from './update-app.ts';

const testBox = useTestBox();
// A service that ends well on its stop signal, and that Docker does not start again.
const compose = 'services: { web: { image: "registry/web:1", restart: "no" } }\n';
const stopText = 'you stopped it on 2026-01-02 03:04 UTC';

const install = (name: string) => installApp(testBox.box, { name, settings: {} });
const one = () => listApps(testBox.box).find(({ name }) => name === 'notes');
const stateOfNotes = () => testBox.containers.containers.find(({ project }) => project === 'notes')?.state;
const isStopped = () => {
  testBox.box.states.refresh();
  return [stateOfNotes(), one()?.state, one()?.state_detail];
};
const stopped = ['exited', 'stopped', 'Stopped by you on 2026-01-02 03:04 UTC.'];

beforeEach(async () => {
  testBox.bundle('notes', { 'compose.yaml': compose });
  testBox.bundle('films');
  await install('notes');
  const { ok, text } = await stopApp(testBox.box, 'notes');
  assert.deepEqual([ok, text], [true, 'notes is stopped, and stays so until you start it']);
});

test('choice/box/663: a stopped app stays stopped through changes of others, restarts and backups', async () => {
  const { box, repository, containers, directories } = testBox;
  assert.deepEqual(isStopped(), stopped);
  assert.equal(one()?.stopped_at, '2026-01-02T03:04:06.000Z');
  const { actions } = await install('films');
  const own = actions.filter(({ target }) => target === 'notes');
  assert.deepEqual(own, [{ kind: 'skip', target: 'notes', detail: stopText }]);
  for (const by of ['at the start', 'because Docker is back']) {
    // Docker has started it, as it does with `restart: always`.
    Object.assign(containers.containers.find(({ project }) => project === 'notes') ?? {}, { state: 'running' });
    await box.observer.look();
    assert.equal(one()?.state, 'running');
    assert.equal(isStoppedInVain(box), true);
    box.sinceStart.isReconciled = false;
    await reconcileUnasked(box, by, () => false);
    assert.deepEqual(isStopped(), stopped);
    assert.equal(isStoppedInVain(box), false);
  }
  repository.isInstalled = true;
  await makeBackup(box, 'notes', 'schedule');
  assert.deepEqual(isStopped(), stopped);
  assert.deepEqual([...testBoxAt(testBox.root).box.stopped.all().keys()], ['notes']);
  writeFileSync(join(directories.state, 'stopped.json'), '{"apps":{"notes":"then"}');
  assert.equal(box.stopped.all().size, 0);
});

test('choice/box/663: an update and new settings of a stopped app prepare it, and say so', async () => {
  const { box, containers } = testBox;
  const changed = await updateAppSettings(box, { name: 'notes', settings: { PORT: '8080' } });
  assert.deepEqual(
    changed.map(({ kind }) => kind),
    ['write_env', 'skip'],
  );
  testBox.bundle('notes', {
    'manifest.json': JSON.stringify({ name: 'notes', version: '2.0.0', settings: [{ name: 'PORT' }] }),
    'compose.yaml': compose.replace(':1', ':2'),
  });
  containers.calls = [];
  const { upgrade, stoppedAt } = await updateApp(box, 'notes');
  assert.deepEqual([upgrade?.to_version, stoppedAt], ['2.0.0', Date.parse('2026-01-02T03:04:06Z')]);
  assert.ok(containers.calls.includes('pull notes'));
  assert.deepEqual(isStopped(), stopped);
});

const starts: Record<string, () => Promise<unknown>> = {
  'the owner': async () => assert.equal((await startApp(testBox.box, 'notes')).text, 'notes was started and runs'),
  'a restart': () => restartApp(testBox.box, 'notes'),
  'an install': () => install('notes'),
  'an empty settings update': () => updateAppSettings(testBox.box, { name: 'notes', settings: {} }),
  'a restore': async () => {
    testBox.repository.isInstalled = true;
    await makeBackup(testBox.box, 'notes', 'manual');
    await restoreFromBackup(testBox.box, 'notes', '');
  },
  'its return from the trash': async () => {
    await removeApp(testBox.box, 'notes');
    assert.equal(testBox.box.stopped.all().size, 0);
    await restoreApp(testBox.box, 'notes');
  },
};
for (const [what, start] of Object.entries(starts)) {
  test(`choice/box/663: ${what} starts a stopped app, which is stopped no more`, async () => {
    await start();
    assert.deepEqual([stateOfNotes(), one()?.state, testBox.box.stopped.all().size], ['running', 'running', 0]);
  });
}

test('a stop is refused while Docker does not answer, and told if Docker refuses it', async () => {
  const { box, containers } = testBox;
  await startApp(box, 'notes');
  containers.failing.set('observe', new ContainersFailed('Docker does not answer', true));
  await assert.rejects(stopApp(box, 'notes'), { message: 'Docker does not answer' });
  assert.equal(box.stopped.all().size, 0);
  containers.failing.clear();
  containers.failing.set('stop', new ContainersFailed('docker stop failed', false));
  const { status, text } = await actByCommand(box, { act: 'apps/stop', fields: { app: 'notes' } });
  assert.deepEqual([status, text.split(',')[0]], [1, 'notes still runs: it cannot be stopped']);
});

test('the room of an app offers to stop what runs, and to start what does not', async () => {
  const labels = async () => {
    const { sections } = await appRoom(testBox.box, async () => ({ rows: [] })).read('notes');
    return sections[0]?.actions?.map(({ label }) => label);
  };
  assert.deepEqual(await labels(), ['Start', 'Restart']);
  await actByCommand(testBox.box, { act: 'apps/start', fields: { app: 'notes' } });
  assert.deepEqual(await labels(), ['Restart', 'Stop']);
});
