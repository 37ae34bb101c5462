import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { temporaryFolder } from '../../../lib/testing/temporary-folder.ts';
import { acquireSqliteLock } from './sqlite-lock.ts';

function makePath(): string {
  const folder = temporaryFolder();
  return join(folder, 'gateway.db.lock');
}

/** A process that takes the lock, reports whether it got it, and keeps it. */
async function takeElsewhere(t: TestContext, path: string) {
  const program = `
    import { acquireSqliteLock } from ${JSON.stringify(import.meta.resolve('./sqlite-lock.ts'))};
    globalThis.lock = acquireSqliteLock(${JSON.stringify(path)});
    console.log(globalThis.lock === null ? 'refused' : 'taken');
    setInterval(() => {}, 1000);
  `;
  const child = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  const [said] = await once(child.stdout, 'data');
  return { child, said: String(said).trim() };
}

test('is held by one process, and by the next after that was killed', async (t) => {
  const path = makePath();
  const { child, said } = await takeElsewhere(t, path);
  assert.equal(said, 'taken');
  assert.equal(acquireSqliteLock(path), null);
  assert.equal(acquireSqliteLock(path), null);
  child.kill('SIGKILL');
  await once(child, 'close');
  const lock = acquireSqliteLock(path);
  assert.equal((await takeElsewhere(t, path)).said, 'refused');
  lock?.release();
  assert.equal((await takeElsewhere(t, path)).said, 'taken');
});

test('a refused attempt in the same process does not release the lock', async (t) => {
  const path = makePath();
  const lock = acquireSqliteLock(path);
  assert.notEqual(lock, null);
  assert.equal(acquireSqliteLock(path), null);
  assert.equal((await takeElsewhere(t, path)).said, 'refused');
  lock?.release();
});

test('its file stays empty and readable only by its owner', () => {
  const path = makePath();
  acquireSqliteLock(path)?.release();
  const lock = acquireSqliteLock(path);
  assert.equal(readFileSync(path).length, 0);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  lock?.release();
});

test('fails on a file that is no database', () => {
  const path = makePath();
  writeFileSync(path, 'this is no database, and it is longer than a header of one would be'.repeat(20));
  assert.throws(() => acquireSqliteLock(path), /not a database/);
});
