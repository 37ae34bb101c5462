import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, test } from 'node:test';
import { temporaryFolder } from '../../lib/testing/temporary-folder.ts';
import { makeServiceManager, ownUnit } from './systemd.ts';

let folder = '';
beforeEach(async () => {
  folder = temporaryFolder();
  await mkdir(join(folder, 'bin'));
});

/** A small fake service manager: it records each call and ends as the script says. */
async function manager(scripts: { run: string; ctl: string }) {
  for (const [name, script] of [
    ['systemd-run', scripts.run],
    ['systemctl', scripts.ctl],
  ] as const) {
    const path = join(folder, 'bin', name);
    await writeFile(path, `#!/bin/sh\necho "${name} $*" >>"${folder}/calls"\n${script}\n`);
    await chmod(path, 0o755);
  }
  return makeServiceManager({ PATH: `${join(folder, 'bin')}:${process.env.PATH}` });
}

const calls = async () =>
  (await readFile(join(folder, 'calls'), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => line.replace(' --user', ''));
const start = (jobs: ReturnType<typeof makeServiceManager>) =>
  jobs.start('job.service', ['/usr/bin/node', 'main.cjs', 'a b'], { BOX_PORT: '7000' });

describe('starting a job', () => {
  test('names the unit, collects it, starts it again when it is killed, and hands on command and variables', async () => {
    const jobs = await manager({ run: 'exit 0', ctl: 'exit 0' });
    assert.equal(await start(jobs), 'started');
    assert.deepEqual(await calls(), [
      'systemd-run --unit=job.service --collect --property=Restart=on-abnormal --property=RestartSec=1 ' +
        '--setenv=BOX_PORT=7000 -- /usr/bin/node main.cjs a b',
    ]);
  });

  for (const ctl of ['echo active', 'echo activating; exit 3']) {
    test(`differs from a job of that name that runs: ${ctl}`, async () => {
      assert.equal(await start(await manager({ run: 'exit 1', ctl })), 'already running');
    });
  }

  test('frees the name of a job that is over, and tries once more', async () => {
    const jobs = await manager({
      run: `[ -e "${folder}/freed" ]`,
      ctl: `case $* in *reset-failed*) touch "${folder}/freed";; *) echo failed; exit 3;; esac`,
    });
    assert.equal(await start(jobs), 'started');
    assert.deepEqual((await calls()).slice(1, 3), [
      'systemctl is-active job.service',
      'systemctl reset-failed job.service',
    ]);
  });

  test('fails in the words of the service manager when the second try fails', async () => {
    const jobs = await manager({ run: 'echo "Failed to start: no bus" >&2; exit 1', ctl: 'exit 3' });
    await assert.rejects(start(jobs), { name: 'JobFailed', message: 'Failed to start: no bus' });
    assert.equal((await calls()).filter((call) => call.startsWith('systemd-run')).length, 2);
  });

  test('says that the machine runs no systemd', async () => {
    const jobs = makeServiceManager({ PATH: join(folder, 'bin') });
    await assert.rejects(start(jobs), { name: 'JobFailed', message: /no systemd/ });
  });
});

describe('ownUnit', () => {
  const cases: [string, string | null][] = [
    ['0::/system.slice/boxgate-box.service\n', 'boxgate-box.service'],
    ['0::/user.slice/user-0.slice/session-1.scope\n', null],
    ['1:name=systemd:/system.slice/a.service\n0::/\n', 'a.service'],
    ['', null],
  ];
  for (const [groups, expected] of cases) {
    test(`${JSON.stringify(groups)}: ${expected}`, async () => {
      const path = join(folder, 'cgroup');
      await writeFile(path, groups);
      assert.equal(ownUnit(path), expected);
    });
  }

  test('is null where there are no control groups', () => assert.equal(ownUnit(join(folder, 'none')), null));
});
