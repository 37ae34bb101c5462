import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { temporaryParent } from '../../lib/testing/temporary-folder.ts';
import type { StoreAddress } from '../gateway-settings.ts';
import type { Store } from '../ports.ts';
import { openStore } from '../store/open-store.ts';
import { makePostgresDatabase, type PostgresDatabase } from '../store/postgres/postgres-database.ts';

/** A kind of store. Tests for all kinds run once for each. */
export type StoreKind = {
  name: 'memory' | 'file' | 'postgres';
  /** Why its tests are skipped. */
  skip: string | false;
  makePlace(): Promise<Place>;
};

type Place = { address: StoreAddress; remove(): Promise<void> };

/** A place for the stores of one test. */
export type StoreFixture = {
  address: StoreAddress;
  /** Opens the store once more, as another process would. */
  open(): Promise<Store>;
  /** Registers something to close before the place is removed. */
  closeBefore(close: () => Promise<void>): void;
};

/** A URL of a PostgreSQL server whose user may create databases. */
const server = process.env.GATEWAY_TEST_POSTGRES;

export const memory: StoreKind = {
  name: 'memory',
  skip: false,
  makePlace: async () => ({ address: { kind: 'memory' }, remove: async () => undefined }),
};

export const file: StoreKind = {
  name: 'file',
  skip: false,
  async makePlace() {
    const folder = mkdtempSync(join(temporaryParent(), 'boxgate-store-'));
    return {
      address: { kind: 'file', path: join(folder, 'gateway.db') },
      remove: async () => rmSync(folder, { recursive: true }),
    };
  },
};

export const postgres: StoreKind = {
  name: 'postgres',
  skip: server === undefined && 'GATEWAY_TEST_POSTGRES names no PostgreSQL server on which databases may be made',
  async makePlace() {
    const url = new URL(server ?? '');
    const admin = makePostgresDatabase(url.href);
    const name = `boxgate_test_${process.pid}_${process.hrtime.bigint()}`;
    await admin.ask(`CREATE DATABASE ${name} TEMPLATE template0`, []);
    url.pathname = `/${name}`;
    return {
      address: { kind: 'postgres', url: url.href },
      async remove() {
        await admin.ask(`DROP DATABASE ${name} WITH (FORCE)`, []);
        await admin.close();
      },
    };
  },
};

/** Makes an empty place. After the test, its stores are closed and it is removed. */
export async function makeStoreFixture(kind: StoreKind, t: TestContext): Promise<StoreFixture> {
  const { address, remove } = await kind.makePlace();
  const closings: (() => Promise<void>)[] = [];
  t.after(async () => {
    for (const close of closings) await close();
    await remove();
  });
  return {
    address,
    async open() {
      const store = await openStore(address);
      closings.push(() => store.close());
      return store;
    },
    closeBefore(close) {
      closings.push(close);
    },
  };
}

/** Runs `work` with direct access to the database. */
export async function withDatabase<Result>(
  { address }: StoreFixture,
  work: (database: PostgresDatabase) => Promise<Result>,
): Promise<Result> {
  if (address.kind !== 'postgres') throw new TypeError('not on PostgreSQL');
  const database = makePostgresDatabase(address.url);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
