import assert from 'node:assert/strict';
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../lib/testing/temporary-folder.ts';
import { makeTrash } from './trash.ts';
import { makeWorkFolder } from './work-folder.ts';

test('lies among the installed apps, and goes when it is empty', async () => {
  const installed = join(temporaryFolder(), 'apps');
  mkdirSync(join(installed, 'a'), { recursive: true });
  writeFileSync(join(installed, 'a/data'), 'x');
  const work = makeWorkFolder(installed);
  const trash = makeTrash(installed, work, () => new Date('2026-01-02T03:04:05Z'));
  const entry = await trash.put('a');
  assert.ok(existsSync(join(work.path, 'trash', entry.id, 'a/data')));
  assert.equal(statSync(work.path).mode & 0o777, 0o700);
  assert.deepEqual(trash.list(), [entry]);
  await trash.restore(entry.id);
  assert.ok(existsSync(join(installed, 'a/data')));
  assert.ok(!existsSync(work.path));

  await assert.rejects(trash.put('absent'), /cannot remove/);
  assert.ok(!existsSync(work.path));

  await trash.condemn((await trash.put('a')).id);
  assert.deepEqual(trash.list(), []);
  assert.deepEqual([await trash.eraseCondemned(), await trash.eraseCondemned()], [true, false]);
  trash.tidy();
  assert.ok(!existsSync(work.path));
});
