import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const boxgate = join(import.meta.dirname, '..', 'src', 'cli', 'boxgate.cjs');

for (const [api, folder, ending] of [
  ['box', 'BOX_STATE_DIR', 'SIGTERM'],
  ['gateway', 'GATEWAY_ROUTES_DIR', 'the end of the input'],
] as const) {
  test(`an environment of a ${api} is there until ${ending}, with variables that a shell can read`, async () => {
    const child = spawn(process.execPath, [boxgate, 'conformance', 'environment', api]);
    const exited = once(child, 'exit');
    let text = '';
    for await (const chunk of child.stdout) {
      text += chunk;
      if (!/removes the environment\.\n$/.test(text)) continue;
      const script = `${text}\necho "$${folder} $${api.toUpperCase()}_PORT"`;
      const [place = '', port] = spawnSync('/bin/sh', ['-eu', '-c', script], { encoding: 'utf8' })
        .stdout.trim()
        .split(' ');
      assert.match(port ?? '', /^\d+$/);
      assert.ok(existsSync(place), place);
      if (ending === 'SIGTERM') child.kill('SIGTERM');
      else child.stdin.end();
      assert.deepEqual(await exited, [0, null]);
      assert.ok(!existsSync(place), place);
    }
  });
}
