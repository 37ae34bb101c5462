import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '../lib/testing/temporary-folder.ts';
import { makeUpdateFiles } from './adapters/update-files.ts';
import { type UpdateSettings, updateApplyCommand, updateCheckCommand } from './commands.ts';
import { boxProduct } from './product.ts';

const releaseKey = '/nowhere/release-key.pem';
const folder = temporaryFolder();

async function feedOf(version: string): Promise<string> {
  const path = join(folder, 'feed.json');
  await writeFile(path, JSON.stringify({ version, archives: {} }));
  return pathToFileURL(path).href;
}

const stateIn = async (stateDir: string) => JSON.parse(await readFile(join(stateDir, 'update-state.json'), 'utf8'));

/** box/process/25 */
describe('box update check', () => {
  test('names the running version and a newer one', async () => {
    const end = await updateCheckCommand('box', { releaseFeed: await feedOf('2.0.0'), releaseKey }, '1.0.0');
    assert.deepEqual(end, { status: 0, text: 'version 1.0.0 runs; version 2.0.0 is available' });
  });

  test('says that nothing is newer', async () => {
    const end = await updateCheckCommand('box', { releaseFeed: await feedOf('1.0.0'), releaseKey }, '1.0.0');
    assert.match(end.text, /is no newer/);
  });

  test('ends with status 1 and names the setting where no feed is configured', async () => {
    const end = await updateCheckCommand('box', { releaseFeed: null, releaseKey }, '1.0.0');
    assert.equal(end.status, 1);
    assert.match(end.text, /^no release feed is configured; set BOX_RELEASE_FEED in \/etc\/boxgate\/box\.env/);
  });
});

describe('box update apply', () => {
  const settings = async (name: string, version: string | null): Promise<UpdateSettings> => ({
    releaseFeed: version === null ? null : await feedOf(version),
    releaseKey,
    stateDir: join(folder, name),
    softwareDir: join(folder, 'software'),
    unit: null,
    updateWaitSeconds: 1,
  });
  const apply = (of: UpdateSettings, attempt?: string) => updateApplyCommand(boxProduct, of, '1.0.0', attempt);

  test('makes the state directory and writes down how it ended', async () => {
    const fresh = await settings('fresh', '1.0.0');
    assert.deepEqual(await apply(fresh), { status: 0, text: 'done: version 1.0.0 is the newest' });
    assert.equal((await stateIn(fresh.stateDir)).stage, 'done');
  });

  test('ends with status 1 and the reason of the roll-back', async () => {
    const newer = await settings('newer', '2.0.0');
    const end = await apply(newer);
    assert.equal(end.status, 1);
    const { stage, reason } = await stateIn(newer.stateDir);
    assert.equal(stage, 'rolled_back');
    assert.equal(end.text, `rolled back: ${reason}`);
  });

  test('takes the name of the attempt from the server', async () => {
    const named = await settings('named', '1.0.0');
    await apply(named, 'attempt-7');
    assert.equal((await stateIn(named.stateDir)).attempt, 'attempt-7');
  });

  test('says what became of an attempt that was cut off', async () => {
    const cut = await settings('cut', '2.0.0');
    await mkdir(cut.stateDir);
    await writeFile(join(cut.stateDir, 'update-state.json'), '{"stage": "downloading"}');
    const text = 'rolled back: the update was interrupted; version 1.0.0 runs';
    assert.deepEqual(await apply(cut), { status: 1, text });
  });

  test('ends rolled back after a signal', async () => {
    const stopped = await settings('stopped', '1.0.0');
    process.once('newListener', (name) => queueMicrotask(() => process.emit(name)));
    const { status, text } = await apply(stopped);
    assert.deepEqual([status, text.slice(0, 38)], [1, 'rolled back: the update was stopped by']);
  });

  test('ends with status 1 beside an update that runs', async () => {
    const held = await settings('held', null);
    await apply(held);
    const lock = await makeUpdateFiles(held.stateDir).tryLock();
    assert.deepEqual(await apply(held), { status: 1, text: 'an update is already running' });
    lock?.release();
  });
});
