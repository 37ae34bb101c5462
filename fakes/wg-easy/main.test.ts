import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';

const main = join(import.meta.dirname, 'main.ts');
const env = { ...process.env, WG_EASY_PASSWORD: 'throw-away-Passw0rd' };

test('prints its URL, serves the requested dialect, and ends on SIGTERM', async () => {
  const program = spawn(process.execPath, [main, '--dialect', '14'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(program, 'exit');
  try {
    const [line] = await once(program.stdout, 'data');
    const [, url] = /^listening on (http:\/\/127\.0\.0\.1:\d+)\n$/.exec(String(line)) ?? [];
    assert.equal((await fetch(`${url}/api/session`)).status, 200);
  } finally {
    program.kill('SIGTERM');
  }
  assert.deepEqual(await ended, [0, null]);
});

test('rejects invalid arguments with a message', () => {
  const { status, stderr } = spawnSync(process.execPath, [main, '--dialect', '13'], { env, encoding: 'utf8' });
  assert.deepEqual([status, stderr.split('\n').length], [2, 2]);
  assert.match(stderr, /--dialect is one of 14, 15\.4/);
});
