import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { makeUpdateFiles } from './adapters/update-files.ts';
import { updateApplyCommand, updateCheckCommand } from './commands.ts';

const releaseKey = '/nowhere/release-key.pem';
let folder = '';
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'boxgate-update-'));
});
after(() => rm(folder, { recursive: true }));

async function feedOf(version: string): Promise<string> {
  const path = join(folder, 'feed.json');
  await writeFile(path, JSON.stringify({ version, archives: {} }));
  return pathToFileURL(path).href;
}

const stateIn = async (stateDir: string) =>
  JSON.parse(await readFile(join(stateDir, 'update-state.json'), 'utf8'));

/** box/process/25 */
describe('box update check', () => {
  test('names the running version and a newer one', async () => {
    const end = await updateCheckCommand({ releaseFeed: await feedOf('2.0.0'), releaseKey }, '1.0.0');
    assert.deepEqual(end, { status: 0, text: 'version 1.0.0 runs; version 2.0.0 is available' });
  });

  test('says that nothing is newer', async () => {
    const end = await updateCheckCommand({ releaseFeed: await feedOf('1.0.0'), releaseKey }, '1.0.0');
    assert.match(end.text, /is no newer/);
  });

  test('choice/box/332: ends with status 1 and names the setting where no feed is configured', async () => {
    const end = await updateCheckCommand({ releaseFeed: null, releaseKey }, '1.0.0');
    assert.equal(end.status, 1);
    assert.match(
      end.text,
      /^no release feed is configured; set BOX_RELEASE_FEED in \/etc\/boxgate\/box\.env/,
    );
  });
});

describe('box update apply', () => {
  test('makes the state directory and writes down how it ended', async () => {
    const stateDir = join(folder, 'fresh');
    const end = await updateApplyCommand(
      { releaseFeed: await feedOf('1.0.0'), releaseKey, stateDir },
      '1.0.0',
    );
    assert.equal(end.status, 0);
    assert.equal((await stateIn(stateDir)).stage, 'done');
  });

  test('ends with status 1 and the reason of the roll-back', async () => {
    const stateDir = join(folder, 'newer');
    const end = await updateApplyCommand(
      { releaseFeed: await feedOf('2.0.0'), releaseKey, stateDir },
      '1.0.0',
    );
    assert.equal(end.status, 1);
    const { stage, reason } = await stateIn(stateDir);
    assert.equal(stage, 'rolled_back');
    assert.equal(end.text, `rolled back: ${reason}`);
  });

  test('ends with status 1 beside an update that runs', async () => {
    const stateDir = join(folder, 'held');
    await updateApplyCommand({ releaseFeed: null, releaseKey, stateDir }, '1.0.0');
    const lock = await makeUpdateFiles(stateDir).tryLock();
    const end = await updateApplyCommand({ releaseFeed: null, releaseKey, stateDir }, '1.0.0');
    assert.deepEqual(end, { status: 1, text: 'an update is already running' });
    lock?.release();
  });
});
