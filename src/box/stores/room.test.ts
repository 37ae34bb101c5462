import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { actByCommand, printRoom } from '../../console/rooms.ts';
import { StorageFailed } from '../core.ts';
import { useTestBox } from '../testing/test-box.ts';
import { lookForNewer } from '../versions/look.ts';
import { storeRoom, storesRoom } from './room.ts';

const manifest = (id: string) => JSON.stringify({ id, name: 'Notes', version: '1.0', port: 8123, short_desc: 'Notes' });
const services = JSON.stringify({ services: [{ name: 'notes', image: 'notes:1', isMain: true, internalPort: 80 }] });

const testBox = useTestBox();

test('an owner adds a store, sees what it offers, and removes it', async () => {
  const { box, root } = testBox;
  const folder = join(root, 'my-appstore');
  for (const app of ['notes', 'broken']) {
    mkdirSync(join(folder, 'apps', app), { recursive: true });
    writeFileSync(join(folder, 'apps', app, 'config.json'), manifest(app));
  }
  writeFileSync(join(folder, 'apps', 'notes', 'docker-compose.json'), services);
  const act = (name: string, fields: Record<string, string>) => actByCommand(box, { act: `stores/${name}`, fields });

  assert.deepEqual(await printRoom(box, 'stores'), { status: 0, lines: ['there is no store'] });
  const added = await act('add', { address: folder });
  assert.deepEqual(added, { status: 0, text: 'Store my: 1 app is offered, 1 is left out.' });
  assert.deepEqual(
    box.apps.all('bundled').map(({ name, manifest: read }) => [name, read?.store]),
    [['notes', 'my']],
  );
  const [leftOut] = (await storeRoom(box).read('my')).sections;
  assert.match(leftOut?.rows[0]?.facts?.[0] ?? '', /^Its folder has neither docker-compose\.json/);

  await assert.rejects(act('add', { address: folder }), /there is a store my already/);
  await assert.rejects(act('add', { address: '/', name: 'A' }), /no name of a store/);
  await assert.rejects(act('update', { name: 'other' }), /there is no store other: the stores are my/);
  const copies = join(testBox.directories.state, 'stores');
  rmSync(copies, { recursive: true });
  await act('update', {});
  assert.equal(box.apps.all('bundled').length, 1, 'a missing copy is made anew');
  rmSync(folder, { recursive: true });
  const away = await act('update', {});
  assert.deepEqual(
    [away.status, /^Store my was not read anew: .+\. Its apps stay/.test(away.text)],
    [1, true],
    away.text,
  );
  const { status, lines } = await printRoom(box, 'stores');
  assert.deepEqual([status, lines[0]?.split('\n')[1]?.startsWith('  It was not read anew: ')], [1, true]);
  assert.equal((await storesRoom(box).read('')).sections[0]?.rows[2]?.state, 'problem');
  assert.equal(box.apps.all('bundled').length, 1);
  await act('remove', { name: 'my' });
  assert.deepEqual([box.apps.all('bundled'), box.stores.list()], [[], []]);
});

test('a store whose copy cannot be written leaves the others to be read, and no half copy', async () => {
  const { box, root } = testBox;
  const writeStores = (version: string) => {
    for (const store of ['one', 'two', 'three']) {
      const app = join(root, store, 'apps', 'notes');
      mkdirSync(app, { recursive: true });
      writeFileSync(join(app, 'config.json'), manifest('notes'));
      writeFileSync(join(app, 'docker-compose.json'), services);
      writeFileSync(join(app, `${version}.txt`), '');
    }
  };
  const act = (name: string, fields: Record<string, string>) => actByCommand(box, { act: `stores/${name}`, fields });
  writeStores('1');
  for (const store of ['one', 'two', 'three']) await act('add', { address: join(root, store) });
  const before = box.stores.list().map(({ copy }) => copy);
  const { write } = box.stores;
  box.stores.write = async (name, ...more) => {
    if (name === 'two') throw new StorageFailed('no space left on the disk');
    return write(name, ...more);
  };
  writeStores('2');
  assert.equal((await act('update', {})).status, 1);
  const after = box.stores.list();
  assert.deepEqual(
    after.map(({ copy, problem }, index) => [copy === before[index], problem]),
    [
      [false, null],
      [true, 'no space left on the disk'],
      [false, null],
    ],
  );
  const copies = readdirSync(join(testBox.directories.state, 'stores'));
  assert.deepEqual(copies.sort(), after.map(({ copy }) => copy).sort());

  const file = join(testBox.directories.state, 'stores.json');
  writeFileSync(file, '[{"name":"one",');
  for (const name of ['add', 'update'])
    await assert.rejects(act(name, { address: '/' }), /is not a list of stores: mend/);
  assert.equal(readFileSync(file, 'utf8'), '[{"name":"one",', 'a damaged list is not replaced');
  const { problems } = await lookForNewer(box);
  assert.deepEqual(
    problems.map(({ image }) => image),
    ['the list of stores'],
    'the images are looked up',
  );
  assert.deepEqual(readdirSync(join(testBox.directories.state, 'stores')).sort(), copies);
});
