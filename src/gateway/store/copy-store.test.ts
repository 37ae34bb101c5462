import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { temporaryFolder } from '../../lib/testing/temporary-folder.ts';
import type { StoreAddress } from '../gateway-settings.ts';
import type { Store } from '../ports.ts';
import { file, makeStoreFixture, postgres as onPostgres } from '../testing/store-fixtures.ts';
import { copyStore, loadStore, saveStore, storeTables } from './copy-store.ts';
import { openStore, openWhole } from './open-store.ts';
import { migrations, postgres } from './schema.ts';
import { openSqlite } from './sqlite/sqlite-database.ts';
import { query } from './statement.ts';

/** The communication between running processes, which no copy has. */
const processTables = ['changed_routes', 'processes', 'route_revision', 'schema_version'];

describe('a copy of a store', () => {
  it('has every table of the schema but those of running processes', () => {
    const statements = migrations.flatMap((migration) => migration(postgres));
    const made = statements.flatMap((sql) => /^CREATE TABLE (\w+)/.exec(sql)?.[1] ?? []);
    const copied = storeTables().map(({ name }) => name);
    // `schema_version` is made by `migrate`.
    assert.deepEqual([...copied, ...processTables].sort(), [...made, 'schema_version'].sort());
  });

  for (const [from, to] of [
    [file, file],
    [file, onPostgres],
    [onPostgres, file],
    [onPostgres, onPostgres],
  ] as const) {
    it(`from ${from.name} to ${to.name} has equal rows, and the same token is good`, {
      skip: to.skip || from.skip,
    }, async (t) => {
      const source = await filled(from, t);
      const target = await makeStoreFixture(to, t);
      const { id, counts } = await copyStore(source.address, target.address);
      assert.deepEqual(counts, { accounts: 1, store: 1, boxes: 2, routes: 2, ledger: 2, removed_boxes: 0 });
      assert.deepEqual(await rowsOf(target.address), await rowsOf(source.address));
      const opened = await target.open();
      assert.deepEqual([opened.id, (await opened.boxOfToken(tokenHash))?.id], [id, 'box_1']);
      assert.equal(await opened.insertRoute({ ...route, id: 'rt_9', subdomain: 'later', createdAt: 9 }, 9), 'inserted');
    });
  }

  for (const kind of [file, onPostgres]) {
    const { skip } = kind;
    it(`of ${kind.name} is refused while a gateway runs on it`, { skip }, async (t) => {
      const source = await filled(kind, t);
      await (await source.open()).onRoutesChanged(async () => undefined);
      await assert.rejects(
        copyStore(source.address, newFile()),
        /^StoreFailed: --from: .*(another process|gateways run)/,
      );
      await assert.rejects(copyStore((await filled(file, t)).address, source.address), /^StoreFailed: --to: /);
    });

    it(`of ${kind.name} is refused into a store that has content, and names it`, { skip }, async (t) => {
      const target = await filled(kind, t);
      const before = await rowsOf(target.address);
      await assert.rejects(
        copyStore((await filled(file, t)).address, target.address),
        /^StoreFailed: --to: the store is not empty \(rows of accounts: 1, store: 1, boxes: 2, routes: 2, ledger: 2, removed_boxes: 0\)/,
      );
      assert.deepEqual(await rowsOf(target.address), before);
    });

    it(`on ${kind.name} that fails leaves the target empty`, { skip }, async (t) => {
      const source = await filled(file, t);
      if (source.address.kind !== 'file') return;
      const database = openSqlite(source.address.path);
      database.all('PRAGMA foreign_keys = OFF', []);
      database.all("UPDATE routes SET box_id = 'box_missing'", []);
      database.close();
      const target = await makeStoreFixture(kind, t);
      await assert.rejects(copyStore(source.address, target.address), /^StoreFailed: --to: .*foreign key/i);
      await copyStore((await filled(file, t)).address, target.address);
    });
  }

  it('is refused from a store of an older or a newer schema, or from none', async (t) => {
    for (const [version, expected] of [
      [0, /schema version 0, expected \d+: start the gateway once/],
      [99, /schema version 99, this program knows up to \d+: start a newer boxgate/],
    ] as const) {
      const { address: from } = await filled(file, t);
      if (from.kind !== 'file') return;
      const database = openSqlite(from.path);
      database.all('UPDATE schema_version SET version = $1', [version]);
      database.close();
      await assert.rejects(copyStore(from, newFile()), expected);
    }
    await assert.rejects(copyStore(newFile(), newFile()), /--from: there is no store at/);
    await assert.rejects(copyStore({ kind: 'memory' }, (await makeStoreFixture(file, t)).address), /in memory/);
  });
});

describe('a saved store', () => {
  for (const kind of [file, onPostgres]) {
    it(`is made of ${kind.name} while its gateway runs, and replaces the content of another`, {
      skip: kind.skip,
    }, async (t) => {
      const source = await filled(kind, t);
      const running = await source.open();
      await running.onRoutesChanged(async () => undefined);
      const saved = newFile();
      if (saved.kind !== 'file') return;
      await saveStore(source.address, saved.path);
      assert.equal(statSync(saved.path).mode & 0o777, 0o600);
      await running.removeBox('box_1', 5);
      await assert.rejects(loadStore(saved.path, source.address), /another process|gateways run/);
      await running.close();
      await loadStore(saved.path, source.address);
      assert.deepEqual(await rowsOf(source.address), await rowsOf(saved));
    });
  }
});

const tokenHash = new Uint8Array(32).fill(0xf1);
const route = {
  id: 'rt_1',
  boxId: 'box_1',
  appName: 'Größe',
  subdomain: 'notes',
  port: 5231,
  createdAt: 1_790_000_000_123,
};

async function filled(kind: typeof file, t: TestContext) {
  const fixture = await makeStoreFixture(kind, t);
  const store = await openStore(fixture.address);
  await fill(store);
  await store.close();
  return fixture;
}

async function fill(store: Store): Promise<void> {
  const live = { peerId: 'peer-1', peerKey: 'key-1', address: '10.8.0.2', tokenHash };
  await store.insertPendingBox({ id: 'box_1', name: 'Dach 🏠 \'"', peerName: 'boxgate-box_1', createdAt: 3 }, 9, 100);
  await store.activateBox('box_1', live);
  await store.insertPendingBox({ id: 'box_2', name: 'b', peerName: 'boxgate-box_2', createdAt: 4 }, 9, 100);
  await store.insertPendingBox({ id: 'box_3', name: 'gone', peerName: 'boxgate-box_3', createdAt: 5 }, 9, 100);
  await store.removeBox('box_3', 77);
  await store.insertRoute(route, 9);
  await store.insertRoute({ ...route, id: 'rt_2', subdomain: 'photos' }, 9);
  await store.touchBoxes(new Map([['box_1', 1_790_000_000_456]]));
  await store.writeSession(new Uint8Array([0, 255, 10]));
}

function newFile(): StoreAddress {
  return { kind: 'file', path: join(temporaryFolder(), 'gateway.db') };
}

async function rowsOf(address: StoreAddress): Promise<unknown> {
  const whole = await openWhole(address, 'shared');
  try {
    return await whole.transact(function* () {
      const all: Record<string, string[]> = {};
      for (const { name, columns } of storeTables()) {
        const rows = yield* query<Record<string, unknown>>({
          sql: `SELECT ${columns.join(', ')} FROM ${name}`,
          params: [],
        });
        const asText = (value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value);
        all[name] = rows.map((row) => JSON.stringify(columns.map((column) => asText(row[column])))).sort();
      }
      return all;
    });
  } finally {
    await whole.close();
  }
}
