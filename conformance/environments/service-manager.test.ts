import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readUnits, realSystemd } from './service-manager.ts';

const folder = mkdtempSync(join(tmpdir(), 'boxgate-manager-'));
after(() => rmSync(folder, { recursive: true }));

/** Replaces the real program. Prints its arguments, one per line. */
const printer = join(folder, 'printer');
writeFileSync(printer, `#!/bin/sh\nprintf '%s\\n' "$@"\n`, { mode: 0o755 });

function launcher(): { file: string; part: ReturnType<typeof realSystemd> } {
  const root = mkdtempSync(join(folder, 'world-'));
  const part = realSystemd(root, { systemdRun: printer, systemctl: '/bin/true' });
  const file = join(root, 'systemd-run');
  writeFileSync(file, part.launchers['systemd-run'] ?? '', { mode: 0o755 });
  return { file, part };
}

const commands: [options: string[], command: string[]][] = [
  [[], ['/bin/echo', 'a']],
  [
    ['--unit', 'job', '--collect', '--setenv=A=b c'],
    ['/bin/echo', '--unit', 'x'],
  ],
  [
    ['-u', 'job', '-p', 'Type=simple', '-Ek=v', '--'],
    ['/bin/echo', '--', '-p'],
  ],
  [
    ['--property', 'A=1', '--no-block'],
    ['run', "it's", '', 'two\nlines'],
  ],
];

for (const [options, command] of commands) {
  test(`puts a unit into the environment's slice: ${[...options, ...command].join(' ')}`, () => {
    const { file, part } = launcher();
    const { stdout } = spawnSync(file, [...options, ...command], { encoding: 'utf8' });
    const [slice = '', ...rest] = stdout.split('\n');
    assert.match(slice, /^--slice=boxgateconformance[0-9a-f]{12}\.slice$/);
    assert.equal(rest.join('\n'), `${[...options, ...command].join('\n')}\n`);
    assert.deepEqual(part.systemd.calls(), [['systemd-run', ...options, ...command]]);
  });

  test(`makes a held unit wait before its command: ${[...options, ...command].join(' ')}`, async () => {
    const { file, part } = launcher();
    part.systemd.hold();
    const { stdout } = spawnSync(file, [...options, ...command], { encoding: 'utf8' });
    const words = stdout.split('\n');
    const at = words.indexOf('/bin/sh');
    assert.deepEqual(words.slice(1, at), options.join('\n') === '' ? [] : options.join('\n').split('\n'));
    const [shell = '', flag = '', script = '', ...rest] = words.slice(at);
    assert.equal(rest.join('\n').slice(rest[0]?.length ?? 0), `\n${command.join('\n')}\n`);
    // The inserted command waits, and then runs the unit's command.
    const held = spawn(shell, [flag, script, rest[0] ?? '', '/bin/echo', 'let go']);
    assert.equal(held.exitCode, null);
    part.systemd.release();
    const [said] = await once(held.stdout, 'data');
    assert.equal(String(said), 'let go\n');
  });
}

test('parses the active units of a slice, with their variables', () => {
  const text = [
    'Id=job.service\nSlice=own.slice\nActiveState=active\nEnvironment=A=1 "B=two words" C="x=y"',
    'Id=gone.service\nSlice=own.slice\nActiveState=inactive\nEnvironment=',
    'Id=broken.service\nSlice=own.slice\nActiveState=failed\nEnvironment=',
    `Id=other.service\nSlice=system.slice\nActiveState=active\nEnvironment="open`,
  ].join('\n\n');
  assert.deepEqual(readUnits(text, 'own.slice'), [
    { name: 'job.service', activeState: 'active', environment: { A: '1', B: 'two words', C: 'x=y' } },
    { name: 'broken.service', activeState: 'failed', environment: {} },
  ]);
});
