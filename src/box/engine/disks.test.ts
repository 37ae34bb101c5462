import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, test } from 'node:test';
import { actByCommand } from '../../console/rooms.ts';
import { installApp } from '../apps/install.ts';
import { removeApp } from '../apps/remove.ts';
import { updateApp } from '../apps/update-app.ts';
import { makeBackup } from '../backup/make-backup.ts';
import { finishWaiting } from '../change/finish.ts';
import { useTestBox } from '../testing/test-box.ts';
import { isDiskBack } from './disks.ts';
import { reconcileUnasked } from './reconcile-unasked.ts';

// Not in memory, whose file system is a mount that these tests do not expect.
const testBox = useTestBox(tmpdir());

/** The shapes in which a Compose file names a folder of this machine. `DIR` is the folder of the disk. */
const shapes: [what: string, compose: string][] = [
  ['a folder of the disk', 'services: { web: { image: "w:1", volumes: ["DIR/photos:/photos"] } }'],
  ['a mount through a link', 'services: { web: { image: "w:1", volumes: ["LINK/photos:/photos"] } }'],
  ['a disk that is mounted below a folder', 'services: { web: { image: "w:1", volumes: ["ROOT:/photos:ro"] } }'],
  ['a disk below a folder that a link leads to', 'services: { web: { image: "w:1", volumes: ["LINKED:/photos"] } }'],
  ["a mount inside of the app's folder", 'services: { web: { image: "w:1", volumes: ["OWN/deep:/photos"] } }'],
];

const accept = () => actByCommand(testBox.box, { act: 'apps/accept', fields: { app: 'photos' } });

describe('a missing disk', () => {
  let disk = '';
  let own = '';
  beforeEach(() => {
    disk = join(testBox.root, 'disk');
    own = join(testBox.directories.installed, 'photos', 'data');
    mkdirSync(disk);
    symlinkSync(disk, join(testBox.root, 'link'));
    symlinkSync(testBox.root, join(testBox.root, 'linked'));
    testBox.mount(disk, own);
  });

  test('holds up the data that a cut-off update puts back, which would lie below the mount point', async () => {
    const { box, repository } = testBox;
    const compose = 'services: { web: { image: "w:1", restart: always, volumes: ["./data:/photos"] } }';
    testBox.bundle('photos', { 'compose.yaml': compose, 'data/rows': 'old' });
    await installApp(box, { name: 'photos', settings: {} });
    repository.isInstalled = true;
    const { snapshot } = await makeBackup(box, 'photos', 'update');
    await box.backup.files.writeJournal({ app: 'photos', operation: 'update', way: 'back', snapshot: snapshot.id });
    testBox.mount();
    repository.calls = [];
    assert.match((await finishWaiting(box, 'photos'))?.message ?? '', /nothing is mounted at .*disks accept photos/);
    assert.equal(repository.calls.length, 0);
    await accept();
    assert.equal(await finishWaiting(box, 'photos'), null);
    assert.ok(repository.calls.includes(`restore ${snapshot.id}`));
  });

  const card = () => {
    const { box } = testBox;
    return box.states.of(box.apps.all('installed')).get('photos');
  };
  const filled = (compose: string) =>
    compose
      .replace('ROOT', testBox.root)
      .replace('LINKED', join(testBox.root, 'linked'))
      .replace('DIR', disk)
      .replace('LINK', join(testBox.root, 'link'))
      .replace('OWN', own);

  for (const [what, compose] of shapes) {
    test(`holds an app with ${what}, stops it, and lets it start when the disk is back`, async () => {
      const { box, containers } = testBox;
      testBox.bundle('photos', { 'compose.yaml': filled(compose) });
      testBox.bundle('other');
      await installApp(box, { name: 'photos', settings: {} });
      assert.equal(card()?.state, 'running');

      testBox.mount();
      assert.equal(containers.containers[0]?.state, 'running');
      const { actions } = await installApp(box, { name: 'other', settings: {} });
      const of = actions.filter(({ target }) => target === 'photos').map(({ kind }) => kind);
      assert.deepEqual(of, ['stop']);
      assert.equal(containers.containers[0]?.state, 'exited');
      assert.match(
        card()?.state_detail ?? '',
        / Not started: nothing is mounted at .*boxgate box disks accept photos\.$/,
      );
      assert.match(testBox.warnings.join('\n'), /^photos is not started: nothing is mounted at /);

      containers.calls = [];
      const again = await installApp(box, { name: 'photos', settings: {} });
      assert.ok(again.actions.some(({ kind, target }) => kind === 'error' && target === 'photos'));
      await assert.rejects(updateApp(box, 'photos'), { message: /nothing is mounted at/ });
      await reconcileUnasked(box, 'because Docker is back', () => false);
      assert.deepEqual(
        containers.calls.filter((call) => call.startsWith('up photos')),
        [],
      );
      assert.equal(isDiskBack(box), false);

      testBox.mount(disk, own);
      assert.equal(isDiskBack(box), true);
      await reconcileUnasked(box, 'because a disk is back', () => false);
      assert.equal(card()?.state, 'running');
      assert.equal(isDiskBack(box), false);
    });
  }

  test('is no matter for an app that looks at the whole machine', async () => {
    testBox.bundle('monitor', { 'compose.yaml': 'services: { web: { image: "w:1", volumes: ["/:/host:ro"] } }' });
    await installApp(testBox.box, { name: 'monitor', settings: {} });
    testBox.mount();
    const { actions } = await installApp(testBox.box, { name: 'monitor', settings: {} });
    assert.equal(actions.at(-1)?.kind, 'noop');
  });

  test('of an app that was removed, or that waits for its owner, starts no reconcile', async () => {
    const { box } = testBox;
    for (const name of ['photos', 'films']) {
      testBox.bundle(name, { 'compose.yaml': filled(shapes[0]?.[1] ?? '') });
      await installApp(box, { name, settings: {} });
    }
    testBox.mount();
    await reconcileUnasked(box, 'because Docker is back', () => false);
    await removeApp(box, 'photos');
    assert.equal(isDiskBack(box), false);
    rmSync(join(testBox.directories.installed, 'films', 'compose.yaml'));
    testBox.mount(disk, own);
    assert.equal(isDiskBack(box), true);
    await reconcileUnasked(box, 'because a disk is back', () => false);
    assert.equal(isDiskBack(box), false);
  });

  test('is accepted by the owner', async () => {
    testBox.bundle('photos', { 'compose.yaml': filled(shapes[0]?.[1] ?? '') });
    await installApp(testBox.box, { name: 'photos', settings: {} });
    assert.deepEqual(await accept(), { status: 1, text: 'no disk of photos is missing' });
    testBox.mount();
    const { status, text } = await accept();
    assert.equal(status, 0, text);
    assert.match(text, /^photos takes its folders as they are and runs/);
    assert.equal((await installApp(testBox.box, { name: 'photos', settings: {} })).actions.at(-1)?.kind, 'noop');
  });

  test('does not count if the Compose file names another folder now, or if its record is damaged', async () => {
    testBox.bundle('photos', { 'compose.yaml': filled(shapes[0]?.[1] ?? '') });
    await installApp(testBox.box, { name: 'photos', settings: {} });
    testBox.mount();
    writeFileSync(join(testBox.directories.state, 'disks.json'), '{"apps":{"photos":{"/x":1}}}');
    await installApp(testBox.box, { name: 'photos', settings: {} });
    assert.equal(card()?.state, 'running');
  });
});
