import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { printRoom } from '../../console/rooms.ts';
import { StorageFailed } from '../core.ts';
import { reconcile } from '../engine/reconcile.ts';
import { noAddresses } from '../testing/no-addresses.ts';
import { useTestBox } from '../testing/test-box.ts';
import { removeApp } from './remove.ts';
import { purgeTrash } from './removed-apps.ts';
import { restoreApp } from './restore-removed.ts';

const testBox = useTestBox();

const remove = (name: string) => removeApp(testBox.box, name);
const isThere = (name: string) => existsSync(join(testBox.directories.installed, name));
const trashed = () => testBox.box.trash.list().map(({ name }) => name);
const day = 24 * 60 * 60 * 1000;

async function bringUp(...names: string[]) {
  for (const name of names) testBox.installed(name);
  await reconcile(testBox.box, null);
  testBox.containers.calls = [];
}

describe('a remove', () => {
  test('takes down what another project runs from the folder, and names it and what is left', async () => {
    await bringUp('a', 'b');
    const [own] = testBox.containers.containers;
    const mine = { ...own, id: 'mine', name: 'mine-web-1', project: 'mine' };
    testBox.containers.containers.push(mine as (typeof testBox.containers.containers)[0]);
    testBox.containers.usedNetworks = ['a_default'];
    assert.equal(
      await remove('a'),
      "its network a_default is left, because a container that is not the app's uses it; " +
        'mine-web-1 ran from its folder as another project; its containers were taken down by their labels',
    );
    assert.deepEqual(
      testBox.containers.containers.map(({ project }) => project),
      ['b'],
    );
    assert.deepEqual([...testBox.box.records.load().keys()], ['b']);
  });

  test('choice/gateway/315: withdraws the public route once the directory is gone, and warns the operator', async () => {
    await bringUp('a');
    let wasThere = true;
    testBox.box.addresses = {
      ...noAddresses,
      async withdrawRemoved() {
        wasThere = isThere('a');
        return ['a.example.org is not published any more'];
      },
    };
    assert.equal(await remove('a'), null);
    assert.deepEqual([wasThere, testBox.warnings], [false, ['a.example.org is not published any more']]);
  });

  test('takes the project down with a container tool whose listing cannot be parsed', async () => {
    await bringUp('a');
    testBox.containers.fail('observe', 'answered in a form that is not understood');
    assert.equal(await remove('a'), null);
    assert.deepEqual(testBox.containers.calls, ['observe', 'down a']);
  });

  test('without an engine leaves the project to the next reconcile', async () => {
    await bringUp('a', 'b');
    testBox.containers.fail('observe', 'Docker does not answer', true);
    await remove('a');
    await reconcile(testBox.box, null);
    testBox.containers.failing.clear();
    const kinds = (await reconcile(testBox.box, 'b')).map(({ kind, target }) => `${kind} ${target}`);
    assert.deepEqual(kinds, ['noop b', 'stop a']);
    assert.deepEqual([...testBox.box.records.load().keys()], ['b']);
  });

  test('of a broken app takes down only its own containers of a project that another folder has too', async () => {
    await bringUp('a', 'b');
    for (const container of testBox.containers.containers) container.project = 'shared';
    testBox.installed('a', { 'compose.yaml': 'services: [' });
    await remove('a');
    assert.deepEqual(
      testBox.containers.containers.map(({ name }) => name),
      ['b-web-1'],
    );
  });

  test('calls an engine that hangs only once', async () => {
    await bringUp('a');
    testBox.containers.fail('down', 'did not end in time', true);
    assert.equal(await remove('a'), 'did not end in time');
    assert.deepEqual(testBox.containers.calls, ['observe', 'down a']);
  });

  test('works without a manifest, and by labels without a readable Compose file (choice/box/119)', async () => {
    await bringUp('a');
    testBox.installed('a', { 'manifest.json': '{', 'compose.yaml': 'services: [' });
    assert.match((await remove('a')) ?? '', /cannot be read.*; its containers were taken down by their labels$/);
    assert.deepEqual([isThere('a'), testBox.containers.containers], [false, []]);
    testBox.installed('c', { 'compose.yaml': '' });
    assert.equal(await remove('c'), null);
    await bringUp('e');
    rmSync(join(testBox.directories.installed, 'e/compose.yaml'));
    assert.match((await remove('e')) ?? '', /^its Compose file is gone; its containers were taken down/);
    testBox.installed('d', { '.env': 'x'.repeat(2 * 1024 * 1024) });
    assert.match((await remove('d')) ?? '', /\.env has more secrets than the box looks for/);
  });

  test('removes a directory whose name no app may have, without a Compose call', async () => {
    for (const name of ['line\nend', 'esc\u001b[2J']) {
      mkdirSync(join(testBox.directories.installed, name));
      assert.match((await remove(name)) ?? '', /^no container was touched/, name);
      assert.ok(!isThere(name), name);
    }
    assert.deepEqual(testBox.containers.calls, []);
  });

  test('succeeds once the app is gone, even if the disk is too full to record it', async () => {
    await bringUp('a');
    testBox.box.records.save = async () => {
      throw new StorageFailed('cannot write reconciled.json: no space left on device');
    };
    assert.equal(await remove('a'), null);
    assert.deepEqual([isThere('a'), trashed()], [false, ['a']]);
    assert.deepEqual(testBox.warnings, ['cannot write reconciled.json: no space left on device']);
  });
});

describe('the trash', () => {
  test('is private, keeps an app for the configured time, and erases it then', async () => {
    await bringUp('a', 'b');
    await remove('a');
    testBox.clock.now = new Date(testBox.clock.now.getTime() + 6 * day);
    await remove('b');
    await purgeTrash(testBox.box);
    assert.deepEqual(trashed(), ['a', 'b']);
    testBox.clock.now = new Date(testBox.clock.now.getTime() + day);
    await purgeTrash(testBox.box);
    assert.deepEqual(trashed(), ['b']);
  });

  test('restores the app of that name that was removed last, unless one is installed', async () => {
    testBox.installed('a', { version: 'first' });
    await remove('a');
    testBox.clock.now = new Date(testBox.clock.now.getTime() + 1000);
    testBox.installed('a', { version: 'second', '.env': 'A=1\n' });
    await remove('a');
    const list = async () => (await printRoom(testBox.box, 'trash')).lines;
    assert.equal((await list()).length, 2);
    assert.match((await list())[0] ?? '', /^a\tremoved 2026-01-02T03:04:05.000Z$/);
    assert.equal((await restoreApp(testBox.box, 'a')).status, 0);
    assert.equal(testBox.file('a/version'), 'second');
    await assert.rejects(restoreApp(testBox.box, 'a'), { refusal: 'removedAppReplaced' });
    assert.equal((await restoreApp(testBox.box, 'b')).status, 1);
    assert.equal((await list()).length, 1);
  });

  test('reports removed apps that cannot be erased, and tries again the next time', async () => {
    await bringUp('a', 'b');
    await remove('a');
    await remove('b');
    testBox.clock.now = new Date(testBox.clock.now.getTime() + 8 * day);
    const { eraseCondemned } = testBox.box.trash;
    testBox.box.trash.eraseCondemned = async () => {
      throw new StorageFailed('cannot erase removed apps: busy');
    };
    await purgeTrash(testBox.box);
    assert.deepEqual([trashed(), testBox.warnings], [[], ['cannot erase removed apps: busy']]);
    testBox.box.trash.eraseCondemned = eraseCondemned;
    await purgeTrash(testBox.box);
    assert.deepEqual(
      testBox.tree().filter((path) => path.startsWith('state/trash/')),
      ['state/trash/'],
    );
  });

  test('keeps a link as a link', async () => {
    symlinkSync('/nowhere', join(testBox.directories.installed, 'link'));
    await remove('link');
    await restoreApp(testBox.box, 'link');
    assert.equal(readlinkSync(join(testBox.directories.installed, 'link')), '/nowhere');
  });

  test('ignores other files in its folder', async () => {
    mkdirSync(join(testBox.directories.state, 'trash/odd/app'), { recursive: true });
    writeFileSync(join(testBox.directories.state, 'trash/file'), '');
    chmodSync(join(testBox.directories.state, 'trash'), 0o700);
    assert.deepEqual(trashed(), []);
    await purgeTrash(testBox.box);
    assert.ok(existsSync(join(testBox.directories.state, 'trash/odd/app')));
  });
});
