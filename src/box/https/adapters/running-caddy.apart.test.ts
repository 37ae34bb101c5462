import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../lib/testing/temporary-folder.ts';
import { runningCaddy } from './running-caddy.ts';

test("root takes no other user's program for the Caddy, and no variables that would lead the loader", async (t) => {
  const folder = temporaryFolder();
  chmodSync(folder, 0o755);
  symlinkSync('/bin/sh', join(folder, 'caddy'));
  writeFileSync(join(folder, 'run'), 'echo up; read word\n');
  const start = async (more: object) => {
    const env = { LD_BIND_NOW: '1', HASH: 'x' };
    const child = spawn('./caddy', ['run'], { cwd: folder, env, stdio: ['pipe', 'pipe', 'inherit'], ...more });
    t.after(() => child.kill());
    await new Promise((resolve) => child.stdout?.once('data', resolve));
  };
  if (process.getuid?.() === 0) {
    await start({ uid: 65_534, gid: 65_534 });
    assert.notEqual((await runningCaddy(process.env))?.user, 65_534);
  }
  await start({});
  const found = await runningCaddy(process.env);
  assert.deepEqual([found?.user, found?.variables?.LD_BIND_NOW], [process.getuid?.(), undefined]);
});
