import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { packageRoot } from '../../package-root.ts';
import { StoreFailed } from '../ports.ts';
import {
  file,
  makeStoreFixture,
  postgres as onPostgres,
  type StoreKind,
  withDatabase,
} from '../testing/store-fixtures.ts';
import { listBoxes } from './box-operations.ts';
import { viewStore } from './open-store.ts';
import { type Dialect, identify, type Migration, migrate, migrations, postgres, sqlite } from './schema.ts';
import { openSqlite, runAlone } from './sqlite/sqlite-database.ts';
import { type Operation, query, sql } from './statement.ts';

/** Runs an operation on the database of a test in its own transaction. */
type Run = <Result>(operation: () => Operation<Result>) => Promise<Result>;

const oldBox = (accountId: string) => sql`INSERT INTO boxes (id, account_id, name, peer_name, state, created_at)
  VALUES ('box_1', ${accountId}, 'attic', 'boxgate-box_1', 'pending', 5)`;

const newer: readonly Migration[] = [...migrations, () => ['CREATE TABLE later (id TEXT)']];

for (const { kind, dialect } of [
  { kind: file, dialect: sqlite },
  { kind: onPostgres, dialect: postgres },
]) {
  describe(`the schema on ${kind.name}`, { skip: kind.skip }, () => {
    it('is migrated with its content', (t) =>
      withRun(kind, t, async (run) => {
        const made = await run(() => migrate(dialect, { id: 'store_1' }));
        await run(() => query(oldBox(made.accountId)));
        assert.deepEqual({ ...(await run(() => migrate(dialect, { known: newer }))) }, made);
        assert.equal((await run(listBoxes)).length, 1);
        assert.deepEqual(await run(() => query(sql`SELECT id FROM later`)), []);
      }));

    it('is refused by an older program, which names both versions', (t) =>
      withRun(kind, t, async (run) => {
        await run(() => migrate(dialect, { known: newer }));
        const expected = refusal(
          `the store has schema version ${newer.length}, this program knows up to ${migrations.length}: start a newer boxgate`,
        );
        await assert.rejects(
          run(() => migrate(dialect, { id: 'store_1' })),
          expected,
        );
        await assert.rejects(
          run(() => identify(dialect)),
          expected,
        );
      }));

    it('stays unchanged if a migration fails', (t) =>
      withRun(kind, t, async (run) => {
        await run(() => migrate(dialect, { id: 'store_1' }));
        const failing: Migration[] = [...migrations, () => ['CREATE TABLE later (id TEXT)', 'CREATE NONSENSE']];
        await assert.rejects(
          run(() => migrate(dialect, { known: failing })),
          StoreFailed,
        );
        await run(() => query(sql`CREATE TABLE later (id TEXT)`));
        assert.equal((await run(() => identify(dialect))).id, 'store_1');
      }));

    it('is not created by the read-only view', async (t) => {
      const fixture = await makeStoreFixture(kind, t);
      const isAbsent = /there is no store|the store has no tables yet/;
      await assert.rejects(viewStore(fixture.address), isAbsent);
      await withRunIn(fixture, dialect, async (run) => {
        await assert.rejects(
          run(() => identify(dialect)),
          refusal(/the store has no tables yet/),
        );
        await run(() => migrate(dialect, { id: 'store_1' }));
        await run(() => query(sql`UPDATE schema_version SET version = 0`));
        await assert.rejects(
          run(() => identify(dialect)),
          refusal(/has schema version 0, expected \d/),
        );
      });
    });
  });
}

describe('a store that several processes open at once', { skip: onPostgres.skip }, () => {
  it('is created once', async (t) => {
    const fixture = await makeStoreFixture(onPostgres, t);
    const stores = await Promise.all([1, 2, 3, 4, 5].map(() => fixture.open()));
    assert.equal(new Set(stores.map(({ id, accountId }) => `${id} ${accountId}`)).size, 1);
    assert.match(stores[0]?.id ?? '', /^store_[a-z2-7]{20}$/);
  });
});

describe('a store in a file', () => {
  it('keeps its ids when it is opened again', async (t) => {
    const fixture = await makeStoreFixture(file, t);
    const first = await fixture.open();
    await first.close();
    const again = await fixture.open();
    assert.deepEqual([again.id, again.accountId], [first.id, first.accountId]);
  });
});

async function withRun(kind: StoreKind, t: TestContext, work: (run: Run) => Promise<void>): Promise<void> {
  await withRunIn(await makeStoreFixture(kind, t), kind === file ? sqlite : postgres, work);
}

async function withRunIn(
  fixture: Awaited<ReturnType<typeof makeStoreFixture>>,
  dialect: Dialect,
  work: (run: Run) => Promise<void>,
): Promise<void> {
  if (dialect === postgres) {
    await withDatabase(fixture, ({ transact }) => work(transact));
    return;
  }
  if (fixture.address.kind !== 'file') throw new TypeError('not in a file');
  const database = openSqlite(fixture.address.path);
  await work(async (operation) => runAlone(database, operation()));
  database.close();
}

function refusal(message: string | RegExp): { name: string; message: string | RegExp } {
  return { name: 'StoreFailed', message };
}

it('the way back from a migration is described with the number of this schema', () => {
  const text = readFileSync(join(packageRoot, 'deploy/gateway/README.md'), 'utf8');
  const numbers = [...text.matchAll(/schema-(\d+)/g)].map(([, number]) => Number(number));
  assert.deepEqual([...new Set(numbers)], [migrations.length]);
});
