import assert from 'node:assert/strict';
import { copyFileSync, existsSync, lstatSync, mkdirSync, readdirSync, rmdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { temporaryFolder } from '../../../lib/testing/temporary-folder.ts';
import type { Store } from '../../ports.ts';
import { type Migration, migrations } from '../schema.ts';
import { openFileStore } from './file.ts';
import { openSqlite } from './sqlite-database.ts';

const newer: readonly Migration[] = [...migrations, () => ['CREATE TABLE later (id TEXT)']];
const undone = async () => true;
const copyOf = (path: string) => `${path}.schema-${migrations.length}`;
const openNewer = (path: string) => openFileStore(path, undefined, newer);
const refusal = { name: 'StoreFailed', message: /start a newer boxgate$/ };

/** choice/gateway/391 */
describe('a migration of a store in a file', () => {
  it('leaves a copy of the old content, readable only by the owner', async (t) => {
    const old = process.umask(0);
    t.after(() => process.umask(old));
    const path = await storeWith('box_1');
    await inStore(openNewer(path), (store) => addBox(store, 'box_2'));
    assert.equal(lstatSync(copyOf(path)).mode & 0o777, 0o600);
    assert.deepEqual(await boxesIn(copyOf(path)), ['box_1']);
    assert.equal(existsSync(`${copyOf(path)}.new`), false);
  });

  it('replaces the copy of an earlier attempt', async () => {
    const path = await storeWith('box_1');
    copyFileSync(path, copyOf(path));
    await inStore(openFileStore(path), (store) => addBox(store, 'box_2'));
    await inStore(openNewer(path));
    assert.deepEqual(await boxesIn(copyOf(path)), ['box_1', 'box_2']);
  });

  it('does not start if the copy cannot be made, and leaves the store unchanged', async () => {
    const path = await storeWith('box_1');
    mkdirSync(`${copyOf(path)}.new`);
    await assert.rejects(openNewer(path), {
      name: 'StoreFailed',
      message: /^the store at \S+ cannot be copied before it is migrated: /,
    });
    assert.deepEqual(await boxesIn(path), ['box_1']);
    rmdirSync(`${copyOf(path)}.new`);
    await inStore(openNewer(path));
  });

  it('is the only start that makes a copy', async () => {
    const path = await storeWith('box_1');
    await inStore(openFileStore(path));
    assert.equal(existsSync(copyOf(path)), false);
  });
});

/** choice/gateway/391 */
describe('a store that the new version of a failed update has migrated', () => {
  it('is replaced by its copy', async () => {
    const path = await storeWith('box_1');
    await inStore(openNewer(path), (store) => addBox(store, 'box_2'));
    await inStore(openFileStore(path, undone));
    assert.deepEqual(await boxesIn(path), ['box_1']);
    assert.equal(existsSync(copyOf(path)), false);
    await inStore(openNewer(path));
  });

  it('is replaced if that version was killed with changes in its write-ahead log', async () => {
    const path = await storeWith('box_1');
    const killed = join(temporaryFolder(), 'gateway.db');
    await inStore(openNewer(path), async (store) => {
      await addBox(store, 'box_2');
      for (const end of ['', '-wal']) copyFileSync(path + end, killed + end);
    });
    copyFileSync(copyOf(path), copyOf(killed));
    await inStore(openFileStore(killed, undone));
    assert.deepEqual(await boxesIn(killed), ['box_1']);
  });

  it('is replaced behind a link, which stays', async () => {
    const path = await storeWith('box_1');
    const linked = join(temporaryFolder(), 'linked.db');
    symlinkSync(path, linked);
    await inStore(openNewer(linked));
    assert.ok(existsSync(copyOf(path)));
    await inStore(openFileStore(linked, undone));
    assert.ok(lstatSync(linked).isSymbolicLink());
    assert.deepEqual(await boxesIn(path), ['box_1']);
  });

  it('is refused without a roll-back in progress, or without a copy', async () => {
    const path = await storeWith('box_1');
    await inStore(openNewer(path));
    await assert.rejects(openFileStore(path), refusal);
    assert.ok(existsSync(copyOf(path)));
    rmSync(copyOf(path));
    await assert.rejects(openFileStore(path, undone), refusal);
    await inStore(openNewer(path));
  });

  it('is not replaced while another program reads it, but at the next start', async () => {
    const path = await storeWith('box_1');
    await inStore(openNewer(path));
    const reader = openSqlite(path, { readOnly: true });
    reader.all('BEGIN', []);
    reader.all('SELECT id FROM boxes', []);
    await assert.rejects(openFileStore(path, undone), { name: 'StoreFailed' });
    reader.close();
    await inStore(openFileStore(path, undone));
    assert.deepEqual(readdirSync(join(path, '..')).sort(), ['gateway.db', 'gateway.db.lock']);
  });
});

async function storeWith(id: string): Promise<string> {
  const path = join(temporaryFolder(), 'gateway.db');
  await inStore(openFileStore(path), (store) => addBox(store, id));
  return path;
}

async function inStore(opened: Promise<Store>, work?: (store: Store) => Promise<void>): Promise<void> {
  const store = await opened;
  try {
    await work?.(store);
  } finally {
    await store.close();
  }
}

async function boxesIn(path: string): Promise<string[]> {
  const ids: string[] = [];
  await inStore(openFileStore(path), async (store) => {
    ids.push(...(await store.listBoxes()).map(({ id }) => id));
  });
  return ids;
}

async function addBox(store: Store, id: string): Promise<void> {
  await store.insertPendingBox({ id, name: 'attic', peerName: `boxgate-${id}`, createdAt: 5 }, 100, 100);
}
