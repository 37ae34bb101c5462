import assert from 'node:assert/strict';
import { test } from 'node:test';
import { furtherFiles, withStore } from './offered-files.ts';

const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const files = { 'manifest.json': '{"name":"notes","icon":""}', 'compose.yaml': '', '.env.example': '' };

test("a store's picture is named by its bytes, and its data lie in the app's folder", () => {
  const further = furtherFiles(
    new Map([
      ['metadata/logo.jpg', gif],
      ['data/a.conf', Buffer.from('a')],
      ['data/large', null],
    ]),
  );
  assert.deepEqual([...further.keys()], ['app-data/data/a.conf', 'icon.gif']);
  const manifest = JSON.parse(withStore(files, 'runtipi', further)['manifest.json']);
  assert.deepEqual(manifest, { name: 'notes', icon: 'icon.gif', store: 'runtipi' });
});

test('a drawing comes before a picture, and what is no picture is left out', () => {
  const drawn = { ...files, 'manifest.json': '{"icon":"icon.svg"}', 'icon.svg': '<svg/>' };
  const manifest = JSON.parse(withStore(drawn, 'casaos', new Map([['icon.gif', gif]]))['manifest.json']);
  assert.deepEqual(manifest, { icon: 'icon.svg', store: 'casaos' });
  assert.equal(furtherFiles(new Map([['icon.png', Buffer.from('no picture')]])).size, 0);
  assert.equal(furtherFiles(new Map([['icon.png', null]])).size, 0);
  assert.equal(furtherFiles(new Map()).size, 0);
  assert.equal(JSON.parse(withStore(files, 'casaos', new Map())['manifest.json']).icon, '');
});
