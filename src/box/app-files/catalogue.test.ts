import assert from 'node:assert/strict';
import { rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { listApps, listBundledApps } from '../apps/list-apps.ts';
import { type AppFolders, StorageFailed } from '../core.ts';
import { useTestBox } from '../testing/test-box.ts';
import { declaredPorts } from './catalogue.ts';
import { makeCatalogue } from './read-apps.ts';

const testBox = useTestBox();

/** The folders, with a count of the files that are read. */
function counted(folders: AppFolders) {
  const reads: string[] = [];
  const read: AppFolders['read'] = (directory, file, limit) => {
    reads.push(`${basename(directory)}/${file}`);
    return folders.read(directory, file, limit);
  };
  return { folders: { ...folders, read }, reads };
}

/** A catalogue whose clock makes every file old enough to be cached. */
function later(folders: AppFolders) {
  return makeCatalogue(folders, String, () => Date.now() + 60_000);
}

const manifest = (version: string, more = {}) => JSON.stringify({ name: 'x', version, ...more });

test('reads each app once, and after an edit only that app again', () => {
  const { folders, reads } = counted(testBox.box.folders);
  const apps = later(folders);
  for (const name of ['a', 'b', 'c']) {
    testBox.installed(name, { 'manifest.json': manifest('1', { icon: 'i.svg' }), 'i.svg': '<svg></svg>' });
  }
  const first = apps.all('installed');
  assert.equal(reads.length, 6);
  reads.length = 0;
  assert.equal(apps.all('installed'), first);
  testBox.installed('b', { 'manifest.json': manifest('2', { icon: 'i.svg' }) });
  const second = apps.all('installed');
  assert.deepEqual(reads, ['b/manifest.json', 'b/i.svg']);
  assert.equal(second[1]?.manifest?.version, '2');
  assert.equal(second[0], first[0]);
});

test('is never stale over 3000 edits by hand, even ones that keep size and modification time', () => {
  const apps = makeCatalogue(testBox.box.folders, String);
  const file = join(testBox.directories.installed, 'a', 'manifest.json');
  testBox.installed('a');
  const fixed = new Date('2020-01-01');
  for (let edit = 1000; edit < 4000; edit += 1) {
    writeFileSync(file, manifest(String(edit)));
    utimesSync(file, fixed, fixed);
    assert.equal(apps.all('installed')[0]?.manifest?.version, String(edit));
  }
});

test('choice/box/300: the first app of a name counts, even if it is broken or a link', () => {
  const { catalogue, bundled } = testBox.directories;
  for (const name of ['own', 'torn', 'linked', 'plain']) testBox.bundle(name);
  testBox.own('own', { 'manifest.json': manifest('2') });
  testBox.own('torn', { 'manifest.json': '{' });
  symlinkSync(join(bundled, 'linked'), join(catalogue, 'linked'));
  writeFileSync(join(catalogue, 'plain'), '');
  const names = () => listBundledApps(testBox.box).map(({ name, version }) => `${name} ${version}`);
  assert.deepEqual(names(), ['own 2', 'plain 1.0.0']);
  assert.equal(testBox.box.apps.one('bundled', 'own')?.path, join(catalogue, 'own'));
  rmSync(join(catalogue, 'own'), { recursive: true });
  assert.deepEqual(names(), ['own 1.0.0', 'plain 1.0.0']);
  assert.equal(testBox.box.apps.one('bundled', 'own')?.path, join(bundled, 'own'));
});

test('choice/box/302: an entry has the newer version that is offered, and the list stays the same array', () => {
  testBox.installed('a', { 'manifest.json': manifest('1.9') });
  testBox.installed('broken', { 'manifest.json': '{' });
  testBox.bundle('broken');
  const apps = later(testBox.box.folders);
  const available = () => listApps({ ...testBox.box, apps }).map((app) => app.available_version);
  assert.deepEqual(available(), [null, null]);
  testBox.bundle('a', { 'manifest.json': manifest('1.10') });
  assert.deepEqual(available(), ['1.10', null]);
  assert.equal(listApps({ ...testBox.box, apps }), listApps({ ...testBox.box, apps }));
  testBox.own('a', { 'manifest.json': '{' });
  assert.deepEqual(available(), [null, null]);
});

test('choice/box/302: the installed apps are listed if the bundled ones cannot be read', () => {
  testBox.installed('a');
  const folders: AppFolders = {
    ...testBox.box.folders,
    list(place) {
      if (place === 'bundled') throw new StorageFailed('cannot read the bundled apps');
      return testBox.box.folders.list(place);
    },
  };
  const apps = later(folders);
  assert.deepEqual(
    listApps({ ...testBox.box, apps }).map((app) => app.name),
    ['a'],
  );
  assert.equal(listApps({ ...testBox.box, apps }), listApps({ ...testBox.box, apps }));
});

test('a port that is the default of a number follows that setting', () => {
  const { box, installed } = testBox;
  const ports = [8080, { port: 8080, label: 'Web' }, 22];
  for (const [env, type, shown] of [
    ['PORT=8081', 'number', [8081, { port: 8081, label: 'Web' }, 22]],
    ['', 'number', ports],
    ['PORT=', 'number', ports],
    ['PORT=x', 'number', ports],
    ['PORT=808080', 'number', ports],
    ['PORT=8081', 'text', ports],
  ] as const) {
    const settings = [{ name: 'PORT', type, default: '8080' }];
    const manifest = JSON.stringify({ name: 'notes', version: '1', ports, settings });
    installed('notes', { 'manifest.json': manifest, '.env': `${env}\n` });
    const [app] = box.apps.all('installed');
    assert.deepEqual(app && declaredPorts(box, app), shown, `${env} ${type}`);
  }
});
