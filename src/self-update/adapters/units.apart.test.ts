import assert from 'node:assert/strict';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, test } from 'node:test';
import { temporaryFolder } from '../../lib/testing/temporary-folder.ts';
import { makeServiceManager } from './systemd.ts';

let folder = '';
beforeEach(async () => {
  folder = temporaryFolder();
});

/** A small fake systemctl: it records each call and ends as the script says. */
async function manager(script: string) {
  const path = join(folder, 'systemctl');
  await writeFile(path, `#!/bin/sh\necho "$*" >>"${folder}/calls"\n${script}\n`);
  await chmod(path, 0o755);
  return makeServiceManager({ PATH: `${folder}:${process.env.PATH}` });
}

const calls = async () => (await readFile(join(folder, 'calls'), 'utf8')).replaceAll('--user ', '').trim().split('\n');

describe('the state of a unit', () => {
  test('is read from its properties, in any order', async () => {
    const text = 'MainPID=12\nNRestarts=3\nExecStart={ path=/opt/x ; argv[]=/opt/x --a=b ; }\nActiveState=active';
    const { status } = await manager(`printf '%s\\n' '${text}'`);
    assert.deepEqual(await status('a.service'), {
      state: 'active',
      pid: 12,
      restarts: 3,
      command: '{ path=/opt/x ; argv[]=/opt/x --a=b ; }',
    });
    assert.deepEqual(await calls(), ['show -p ActiveState -p MainPID -p NRestarts -p ExecStart a.service']);
  });

  test('is unknown if there is no answer', async () => {
    const { status } = await manager('exit 1');
    assert.deepEqual(await status('a.service'), { state: 'unknown', pid: 0, restarts: 0, command: '' });
  });
});

describe('choice/box/365: a restart', () => {
  test('starts a service that has failed too often as well', async () => {
    const { restart } = await manager('case $* in *reset-failed*) exit 1;; esac');
    await restart('a.service');
    assert.deepEqual(await calls(), ['reset-failed a.service', 'restart a.service']);
  });

  const failures: [string, RegExp][] = [
    [
      'echo "Job for a.service failed." >&2; echo "See more." >&2; exit 1',
      /Job for a\.service failed\.; journalctl -u/,
    ],
    ['exit 4', /systemctl ended with status 4/],
  ];
  for (const [script, message] of failures) {
    test(`that fails says why: ${script}`, async () => {
      const { restart } = await manager(script);
      await assert.rejects(restart('a.service'), { name: 'UpdateFailed', message });
    });
  }

  test('says that there is no systemd', async () => {
    const { restart } = makeServiceManager({ PATH: folder });
    await assert.rejects(restart('a.service'), { message: /a\.service did not start: systemctl is not on PATH/ });
  });
});
