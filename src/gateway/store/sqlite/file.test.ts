import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, chownSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, it, type TestContext } from 'node:test';
import { putOdd } from '../../../lib/testing/odd-files.ts';
import { temporaryFolder } from '../../../lib/testing/temporary-folder.ts';
import type { Store } from '../../ports.ts';
import { viewStore } from '../open-store.ts';
import { type Migration, migrations } from '../schema.ts';
import { openFileStore } from './file.ts';
import { openSqlite } from './sqlite-database.ts';

const writer = join(import.meta.dirname, '..', '..', 'testing', 'write-until-killed.ts');

describe('the files of a store in a file', () => {
  it('are readable only by the owner, whatever the umask is', async (t) => {
    const old = process.umask(0);
    t.after(() => process.umask(old));
    const folder = join(temporaryFolder(), 'deep', 'er');
    const store = await openIn(t, join(folder, 'gateway.db'));
    await addBox(store, 'box_1');
    assert.equal(modeOf(folder), 0o700);
    for (const end of ['', '-wal', '-shm', '.lock']) {
      assert.equal(modeOf(join(folder, `gateway.db${end}`)), 0o600, end);
    }
  });

  it('lose the permissions of other users', async (t) => {
    const path = join(temporaryFolder(), 'gateway.db');
    writeFileSync(path, '');
    chmodSync(path, 0o644);
    await openIn(t, path);
    assert.equal(modeOf(path), 0o600);
  });

  const skip = process.getuid?.() !== 0 && 'only root can change owners';
  it('belong to the owner of their folder when root makes them', { skip }, async (t) => {
    const folder = temporaryFolder();
    chownSync(folder, 65_534, 65_534);
    const path = join(folder, 'gateway.db');
    await (await openFileStore(path)).close();
    const newer: Migration[] = [...migrations, () => ['CREATE TABLE later (id TEXT)']];
    const store = await openFileStore(path, undefined, newer);
    t.after(() => store.close());
    await addBox(store, 'box_1');
    const owners = readdirSync(folder).map((name) => [name, statSync(join(folder, name)).uid]);
    const copy = `gateway.db.schema-${migrations.length}`;
    const names = ['gateway.db', 'gateway.db-shm', 'gateway.db-wal', 'gateway.db.lock', copy];
    assert.deepEqual(
      owners,
      names.map((name) => [name, 65_534]),
    );
  });

  it('are refused by name in the form of a pipe, a folder or a link', async (t) => {
    for (const end of ['', '-wal', '-shm', '-journal', '.lock']) {
      for (const kind of ['a named pipe', 'a socket', 'a directory', 'a link to a device']) {
        const path = join(temporaryFolder(), 'gateway.db');
        await putOdd(kind, `${path}${end}`);
        await assert.rejects(
          openIn(t, path),
          { message: new RegExp(`gateway\\.db${end} is not a regular file`) },
          kind,
        );
      }
    }
  });

  it('belong to one process at a time', async (t) => {
    const path = join(temporaryFolder(), 'gateway.db');
    const first = await openIn(t, path);
    const refusal = { name: 'StoreFailed', message: `another process works on the store at ${path}` };
    await assert.rejects(openFileStore(path), refusal);
    await first.close();
    await openIn(t, path);
  });

  for (const [what, make] of [
    ['a directory', (path: string) => mkdirSync(path)],
    ['no database', (path: string) => writeFileSync(path, 'something else '.repeat(100))],
  ] as const) {
    it(`is refused in one line when it is ${what}, and the lock is given back`, async (t) => {
      const path = join(temporaryFolder(), 'gateway.db');
      make(path);
      await assert.rejects(openFileStore(path), { name: 'StoreFailed', message: /^[^\n]*gateway\.db[^\n]*$/ });
      rmSync(path, { recursive: true });
      await openIn(t, path);
    });
  }
});

describe('a view of a store in a file', () => {
  it('reads the changes of the running gateway', async (t) => {
    const path = join(temporaryFolder(), 'gateway.db');
    const store = await openIn(t, path);
    await addBox(store, 'box_1');
    const view = await viewStore({ kind: 'file', path });
    assert.equal(view.id, store.id);
    assert.deepEqual(await view.listBoxes(), await store.listBoxes());
    await addBox(store, 'box_2');
    assert.equal((await view.listBoxes()).length, 2);
    await view.close();
    await addBox(store, 'box_3');
  });

  it('reads a store without a running gateway', async (t) => {
    const path = join(temporaryFolder(), 'gateway.db');
    const store = await openIn(t, path);
    await addBox(store, 'box_1');
    await store.close();
    const view = await viewStore({ kind: 'file', path });
    assert.equal((await view.listBoxes()).length, 1);
    await view.close();
  });

  it('creates no store', async () => {
    const path = join(temporaryFolder(), 'gateway.db');
    await assert.rejects(viewStore({ kind: 'file', path }), {
      name: 'StoreFailed',
      message: `there is no store at ${path}`,
    });
    assert.throws(() => statSync(path));
  });
});

describe('changes of a store in a file', () => {
  it('succeed if another change in the same commit fails', async (t) => {
    const store = await openIn(t, join(temporaryFolder(), 'gateway.db'));
    const same = { id: 'box_1', name: 'attic', peerName: 'boxgate-box_1', createdAt: 5 };
    const outcomes = await Promise.allSettled([
      store.insertPendingBox(same, 10, 100),
      store.insertPendingBox({ ...same, peerName: 'boxgate-other' }, 10, 100),
      store.insertPendingBox({ ...same, id: 'box_2', peerName: 'boxgate-box_2' }, 10, 100),
    ]);
    assert.deepEqual(
      outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason.name)),
      ['inserted', 'StoreFailed', 'inserted'],
    );
    assert.deepEqual(
      (await store.duePeers(1_000, 10)).map(({ peerName }) => peerName),
      ['boxgate-box_1', 'boxgate-box_2'],
    );
  });

  it('all fail if the commit fails, and succeed when commits work again', async (t) => {
    const path = join(temporaryFolder(), 'gateway.db');
    const store = await openIn(t, path);
    await addBox(store, 'box_0');
    const other = openSqlite(path);
    t.after(() => other.close());
    assert.notEqual(await store.boxOfToken(hash('box_0')), null);

    other.all('BEGIN IMMEDIATE', []); // Blocks writes like a full disk: the store waits and gives up.
    const outcomes = await Promise.allSettled([addBox(store, 'box_1'), store.removeBox('box_0', 100)]);
    assert.deepEqual(
      outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.name),
      ['StoreFailed', 'StoreFailed'],
    );
    assert.notEqual(await store.boxOfToken(hash('box_0')), null);
    other.all('ROLLBACK', []);

    await addBox(store, 'box_1');
    assert.ok(await store.removeBox('box_0', 100));
  });

  it('that still wait are committed when the store is closed', async (t) => {
    const path = join(temporaryFolder(), 'gateway.db');
    const store = await openIn(t, path);
    const answer = store.insertPendingBox(
      { id: 'box_1', name: 'attic', peerName: 'boxgate-box_1', createdAt: 5 },
      10,
      100,
    );
    await store.close();
    assert.equal(await answer, 'inserted');
    assert.equal((await (await openIn(t, path)).listBoxes()).length, 1);
  });

  for (const answers of [1, 50, 400]) {
    it(`are all there after a kill -9 when ${answers} of them were answered`, async (t) => {
      const path = join(temporaryFolder(), 'gateway.db');
      const said = await runUntilKilled(path, answers);
      assert.ok(said.length >= answers);
      await assertHolds(await openIn(t, path), said);
    });
  }
});

/** Checks that each confirmed change is in the store. The next change of each box may be in it too. */
async function assertHolds(store: Store, said: readonly string[]): Promise<void> {
  const stages = ['pending', 'live', 'published', 'rotated', 'unpublished', 'removed'];
  const reached = new Map<string, number>();
  for (const line of said) {
    const [stage = '', id = ''] = line.split(' ');
    reached.set(id, Math.max(reached.get(id) ?? 0, stages.indexOf(stage)));
  }
  const boxes = new Map((await store.listBoxes()).map((box) => [box.id, box]));
  const due = new Set((await store.duePeers(1_000, 1_000_000)).map(({ peerName }) => peerName));
  const routed = new Set<string>();
  for await (const { boxId } of store.publishedBoxes()) routed.add(boxId);
  for (const [id, stage] of reached) {
    const box = boxes.get(id);
    const token = async (n: number) => (await store.boxOfToken(hash(`${id} ${n}`))) !== null;
    const happened = {
      pending: box !== undefined || stage >= 4,
      live: stage < 1 || box?.state === 'active' || stage >= 4,
      published: stage < 2 || routed.has(id) || stage >= 3,
      rotated: stage !== 3 || ((await token(1)) && !(await token(0))),
      unpublished: stage < 4 || !routed.has(id),
      removed: stage < 5 || (box === undefined && !(await token(1))),
      entered: due.has(`boxgate-${id}`) === (box?.state !== 'active'),
    };
    for (const [what, is] of Object.entries(happened)) assert.ok(is, `${id} is ${what} after stage ${stage}`);
  }
}

async function runUntilKilled(path: string, answers: number): Promise<string[]> {
  const child = spawn(process.execPath, [writer, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  const said: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    said.push(line);
    if (said.length === answers) child.kill('SIGKILL');
  }
  return said;
}

async function addBox(store: Store, id: string): Promise<void> {
  await store.insertPendingBox({ id, name: 'attic', peerName: `boxgate-${id}`, createdAt: 5 }, 100, 100);
  await store.activateBox(id, { tokenHash: hash(id), peerId: id, peerKey: null, address: `address of ${id}` });
}

async function openIn(t: TestContext, path: string): Promise<Store> {
  const store = await openFileStore(path);
  t.after(() => store.close());
  return store;
}

function modeOf(path: string): number {
  return statSync(path).mode & 0o777;
}

function hash(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}
