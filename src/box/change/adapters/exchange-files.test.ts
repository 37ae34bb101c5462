import assert from 'node:assert/strict';
import fs, { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { basename, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { temporaryFolder } from '../../../lib/testing/temporary-folder.ts';
import { finishFiles, type NewStep, plannedSteps } from './exchange-files.ts';
import { makeJournals } from './journals.ts';

/** The order of writes on the disk: `sync FILE` and `rename FILE`, by the name that the file has at that moment. */
function watchDisk(t: TestContext): string[] {
  const events: string[] = [];
  const { open, rename } = fs.promises;
  t.mock.method(fs.promises, 'open', async (path: string, ...more: [string]) => {
    const handle: FileHandle = await open(path, ...more);
    const sync = handle.sync.bind(handle);
    handle.sync = async () => {
      await sync();
      events.push(`sync ${basename(path)}`);
    };
    return handle;
  });
  t.mock.method(fs.promises, 'rename', async (from: string, to: string) => {
    await rename(from, to);
    events.push(`rename ${basename(to)}`);
  });
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
  return events;
}

type Place = { root: string; directory: string; staging: string; record: { path: string; text: string } };

function makePlace(): Place {
  const root = temporaryFolder();
  const [directory, staging] = [join(root, 'app'), join(root, 'staging')];
  mkdirSync(directory);
  mkdirSync(staging);
  writeFileSync(join(staging, '0'), 'new');
  return { root, directory, staging, record: { path: join(root, 'record.json'), text: '{}' } };
}

/** Writes the journal of an exchange, and carries it out. */
async function exchange({ root, directory, staging, record }: Place, steps: NewStep[]): Promise<void> {
  const files = { directory, staging, steps: plannedSteps(directory, steps), record };
  const journal = { app: 'a', operation: 'install', way: 'forth', files } as const;
  await makeJournals(root).write(journal);
  await finishFiles(makeJournals(root), journal);
}

test("an owner's kept version is synced before the new file takes its place", async (t) => {
  const place = makePlace();
  const { directory } = place;
  writeFileSync(join(directory, 'a.conf'), 'edited');
  const steps = [{ path: 'a.conf', staged: '0', keepAs: 'a.conf.kept' }];

  const events = watchDisk(t);
  await exchange(place, steps);
  const order = ['rename change-journal.json', 'sync a.conf.kept', 'rename a.conf', 'sync app', 'rename record.json'];
  assert.deepEqual(
    events.filter((event) => order.includes(event)),
    order,
  );
  assert.equal(readFileSync(join(directory, 'a.conf.kept'), 'utf8'), 'edited');
  assert.equal(readFileSync(join(directory, 'a.conf'), 'utf8'), 'new');
});

test('without hard links, an old file gets its name only once it is complete', async (t) => {
  const place = makePlace();
  const { directory, staging } = place;
  writeFileSync(join(directory, 'a.conf'), 'edited', { mode: 0o400 });
  writeFileSync(join(staging, 'old-0.part'), 'left of a copy that was cut short', { mode: 0o400 });
  t.mock.method(fs.promises, 'link', () => Promise.reject(new Error('no hard links')));
  let cutShort = true;
  const { copyFile } = fs.promises;
  t.mock.method(fs.promises, 'copyFile', async (from: string, to: string) => {
    if (!cutShort) return copyFile(from, to);
    writeFileSync(to, 'edi');
    throw new Error('cut short');
  });
  const events = watchDisk(t);
  const run = () => exchange(place, [{ path: 'a.conf', staged: '0', keepAs: null }]);
  await assert.rejects(run(), { message: 'cut short' });
  assert.equal(readFileSync(join(directory, 'a.conf'), 'utf8'), 'edited');

  cutShort = false;
  events.length = 0;
  mkdirSync(staging);
  writeFileSync(join(staging, '0'), 'new');
  await run();
  const order = ['sync old-0.part', 'rename old-0', 'sync staging', 'rename a.conf'];
  assert.deepEqual(
    events.filter((event) => order.includes(event)),
    order,
  );
  assert.equal(readFileSync(join(directory, 'a.conf'), 'utf8'), 'new');
});

test("if an owner's version cannot be kept, it stays in place and the install fails", async () => {
  const place = makePlace();
  const { directory } = place;
  const path = 'n'.repeat(252);
  writeFileSync(join(directory, path), 'edited');
  const steps = [{ path, staged: '0', keepAs: `${path}.kept` }];

  await assert.rejects(exchange(place, steps), { code: 'ENAMETOOLONG' });
  assert.equal(readFileSync(join(directory, path), 'utf8'), 'edited');
});
