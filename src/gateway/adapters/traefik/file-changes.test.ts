import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { alone, hold, inCompany, remove, writeBeside } from './file-changes.ts';

function makeFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'boxgate-changes-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The files of the folder that this process has open; one that is gone ends in "(deleted)". */
function openFiles(folder: string): string[] {
  return readdirSync('/proc/self/fd')
    .map((descriptor) => linkOf(join('/proc/self/fd', descriptor)))
    .filter((path) => path.startsWith(folder));
}

/** The listing of the descriptors is one itself, and is closed by the time that it is looked at. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

for (const [name, calls] of Object.entries({ alone, inCompany })) {
  test(`${name}: a file that is replaced is held until it is let go of, and then not any more`, {
    timeout: 30_000,
  }, async (t) => {
    const folder = makeFolder(t);
    const path = join(folder, 'file');
    writeFileSync(path, 'old');
    const held = hold(path);
    await writeBeside(join(folder, 'beside'), 'new', calls, () => calls.rename(join(folder, 'beside'), path));
    assert.equal(readFileSync(path, 'utf8'), 'new');
    assert.deepEqual(openFiles(folder), [`${path} (deleted)`]);
    held?.letGo();
    while (openFiles(folder).length > 0) await setImmediate();
  });

  test(`${name}: a file that cannot be put in its place leaves nothing open and nothing beside`, async (t) => {
    const folder = makeFolder(t);
    const refused = () => Promise.reject(new Error('no place'));
    await assert.rejects(writeBeside(join(folder, 'beside'), 'new', calls, refused), /no place/);
    assert.deepEqual(readdirSync(folder), []);
    assert.deepEqual(openFiles(folder), []);
  });
}

test('a file that is not there cannot be held, and removing it is no failure', async (t) => {
  const path = join(makeFolder(t), 'file');
  assert.equal(hold(path), null);
  await remove(path);
});
