import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { roomProblem, storeProblem } from './disk-room.ts';

/** Mounts a small disk. Skips the test if this user may not. */
function makeDisk(t: TestContext, options: string): string | null {
  const directory = mkdtempSync(join(tmpdir(), 'boxgate-room-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', directory], { stdio: 'ignore' });
  } catch {
    rmSync(directory, { recursive: true });
    t.skip('only root may mount a file system');
    return null;
  }
  t.after(() => {
    execFileSync('umount', [directory]);
    rmSync(directory, { recursive: true });
  });
  return directory;
}

test('choice/gateway/332: a disk with space and a store without a file have no problem', async () => {
  assert.equal(await roomProblem(tmpdir()), null);
  assert.equal(await storeProblem({ kind: 'memory' }), null);
  assert.equal(await storeProblem({ kind: 'file', path: join(tmpdir(), 'gateway.db') }), null);
  assert.equal(await roomProblem('/no/such/directory'), null);
});

test('choice/gateway/332: reports a full disk', async (t) => {
  const disk = makeDisk(t, 'size=1M');
  if (disk === null) return;
  assert.equal(await roomProblem(disk), null);
  writeFileSync(join(disk, 'large'), Buffer.alloc(900 * 1024));
  assert.match((await roomProblem(disk)) ?? '', /^the disk of \S+ is full: \d+ KiB are left$/);
});

test('choice/gateway/332: reports a disk without free inodes', async (t) => {
  const disk = makeDisk(t, 'size=1M,nr_inodes=2');
  if (disk === null) return;
  writeFileSync(join(disk, 'one'), '');
  assert.match((await roomProblem(disk)) ?? '', /is full: it has no room for another file$/);
});

test('choice/gateway/332: reports a read-only disk', async (t) => {
  const disk = makeDisk(t, 'size=1M,ro');
  if (disk === null) return;
  assert.match((await storeProblem({ kind: 'file', path: join(disk, 'gateway.db') })) ?? '', /is read-only$/);
});
