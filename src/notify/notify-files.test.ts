import assert from 'node:assert/strict';
import { statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../lib/testing/temporary-folder.ts';
import { makeNotifyFiles } from './notify-files.ts';
import { emptyLog, withNotices } from './rules/notices.ts';

const modeOf = (file: string) => statSync(file).mode & 0o777;

test('the kept address counts before that of the settings, and only its owner reads it', async () => {
  const folder = temporaryFolder();
  const files = makeNotifyFiles(folder, 'https://ntfy.sh/of-settings');
  assert.deepEqual(files.address(), { address: 'https://ntfy.sh/of-settings', isKept: false });
  await files.setAddress('https://ntfy.sh/kept');
  assert.deepEqual(files.address(), { address: 'https://ntfy.sh/kept', isKept: true });
  assert.equal(modeOf(join(folder, 'notify-address')), 0o600);
  await files.setAddress(null);
  await files.setAddress(null);
  assert.equal(files.address()?.isKept, false);
  assert.equal(makeNotifyFiles(folder, null).address(), null);
});

test('an address file with something else is refused without a word of it', () => {
  const folder = temporaryFolder();
  const { address } = makeNotifyFiles(folder, null);
  writeFileSync(join(folder, 'notify-address'), 'gopher://secret');
  assert.throws(address, (error: Error) => error.name === 'StorageFailed' && !error.message.includes('secret'));
});

test('a link in the place of the address is not followed', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'other'), 'https://ntfy.sh/other');
  symlinkSync('other', join(folder, 'notify-address'));
  assert.throws(makeNotifyFiles(folder, null).address, { name: 'StorageFailed' });
});

test('another process reads what was told', async () => {
  const folder = temporaryFolder();
  const { log } = makeNotifyFiles(folder, null);
  assert.deepEqual(log.load(), emptyLog);
  const told = withNotices(emptyLog, [{ topic: 'disk', state: 'low', text: 'The disk is low.' }], new Date(0));
  await log.inTurn(() => log.save(told));
  assert.deepEqual(makeNotifyFiles(folder, null).log.load(), told);
  assert.deepEqual(log.load(), told);
  assert.equal(log.load(), log.load());
  assert.equal(modeOf(join(folder, 'notify.json')), 0o600);
});
