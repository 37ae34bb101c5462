import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { idleProgram, isArchitecture } from './idle-program.ts';

const own = process.arch === 'x64' ? 'amd64' : process.arch;

test('runs on this machine until it is killed', { skip: !isArchitecture(own) }, async () => {
  assert.ok(isArchitecture(own));
  const folder = mkdtempSync(join(tmpdir(), 'boxgate-idle-'));
  try {
    const file = join(folder, 'idle');
    writeFileSync(file, idleProgram(own), { mode: 0o755 });
    const child = spawn(file, { stdio: 'ignore' });
    await once(child, 'spawn');
    // The process sleeps in its only system call. A wrong program would have been killed by a signal.
    while (child.exitCode === null && child.signalCode === null) {
      const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8');
      if (stat.includes('(idle) S')) break;
      await new Promise(setImmediate);
    }
    child.kill('SIGKILL');
    const [, signal] = await once(child, 'exit');
    assert.equal(signal, 'SIGKILL');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('has a program for each supported architecture, and supports no others', () => {
  for (const name of ['amd64', 'arm64'] as const) assert.equal(idleProgram(name).toString('latin1', 0, 4), '\x7fELF');
  assert.equal(isArchitecture('riscv64'), false);
  assert.equal(isArchitecture('toString'), false);
});
