import assert from 'node:assert/strict';
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../lib/testing/temporary-folder.ts';
import { makeBackupTimer } from './backup-timer.ts';

test('switches the timer, and writes its time beside the unit', async () => {
  const folder = temporaryFolder();
  const program = join(folder, 'systemctl');
  writeFileSync(program, `#!/bin/sh\necho "$*" >> ${folder}/calls\n`);
  chmodSync(program, 0o755);
  process.env.PATH = `${folder}:${process.env.PATH}`;
  const timer = makeBackupTimer(folder);
  await timer.enable('04:10');
  const file = join(folder, 'boxgate-backup.timer.d/time.conf');
  assert.equal(readFileSync(file, 'utf8'), '[Timer]\nOnCalendar=\nOnCalendar=*-*-* 04:10:00\n');
  assert.equal(statSync(file).mode & 0o777, 0o644);
  await timer.enable(null);
  await timer.disable();
  const [enable, restart] = ['enable boxgate-backup.timer', 'restart boxgate-backup.timer'];
  const calls = ['daemon-reload', enable, restart, enable, restart, 'disable --now boxgate-backup.timer'];
  assert.deepEqual(readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n'), calls);

  for (const [shown, next] of [
    ['Fri 2026-11-27 04:15:00 UTC', '2026-11-27T04:15:00.000Z'],
    ['', undefined],
    ['n/a', undefined],
  ] as const) {
    writeFileSync(program, `#!/bin/sh\n[ "$TZ$1" = UTCshow ] && echo "${shown}"\n`);
    assert.equal((await timer.nextAt())?.toISOString(), next);
  }
  writeFileSync(program, '#!/bin/sh\necho Failed to connect to bus >&2\nexit 1\n');
  const message =
    /^systemctl enable boxgate-backup\.timer failed: Failed to connect to bus; .*deploy\/boxgate-backup\.service/;
  await assert.rejects(timer.enable(null), { name: 'StorageFailed', message });
});
