import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../lib/testing/temporary-folder.ts';
import { caddyOf } from './running-caddy.ts';

test('root takes over no variables that another user, or the loader, would lead it by', async (t) => {
  const folder = temporaryFolder();
  chmodSync(folder, 0o755);
  symlinkSync('/bin/sh', join(folder, 'caddy'));
  writeFileSync(join(folder, 'run'), 'echo up; read word\n');
  const start = async (more: object) => {
    const env = { LD_BIND_NOW: '1', HASH: 'x' };
    const child = spawn('./caddy', ['run'], { cwd: folder, env, stdio: ['pipe', 'pipe', 'inherit'], ...more });
    t.after(() => child.kill());
    await new Promise((resolve) => child.stdout?.once('data', resolve));
    return caddyOf(String(child.pid));
  };
  const own = await start({});
  assert.deepEqual([own?.variables?.HASH, own?.variables?.LD_BIND_NOW], ['x', undefined]);
  if (process.getuid?.() !== 0) return;
  const other = await start({ uid: 65_534, gid: 65_534 });
  assert.equal(other?.group, 65_534);
  // Beside a service of systemd that runs the tests, it belongs to that.
  if (other?.unit === null) assert.equal(other.variables, undefined);
});
