import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { installApp } from './apps/install.ts';
import { removeApp } from './apps/remove.ts';
import { startApp, stopApp } from './apps/restart-app.ts';
import { undoAppSettings, updateAppSettings } from './apps/settings.ts';
import { updateApp } from './apps/update-app.ts';
import { recover } from './change/adapters/recovery.ts';
import { reconcile } from './engine/reconcile.ts';
import { cutShort } from './testing/cut-short.ts';
import { makeTestBox, type TestBox, testBoxAt, treeOf } from './testing/test-box.ts';

/** More disk changes than any operation makes. The loop below fails at this limit instead of running forever. */
const tooMany = 200;

/** Uses a file system in memory if the machine has one, because a sync is faster there. */
const memory = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

let testBox: TestBox;
beforeEach(() => {
  testBox = makeTestBox(memory);
});
afterEach(() => testBox.dispose());

type Snapshot = Record<string, string>;

/** Each file of an app by its path, with its content. */
function contents(root: string, folder: string): Snapshot {
  const files = treeOf(root, folder).filter((path) => !path.endsWith('/'));
  return Object.fromEntries(
    files.map((path) => [path.slice(folder.length + 1), readFileSync(join(root, path), 'utf8')]),
  );
}

const app = () => contents(testBox.directories.installed, 'notes');
const isThere = () => treeOf(testBox.directories.installed, '').includes('notes/');

/**
 * Kills the operation at its first, second, … disk change, starts again each time, and calls `check`. `prepare` makes
 * the initial state. Ends when the operation completes without being killed.
 */
async function atEveryChange(
  prepare: () => Promise<unknown>,
  operation: () => Promise<unknown>,
  check: (outcome: 'done' | 'cut') => Promise<void> | void,
): Promise<number> {
  for (let count = 1; count < tooMany; count += 1) {
    testBox.dispose();
    testBox = testBoxAt(testBox.root);
    await prepare();
    const outcome = await cutShort(count, operation);
    testBox = testBoxAt(testBox.root, testBox.containers);
    await recover(testBox.directories, testBox.work, testBox.box.changes, testBox.box.warn);
    const leftovers = testBox.tree().filter((path) => /boxgate|install-|journal/.test(path));
    assert.deepEqual(leftovers, [], `after change ${count}`);
    await check(outcome);
    if (outcome === 'done') return count;
  }
  assert.fail('the operation never got through');
}

const install = (settings = {}) => installApp(testBox.box, { name: 'notes', settings });
const bundle = (version: string, files = {}) =>
  testBox.bundle('notes', { '.env.example': 'PORT=80\n', 'a/b.conf': version, 'c.conf': version, ...files });

describe('kill -9 at any disk change', () => {
  test('of a first install leaves no app or a whole one, and the install can be repeated', async () => {
    const whole = { '.env': 'PORT=81\n', '.env.example': 'PORT=80\n', 'a/b.conf': '1', 'c.conf': '1' };
    const changes = await atEveryChange(
      async () => bundle('1'),
      () => install({ PORT: 81 }),
      async () => {
        const found = isThere() ? app() : null;
        if (found !== null) assert.deepEqual({ ...found, ...whole }, found);
        await install({ PORT: 81 });
        assert.deepEqual({ ...app(), ...whole }, app());
        assert.deepEqual(Object.keys(app()).length, 6);
      },
    );
    assert.ok(changes > 10, 'the install changes the disk in many steps');
  });

  test("of an install in place leaves all old files or all new ones, and keeps the owner's files", async () => {
    const owned = { 'data/db': 'rows', 'own.txt': 'mine' };
    let before: Snapshot = {};
    let after: Snapshot = {};
    const prepare = async () => {
      bundle('1', { 'gone.conf': '1' });
      await install({ PORT: 81 });
      testBox.installed('notes', { ...owned, 'c.conf': 'edited' });
      before = app();
      rmSync(join(bundle('2', { '.env.example': 'PORT=80\nNEW=1\n' }), 'gone.conf'));
    };
    await prepare();
    await install({ PORT: 82 });
    after = app();
    assert.deepEqual([after['c.conf'], after['c.conf.kept'], after['.env']], ['2', 'edited', 'PORT=82\nNEW=1\n']);
    const seen = new Set<string>();
    await atEveryChange(
      prepare,
      () => install({ PORT: 82 }),
      async () => {
        const found = app();
        const which = found['.env'] === before['.env'] ? 'before' : 'after';
        assert.deepEqual(found, which === 'before' ? before : after);
        seen.add(which);
        await install({ PORT: 82 });
        const again = app();
        delete again['.env.bak'];
        assert.deepEqual({ ...after, ...again }, after);
        assert.deepEqual({ ...again, ...owned }, again);
      },
    );
    assert.deepEqual([...seen], ['before', 'after']);
  });

  test('of a stop or a start leaves an app that stays stopped, or one that runs', async () => {
    const compose = 'services: { web: { image: "registry/web:1", restart: "no" } }\n';
    const isStopped = async () => {
      await reconcile(testBox.box, null);
      const isNoted = testBox.box.stopped.all().has('notes');
      const [container] = testBox.containers.containers;
      assert.equal(container?.state, isNoted ? 'exited' : 'running');
      return isNoted;
    };
    const prepare = async () => {
      testBox.containers.containers = [];
      bundle('1', { 'compose.yaml': compose });
      await install();
    };
    const stop = () => stopApp(testBox.box, 'notes');
    const check = (wanted: boolean) => async (outcome: 'done' | 'cut') => {
      const isNoted = await isStopped();
      if (outcome === 'done') assert.equal(isNoted, wanted);
    };
    await atEveryChange(prepare, stop, check(true));
    const start = () => startApp(testBox.box, 'notes');
    await atEveryChange(() => prepare().then(stop), start, check(false));
  });

  test('of an install in place that fails leaves all old files', async () => {
    const obstacle = () => join(testBox.directories.installed, 'notes/z');
    let before: Snapshot = {};
    await atEveryChange(
      async () => {
        bundle('1', { z: '1' });
        await install({ PORT: 81 });
        testBox.installed('notes', { 'c.conf': 'edited' });
        rmSync(obstacle());
        before = app();
        bundle('2', { z: '2', new: '2' });
        const { planRefresh } = testBox.box.installFiles;
        testBox.box.installFiles.planRefresh = async (name, source) => {
          const plan = await planRefresh(name, source);
          mkdirSync(join(obstacle(), 'inside'), { recursive: true });
          return plan;
        };
      },
      () => assert.rejects(install({ PORT: 82 }), { name: 'StorageFailed' }),
      () => assert.deepEqual(app(), before),
    );
  });

  for (const [outcome, fate] of [
    ['an upgrade', null],
    ['an upgrade that is rolled back', { state: 'exited', exitCode: 3 }],
  ] as const) {
    test(`choice/box/304: of ${outcome} leaves the old version or the new one complete, and containers follow`, async () => {
      const versioned = (version: string, more = {}) =>
        bundle(version, {
          'manifest.json': JSON.stringify({ name: 'notes', version }),
          'compose.yaml': `services:\n  web: { image: "web:${version}", restart: always }\n`,
          ...more,
        });
      const snapshots: Record<string, Snapshot> = {};
      const prepare = async () => {
        versioned('1', { 'gone.conf': '1' });
        await install({ PORT: 81 });
        testBox.installed('notes', { 'data/db': 'rows', 'c.conf': 'edited' });
        snapshots['1'] = app();
        rmSync(join(versioned('2', { '.env.example': 'PORT=80\nNEW=1\n', 'new/n.conf': '2' }), 'gone.conf'));
        if (fate !== null) testBox.containers.fate.set('sha256:web:2', fate);
      };
      await prepare();
      if (fate === null) await updateApp(testBox.box, 'notes');
      snapshots['2'] = app();
      const seen = new Set<string>();
      await atEveryChange(
        prepare,
        () => updateApp(testBox.box, 'notes').catch((error) => assert.equal(error.status, 502)),
        async () => {
          const found = app();
          const version = String(JSON.parse(found['manifest.json'] ?? '').version);
          assert.deepEqual(found, snapshots[version]);
          seen.add(version);
          await reconcile(testBox.box, null);
          const images = testBox.containers.containers.map(({ imageId, state }) => `${imageId} ${state}`);
          assert.deepEqual(images, [`sha256:web:${version} running`]);
        },
      );
      assert.deepEqual([...seen], fate === null ? ['1', '2'] : ['1']);
    });
  }

  test('of a settings update leaves the old .env or the new', async () => {
    await atEveryChange(
      async () => {
        bundle('1');
        await install({ PORT: 81 });
      },
      () => updateAppSettings(testBox.box, { name: 'notes', settings: { PORT: '82' } }),
      async (outcome) => {
        const env = app()['.env'];
        assert.ok(env === 'PORT=82\n' || (env === 'PORT=81\n' && outcome === 'cut'), env);
        await updateAppSettings(testBox.box, { name: 'notes', settings: { PORT: '82' } });
        assert.equal(app()['.env'], 'PORT=82\n');
      },
    );
  });

  test('choice/box/289: of an undo of settings loses neither .env', async () => {
    const seen = new Set<string>();
    await atEveryChange(
      async () => testBox.installed('notes', { '.env': 'A=new\n', '.env.bak': 'A=old\n' }),
      () => undoAppSettings(testBox.box, 'notes'),
      () => {
        const { '.env': env = '', '.env.bak': before } = app();
        assert.deepEqual([env, before].sort(), ['A=new\n', 'A=old\n']);
        seen.add(env);
      },
    );
    assert.deepEqual([...seen], ['A=new\n', 'A=old\n']);
  });

  test('of a remove leaves the app in place or complete in the trash', async () => {
    await atEveryChange(
      async () => {
        bundle('1');
        await install({ PORT: 81 });
      },
      () => removeApp(testBox.box, 'notes'),
      async (outcome) => {
        const kept = testBox.box.trash.list();
        assert.equal(kept.length, isThere() ? 0 : 1);
        if (outcome === 'done') assert.ok(!isThere());
        if (kept[0] !== undefined) await testBox.box.trash.restore(kept[0].id);
        assert.equal(app()['.env'], 'PORT=81\n');
        assert.equal(Object.keys(app()).length, 6);
      },
    );
  });

  test('of a recovery itself is repaired by the next one', async () => {
    bundle('1');
    await install({ PORT: 81 });
    bundle('2');
    const before = app();
    await install();
    const after = app();
    for (let stop = 1; stop < tooMany; stop += 1) {
      testBox.dispose();
      testBox = testBoxAt(testBox.root);
      bundle('1');
      await install({ PORT: 81 });
      bundle('2');
      // A disk change between the renames, after the journal was written.
      assert.equal(await cutShort(20, install), 'cut');
      testBox = testBoxAt(testBox.root);
      const outcome = await cutShort(stop, () =>
        recover(testBox.directories, testBox.work, testBox.box.changes, testBox.box.warn),
      );
      testBox = testBoxAt(testBox.root);
      await recover(testBox.directories, testBox.work, testBox.box.changes, testBox.box.warn);
      const found = app();
      assert.deepEqual(found, found['c.conf'] === '1' ? before : after);
      if (outcome === 'done') return;
    }
    assert.fail('the recovery never got through');
  });
});
