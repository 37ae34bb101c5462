import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { cutShort } from '../box/testing/cut-short.ts';
import { makeSoftwareFolder } from './adapters/software-folder.ts';
import { makeUnitFiles } from './adapters/unit-files.ts';
import { makeUpdateFiles } from './adapters/update-files.ts';
import type { UpdaterPorts } from './ports.ts';
import { isUnfinished } from './rules/update-state.ts';
import { correctInterruptedUpdate } from './status.ts';
import { makeMemoryEnvironment } from './testing/memory-environment.ts';
import { makeServer, makeStopwatch, portsOf } from './testing/memory-server.ts';
import { runUpdate } from './updater.ts';

/** More disk changes than any update makes: the loop below would not end. */
const tooMany = 300;

/** A disk in memory if there is one: the order of changes matters here, not the duration of a sync. */
const memory = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

const root = mkdtempSync(join(memory, 'boxgate-updater-'));
const [software, state, units] = [join(root, 'software'), join(root, 'state'), join(root, 'units')];
after(() => rmSync(root, { recursive: true }));

const unitText = (version: string) => `# the unit of ${version}\n`;

/** A version with the files that an updater reads. */
async function writeVersion(folder: string, version: string): Promise<void> {
  await mkdir(join(folder, 'bin'), { recursive: true });
  await mkdir(join(folder, 'deploy'));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'boxgate', version }));
  await writeFile(join(folder, 'deploy', 'boxgate-box.service'), unitText(version));
  await writeFile(join(folder, 'bin/boxgate'), '#!/bin/sh\n');
  await chmod(join(folder, 'bin/boxgate'), 0o755);
}

/** A box at version 1.0.0, with version 0.9.0 beside it. */
async function install(): Promise<void> {
  rmSync(root, { recursive: true, force: true });
  for (const folder of [software, state, units]) mkdirSync(folder, { recursive: true });
  for (const version of ['0.9.0', '1.0.0']) await writeVersion(join(software, version), version);
  symlinkSync('1.0.0', join(software, 'current'));
  writeFileSync(join(units, 'boxgate-box.service'), unitText('1.0.0'));
}

const currentVersion = () => readlinkSync(join(software, 'current'));

/**
 * The updater of version 1.0.0 on the folders. Only the lock is in memory, because an interrupted run never releases
 * it.
 */
function updaterOn(server = makeServer(currentVersion())): UpdaterPorts {
  const { ports } = makeMemoryEnvironment();
  const stopwatch = makeStopwatch();
  const { readRunning, lock, tryLock } = ports.updateFiles;
  const folder = makeSoftwareFolder(software);
  return {
    ...ports,
    ...portsOf(server, stopwatch, folder.current),
    stopwatch,
    version: currentVersion(),
    software: { ...folder, freeBytes: async () => 1e12, path: '/opt/boxgate' },
    unitFiles: makeUnitFiles(software, ['boxgate-box.service'], units),
    updateFiles: { ...makeUpdateFiles(state), readRunning, lock, tryLock },
    archives: {
      ...ports.archives,
      download: async (_url, { file }) => writeFile(file, 'archive'),
      unpack: async (_file, folder) => writeVersion(folder, '2.0.0'),
    },
  };
}

/** Runs the ExecStartPre command of the unit file, as systemd does before it starts the service. */
function startPre(): void {
  const text = readFileSync(new URL('../../deploy/boxgate-box.service', import.meta.url), 'utf8');
  const [, script = ''] = /^ExecStartPre=-\+\/bin\/sh -c '(.*)'$/m.exec(text) ?? [];
  assert.notEqual(script, '');
  const shown = script.replaceAll('$$', '$').replaceAll('/opt/boxgate', software);
  const { status, stderr } = spawnSync('/bin/sh', ['-c', shown], { env: { ...process.env, BOX_STATE_DIR: state } });
  assert.equal(status, 0, String(stderr));
}

/** Starts the service: the unit's ExecStartPre command, then the server of the current version. */
async function startServer(): Promise<void> {
  startPre();
  const box = updaterOn();
  await correctInterruptedUpdate(box, box.software.previous);
}

const stateNow = () => makeUpdateFiles(state).readState();

function assertWhole(where: string): void {
  const version = currentVersion();
  assert.ok(['1.0.0', '2.0.0'].includes(version), where);
  const { version: found } = JSON.parse(readFileSync(join(software, version, 'package.json'), 'utf8'));
  assert.equal(found, version, where);
  assert.ok(lstatSync(join(software, version, 'bin/boxgate')).isFile(), where);
}

async function assertEnded(where: string): Promise<void> {
  assertWhole(where);
  assert.ok(!existsSync(join(software, '.rollback')), where);
  const { stage, reason, outcome, from } = await stateNow();
  if (stage === undefined) return; // The update was interrupted before its first write.
  const isNew = currentVersion() === '2.0.0';
  assert.deepEqual([stage, reason], isNew ? ['done', undefined] : ['rolled_back', 'interrupted'], where);
  assert.equal(from, '1.0.0');
  assert.match(outcome ?? '', isNew ? /^updated$/ : /^(unchanged|reverted)$/, where);
}

/** Asserts that a second update succeeds and that no files of the first are left. */
async function assertUpdates(where: string): Promise<void> {
  const again = updaterOn();
  assert.equal((await runUpdate(again, 'again')).stage, 'done', where);
  assert.equal(currentVersion(), '2.0.0');
  assert.deepEqual(
    readdirSync(software).filter((name) => name !== '0.9.0'),
    ['1.0.0', '2.0.0', 'current'],
    where,
  );
  assert.equal(readFileSync(join(units, 'boxgate-box.service'), 'utf8'), unitText('2.0.0'), where);
  assert.ok(!isUnfinished(await stateNow()));
}

/** Interrupts an update at its first, second, … disk change until one run succeeds. */
async function atEveryChange(
  recover: (server: ReturnType<typeof makeServer>, where: string) => Promise<void>,
): Promise<Set<string | undefined>> {
  const ends = new Set<string | undefined>();
  for (let count = 1; count < tooMany; count += 1) {
    await install();
    const server = makeServer('1.0.0');
    const outcome = await cutShort(count, () => runUpdate(updaterOn(server), 'cut'));
    const { stage = 'no stage' } = await stateNow();
    const where = `after change ${count}, at ${stage}`;
    assertWhole(where);
    if (outcome === 'done') {
      assert.deepEqual(readdirSync(software).sort(), ['1.0.0', '2.0.0', 'current']);
      assert.ok(count > 30, 'an update changes the disk in many steps');
      return ends;
    }
    await recover(server, where);
    await assertEnded(where);
    // The new version was not checked yet.
    if (['switching', 'restarting'].includes(stage)) assert.equal(currentVersion(), '1.0.0', where);
    ends.add((await stateNow()).outcome);
    await assertUpdates(where);
  }
  assert.fail('the update never got through');
}

/** choice/box/135, choice/box/365 */
describe('an update that is cut off at any change of the disk ends as the old version or as the new one', () => {
  test('after a power cut', async () => {
    const ends = await atEveryChange(startServer);
    assert.deepEqual(ends, new Set([undefined, 'unchanged', 'reverted', 'updated']));
  });

  test('where the updater alone was killed and is started again', async () => {
    const ends = await atEveryChange(async (server, where) => {
      await runUpdate(updaterOn(server), 'cut').catch(() => undefined);
      // An attempt without a written state counts as new and succeeds.
      if ((await stateNow()).reason !== 'interrupted') return;
      assert.equal(server.runs, currentVersion(), where);
    });
    assert.ok(ends.has('reverted'));
  });
});

/** choice/box/365 */
describe('a start of the service', () => {
  test('never goes back to a version that is gone', async () => {
    await install();
    symlinkSync('0.8.0', join(software, '.rollback'));
    startPre();
    assert.equal(currentVersion(), '1.0.0');
  });

  test('follows no link and opens no pipe where the lock belongs', async () => {
    const lock = join(state, 'update.lock');
    const target = join(state, 'target');
    for (const place of [() => symlinkSync(target, lock), () => spawnSync('mkfifo', [lock])]) {
      await install();
      await makeSoftwareFolder(software).switchTo('0.9.0');
      rmSync(lock, { force: true });
      place();
      startPre();
      assert.equal(currentVersion(), '1.0.0');
      assert.equal(existsSync(target), false);
      rmSync(lock);
    }
  });

  test('leaves a switch alone while the updater works', async () => {
    await install();
    await makeSoftwareFolder(software).switchTo('0.9.0');
    const lock = await makeUpdateFiles(state).lock();
    startPre();
    assert.equal(currentVersion(), '0.9.0');
    lock?.release();
    startPre();
    assert.equal(currentVersion(), '1.0.0');
  });
});
