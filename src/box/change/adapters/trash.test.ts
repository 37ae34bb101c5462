import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeTrash } from './trash.ts';
import { makeWorkFolder } from './work-folder.ts';

/** The path of a second file system, if the machine has one. */
const memory = '/dev/shm';
const isElsewhere = existsSync(memory) && statSync(memory).dev !== statSync(tmpdir()).dev;

test('lies among the installed apps if the state directory is on another file system', {
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
    assert.ok(existsSync(join(root, 'apps/.boxgate/trash', entry.id, 'a/data')));
    assert.equal(statSync(join(root, 'apps/.boxgate')).mode & 0o777, 0o700);
    assert.deepEqual(trash.list(), [entry]);
    await trash.restore(entry.id);
    assert.ok(existsSync(join(installed, 'a/data')));
    assert.ok(!existsSync(join(root, 'apps/.boxgate')));

    await trash.condemn((await trash.put('a')).id);
    assert.deepEqual(trash.list(), []);
    assert.deepEqual([await trash.eraseCondemned(), await trash.eraseCondemned()], [true, false]);
    trash.tidy();
    assert.ok(!existsSync(join(root, 'apps/.boxgate')));
  } finally {
    rmSync(state, { recursive: true });
    rmSync(root, { recursive: true });
  }
});
