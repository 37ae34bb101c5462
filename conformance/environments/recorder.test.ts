import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { recordedCalls, recordingLauncher } from './recorder.ts';

const folder = mkdtempSync(join(tmpdir(), 'boxgate-recorder-'));
after(() => rmSync(folder, { recursive: true }));

test('passes every argument on, and records arguments and names of variables, oldest first', () => {
  const calls = join(folder, 'calls');
  const launcher = join(folder, 'launcher');
  writeFileSync(launcher, recordingLauncher('/usr/bin/printf', calls), { mode: 0o755 });
  const run = (...argv: string[]) =>
    spawnSync(launcher, argv, { encoding: 'utf8', env: { PATH: process.env.PATH, MYSTERY: 'a\nB=c' } });
  const awkward = ['[%s]', '', "it's", 'two\nlines', '$HOME *'];
  assert.equal(run(...awkward).stdout, "[][it's][two\nlines][$HOME *]");
  assert.equal(run('x').status, 0);
  const [first, second, ...more] = recordedCalls(calls);
  assert.deepEqual(first?.argv, awkward);
  assert.ok(first?.names.includes('MYSTERY') && !first.names.includes('B'));
  assert.deepEqual([second?.argv, more], [['x'], []]);
});
