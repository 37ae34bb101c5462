import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../lib/testing/temporary-folder.ts';
import { makeTrash } from './trash.ts';
import { makeWorkFolder } from './work-folder.ts';

/** The path of a second file system, if the machine has one. */
const memory = '/dev/shm';
const isElsewhere = existsSync(memory) && statSync(memory).dev !== statSync(tmpdir()).dev;

test('lies beside the installed apps if the state directory is on another file system', {
  skip: isElsewhere ? false : 'there is no second file system here',
}, async () => {
  const state = mkdtempSync(join(tmpdir(), 'boxgate-test-'));
  const root = mkdtempSync(join(memory, 'boxgate-test-'));
  try {
    const installed = join(root, 'apps');
    mkdirSync(join(installed, 'a'), { recursive: true });
    writeFileSync(join(installed, 'a/data'), 'x');
    const work = makeWorkFolder(installed);
    const trash = makeTrash({ installed, state }, work, () => new Date('2026-01-02T03:04:05Z'));
    const entry = await trash.put('a');
    assert.ok(existsSync(join(root, '.boxgate-apps/trash', entry.id, 'a/data')));
    assert.equal(statSync(join(root, '.boxgate-apps')).mode & 0o777, 0o700);
    assert.deepEqual(trash.list(), [entry]);
    await trash.restore(entry.id);
    assert.ok(existsSync(join(installed, 'a/data')));
    assert.ok(!existsSync(join(root, '.boxgate-apps')));

    await trash.condemn((await trash.put('a')).id);
    assert.deepEqual(trash.list(), []);
    assert.deepEqual([await trash.eraseCondemned(), await trash.eraseCondemned()], [true, false]);
    trash.tidy();
    assert.ok(!existsSync(join(root, '.boxgate-apps')));
  } finally {
    rmSync(state, { recursive: true });
    rmSync(root, { recursive: true });
  }
});

test('reports a missing app, and leaves nothing behind', async () => {
  const root = temporaryFolder();
  try {
    mkdirSync(join(root, 'apps'));
    const directories = { installed: join(root, 'apps'), state: root };
    const trash = makeTrash(directories, makeWorkFolder(directories.installed), () => new Date());
    await assert.rejects(trash.put('absent'), { name: 'StorageFailed', message: /^cannot remove .*\/apps\/absent: / });
    await assert.rejects(trash.restore('absent'), { message: 'there is no removed app absent' });
    assert.equal(execFileSync('find', [join(root, 'trash'), '-mindepth', '1'], { encoding: 'utf8' }), '');
  } finally {
    rmSync(root, { recursive: true });
  }
});
