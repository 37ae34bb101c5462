import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { StorageFailed } from '../ports.ts';
import { reconcile } from '../reconcile/reconcile.ts';
import { useTestBox } from '../testing/test-box.ts';
import { restoreApp, trashLines } from './app-commands.ts';
import { noPublicRoutes } from './held-ports.ts';
import { purgeTrash, removeApp } from './remove.ts';

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
  test('takes the project down and keeps the directory in the trash', async () => {
    await bringUp('a', 'b');
    assert.equal(await remove('a'), null);
    assert.deepEqual(testBox.containers.calls, ['observe', 'down a']);
    assert.deepEqual([isThere('a'), isThere('b'), trashed()], [false, true, ['a']]);
    assert.deepEqual(
      testBox.containers.containers.map(({ project }) => project),
      ['b'],
    );
  });

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
    testBox.box.publicRoutes = {
      ...noPublicRoutes,
      async withdrawRemoved() {
        wasThere = isThere('a');
        return ['a.example.org is not published any more'];
      },
    };
    assert.equal(await remove('a'), null);
    assert.deepEqual([wasThere, testBox.warnings], [false, ['a.example.org is not published any more']]);
  });

  test('also deletes if the project cannot be brought down, and says why (box/post-rules/5)', async () => {
    await bringUp('a');
    testBox.containers.fail('down', 'network in use');
    testBox.containers.fail('downByName', 'network in use');
    const warning = await remove('a');
    assert.match(warning ?? '', /^network in use; its containers were removed one by one/);
    assert.deepEqual([isThere('a'), testBox.containers.containers], [false, []]);
  });

  test('takes the project down with a container tool whose listing cannot be parsed', async () => {
    await bringUp('a');
    testBox.containers.fail('observe', 'answered in a form that is not understood');
    assert.equal(await remove('a'), null);
    assert.deepEqual(testBox.containers.calls, ['observe', 'down a']);
  });

  test('works without an engine (choice/box/119)', async () => {
    await bringUp('a');
    testBox.containers.fail('observe', 'Docker does not answer', true);
    assert.equal(await remove('a'), 'Docker does not answer');
    assert.deepEqual([isThere('a'), testBox.containers.calls], [false, ['observe']]);
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

  test('does not take down a project of another folder', async () => {
    const compose = 'name: shared\nservices:\n  web: { image: web:1 }\n';
    testBox.installed('b', { 'compose.yaml': compose });
    await reconcile(testBox.box, null);
    testBox.installed('a', { 'compose.yaml': compose });
    assert.match((await remove('a')) ?? '', /^no container was touched: the project shared is that of .*\/b$/);
    assert.equal(testBox.containers.containers.length, 1);
  });

  test('removes a directory whose name no app may have, without a Compose call', async () => {
    for (const name of ['line\nend', 'esc\u001b[2J']) {
      mkdirSync(join(testBox.directories.installed, name));
      assert.match((await remove(name)) ?? '', /^no container was touched/, name);
      assert.ok(!isThere(name), name);
    }
    assert.deepEqual(testBox.containers.calls, []);
  });

  test('takes down an app of any name; a hidden directory is not an app', async () => {
    for (const name of ['My App', '-x', 'a.b', '日本', '__proto__']) {
      testBox.installed(name);
      await reconcile(testBox.box, name);
      assert.equal(testBox.containers.containers.length, 1, name);
      assert.equal(await remove(name), null);
      assert.deepEqual([isThere(name), testBox.containers.containers], [false, []], name);
    }
    mkdirSync(join(testBox.directories.installed, '.hidden'));
    await assert.rejects(remove('.hidden'), { refusal: 'appNotInstalled' });
  });

  test('removes a link and leaves its target (choice/box/37)', async () => {
    writeFileSync(join(testBox.root, 'precious'), 'x');
    symlinkSync(testBox.root, join(testBox.directories.installed, 'link'));
    assert.match((await remove('link')) ?? '', /was a link/);
    assert.ok(!isThere('link'));
    testBox.clock.now = new Date(testBox.clock.now.getTime() + 8 * day);
    await purgeTrash(testBox.box);
    assert.deepEqual(trashed(), []);
    assert.ok(existsSync(join(testBox.root, 'precious')));
  });

  test('is refused for anything that is not a directory there', async () => {
    writeFileSync(join(testBox.directories.installed, 'file'), '');
    for (const name of ['absent', '', '.', '..', '../state', 'a/b', 'a\0', 'file', 'a'.repeat(300), '.boxgate']) {
      await assert.rejects(remove(name), { refusal: 'appNotInstalled' }, name);
    }
    assert.ok(existsSync(testBox.directories.state));
  });

  test('says why when the directory cannot be deleted', async () => {
    await bringUp('a');
    testBox.box.trash.put = async () => {
      throw new StorageFailed('cannot remove: permission denied');
    };
    await assert.rejects(remove('a'), {
      refusal: 'deleteFailed',
      message: 'the app a could not be deleted: cannot remove: permission denied',
    });
    assert.ok(isThere('a'));
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

  test('shows no secret in its warning', async () => {
    const manifest = JSON.stringify({ name: 'a', version: '1', settings: [{ name: 'PW', type: 'password' }] });
    testBox.installed('a', { 'manifest.json': manifest, '.env': 'PW=hunter2hunter2\n' });
    testBox.containers.fail('down', 'bad value hunter2hunter2');
    assert.equal(await remove('a'), 'bad value •••');
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

  test('keeps nothing with 0 days', async () => {
    await bringUp('a');
    testBox.box.keepRemovedDays = 0;
    await remove('a');
    assert.deepEqual(trashed(), []);
    assert.deepEqual(
      testBox.tree().filter((path) => path.startsWith('state/trash/2')),
      [],
    );
  });

  test('restores the app of that name that was removed last, unless one is installed', async () => {
    testBox.installed('a', { version: 'first' });
    await remove('a');
    testBox.clock.now = new Date(testBox.clock.now.getTime() + 1000);
    testBox.installed('a', { version: 'second', '.env': 'A=1\n' });
    await remove('a');
    assert.equal(trashLines(testBox.box).length, 2);
    assert.match(trashLines(testBox.box)[0] ?? '', /^a\tremoved 2026-01-02T03:04:05.000Z$/);
    assert.equal((await restoreApp(testBox.box, 'a')).status, 0);
    assert.equal(testBox.file('a/version'), 'second');
    await assert.rejects(restoreApp(testBox.box, 'a'), { refusal: 'removedAppReplaced' });
    assert.equal((await restoreApp(testBox.box, 'b')).status, 1);
    assert.equal(trashLines(testBox.box).length, 1);
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

  test('removes the records of the app, so that the next app of its name starts anew', async () => {
    await bringUp('a');
    await remove('a');
    testBox.installed('a');
    const [action] = await reconcile(testBox.box, 'a');
    assert.equal(action?.detail, 'created: not brought up before');
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
