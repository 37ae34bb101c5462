import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { temporaryFolder } from '../../lib/testing/temporary-folder.ts';
import { makeStoreFiles } from './adapters/store-files.ts';
import type { StoresBox } from './ports.ts';
import { addStore, checkStore, removeStore, updateStores } from './stores.ts';
import { gitServer, hasGit, makeRepository } from './testing/git-server.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const compose = (version: string) => `name: notes
services:
  web:
    image: registry.example/notes:${version}
    ports: ["8123:80"]
x-casaos: {title: {en_us: Notes}, tagline: {en_us: Notes of yours}, port_map: "8123", version: "${version}"}
`;

const storeOf = (version: string) => ({
  'Apps/Notes/docker-compose.yml': compose(version),
  'Apps/Notes/icon.png': png,
  'Apps/Notes/screenshot-1.png': png,
  'Apps/Broken/docker-compose.yml': 'services: 1',
  'Apps/Large/docker-compose.yml': `#${' '.repeat(300_000)}`,
  'Apps/../../../evil/docker-compose.yml': compose('6.6'),
});

const root = temporaryFolder();
let server: Awaited<ReturnType<typeof gitServer>>;
before(async () => {
  server = await gitServer(root);
});
after(() => server.close());

function boxIn(state: string): StoresBox {
  const box = { stores: makeStoreFiles(state), version: '1.0.0', now: () => new Date(), changes: { run: run } };
  return box as unknown as StoresBox;
}
const run = <T>(work: () => Promise<T>) => work();

test('a copy has the same modes with any umask', { skip: !hasGit && 'no git' }, async () => {
  const state = temporaryFolder();
  const app = {
    services: [{ name: 'web', image: 'notes', volumes: [{ hostPath: '$APP_DATA_DIR/data/web', containerPath: '/x' }] }],
  };
  makeRepository(root, 'modes.git', {
    'apps/notes/config.json': '{"id":"notes"}',
    'apps/notes/docker-compose.json': JSON.stringify(app),
    'apps/notes/data/init/start.sh': '#!/bin/sh',
  });
  const before = process.umask(0o077);
  try {
    const { copy } = await addStore(boxIn(state), { address: `${server.url}/modes.git`, name: null });
    const modeAt = (path: string) => statSync(join(state, 'stores', copy, path)).mode & 0o777;
    const open = ['notes/app-data/data/init/start.sh', 'notes/app-data/data/web'].map(modeAt);
    assert.deepEqual(
      [modeAt(''), modeAt('notes'), modeAt('notes/compose.yaml'), ...open],
      [0o700, 0o755, 0o644, 0o777, 0o777],
    );
  } finally {
    process.umask(before);
  }
});

test('a store in a git repository is read, kept when it is away, and removed', {
  skip: !hasGit && 'no git',
}, async () => {
  const state = temporaryFolder();
  const box = boxIn(state);
  makeRepository(root, 'notes-appstore.git', storeOf('1.0'));
  const store = await addStore(box, { address: `${server.url}/notes-appstore.git`, name: null });
  assert.deepEqual([store.name, store.offered, store.leftOut], ['notes', 1, 3]);
  const app = join(state, 'stores', store.copy, 'notes');
  assert.deepEqual(readdirSync(app).sort(), ['.env.example', 'compose.yaml', 'icon.png', 'manifest.json']);
  const { store: from, icon, version } = JSON.parse(readFileSync(join(app, 'manifest.json'), 'utf8'));
  assert.deepEqual([from, icon], ['notes', 'icon.png']);
  assert.deepEqual(readdirSync(join(state, 'stores')), [store.copy]);
  const reasons = checkStore(box, 'notes').map((one) => [one.folder, one.isOffered ? '' : one.reason]);
  assert.deepEqual(reasons[2], ['Large', 'docker-compose.yml has more than 256 kB, or cannot be read']);

  const [same] = await updateStores(box, null);
  assert.equal(same?.copy, store.copy);

  makeRepository(root, 'notes-appstore.git', storeOf('2.0'));
  const [newer] = await updateStores(box, 'notes');
  assert.notEqual(newer?.copy, store.copy);
  const after = JSON.parse(readFileSync(join(state, 'stores', newer?.copy ?? '', 'notes', 'manifest.json'), 'utf8'));
  assert.notEqual(after.version, version);
  assert.deepEqual(readdirSync(join(state, 'stores')), [newer?.copy]);

  await server.close();
  const [away] = await updateStores(box, null);
  assert.equal(away?.problem, 'it does not answer');
  assert.equal(away?.copy, newer?.copy);

  await removeStore(box, 'notes');
  assert.deepEqual([box.stores.list(), readdirSync(join(state, 'stores'))], [[], []]);
});
