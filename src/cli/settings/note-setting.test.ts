import { deepEqual, equal, match } from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../lib/testing/temporary-folder.ts';
import { noteSetting, withSetting } from './note-setting.ts';

test('a variable is set in the text of a settings file as systemd and Node read it', () => {
  const place = (value: string) => ({ name: 'PLACE', value });
  equal(withSetting('', place('/mnt/usb')), 'PLACE=/mnt/usb\n');
  equal(withSetting('# PLACE=/x\nPLACE=/y\nA=1', place('/mnt/usb')), '# PLACE=/x\nPLACE=/mnt/usb\nA=1\n');
  equal(withSetting('A=1\n', place('/mnt/my disk')), "A=1\nPLACE='/mnt/my disk'\n");
  equal(withSetting('', place('/mnt/a#b $c "d')), "PLACE='/mnt/a#b $c \"d'\n");
  equal(withSetting('', place("/mnt/it's")), null);
});

test('the settings file is written, or its owner is told the line', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'box.env');
  const setting = { name: 'PLACE', value: '/mnt/usb' };
  const byHand = [`put this line into ${file}, then systemctl restart boxgate-box boxgate-console:`, 'PLACE=/mnt/usb'];
  deepEqual(await noteSetting(file, setting, false), byHand);
  match((await noteSetting(join(folder, 'none/box.env'), setting, true))[0] ?? '', /^put this line/);
  writeFileSync(file, 'A=1\n', { mode: 0o640 });
  match((await noteSetting(file, setting, true)).join(), /^PLACE is set in \S+box\.env; it counts after/);
  deepEqual([readFileSync(file, 'utf8'), statSync(file).mode & 0o777], ['A=1\nPLACE=/mnt/usb\n', 0o640]);
});
