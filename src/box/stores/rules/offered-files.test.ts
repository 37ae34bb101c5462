import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldersToMake, furtherFiles, modeOf, withStore } from './offered-files.ts';

const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const files = { 'manifest.json': '{"name":"notes","icon":""}', 'compose.yaml': '', '.env.example': '' };

test("a store's picture is named by its bytes, and its data lie in the app's folder", () => {
  const further = furtherFiles(
    new Map([
      ['metadata/logo.jpg', gif],
      ['data/a.conf', Buffer.from('a')],
      ['data/large', null],
      ['data/kept/.gitkeep', Buffer.from('')],
    ]),
  );
  assert.deepEqual([...further.keys()], ['app-data/data/a.conf', 'icon.gif']);
  const manifest = JSON.parse(withStore(files, 'runtipi', further)['manifest.json']);
  assert.deepEqual(manifest, { name: 'notes', icon: 'icon.gif', store: 'runtipi' });
});

test('a small drawing comes before a picture, and what is no picture is left out', () => {
  const drawn = { ...files, 'manifest.json': '{"icon":"icon.svg"}', 'icon.svg': '<svg/>' };
  const manifest = JSON.parse(withStore(drawn, 'casaos', new Map([['icon.gif', gif]]))['manifest.json']);
  assert.deepEqual(manifest, { icon: 'icon.svg', store: 'casaos' });
  const large = withStore({ ...drawn, 'icon.svg': ' '.repeat(5000) }, 'casaos', new Map([['icon.gif', gif]]));
  assert.deepEqual([JSON.parse(large['manifest.json']).icon, large['icon.svg']], ['icon.gif', undefined]);
  assert.equal(furtherFiles(new Map([['icon.png', Buffer.from('no picture')]])).size, 0);
  assert.equal(furtherFiles(new Map([['icon.png', null]])).size, 0);
  assert.equal(furtherFiles(new Map()).size, 0);
  assert.equal(JSON.parse(withStore(files, 'casaos', new Map())['manifest.json']).icon, '');
});

test("the folders of an app's mounts are made, where its files leave room", () => {
  const open = ['app-data/data/web', 'folders/media', 'app-data/data/a.conf', 'app-data/data/a.conf/below'];
  const files = ['data/a.conf', 'data/kept/.gitkeep', 'config.json'];
  const made = ['app-data/data/web', 'folders/media', 'app-data/data/kept'];
  assert.deepEqual(foldersToMake(open, files), made);
  const odd = [
    'app-data/../..',
    'manifest.json',
    'app-data/$X',
    'app-data/a\0b',
    `app-data/${'x'.repeat(101)}`,
    '/etc',
  ];
  assert.deepEqual(foldersToMake(odd, []), []);
  const many = Array.from({ length: 60 }, (_, index) => `app-data/${index}`);
  assert.equal(foldersToMake(many, []).length, 50);
});

test('the users of all containers may write the folder of the data only', () => {
  assert.deepEqual(
    [modeOf('app-data', true), modeOf('app-data/data/a.sh', false), modeOf('folders/media', true)],
    [0o777, 0o777, 0o777],
  );
  assert.deepEqual(
    [modeOf('', true), modeOf('compose.yaml', false), modeOf('app-data.txt', false)],
    [0o755, 0o644, 0o644],
  );
});
