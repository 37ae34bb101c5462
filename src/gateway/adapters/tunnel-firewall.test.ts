import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../lib/testing/temporary-folder.ts';
import { tunnelFirewall } from './tunnel-firewall.ts';

const folder = temporaryFolder();

function stateOf(script: string, wgEasyInterface = folder) {
  const program = join(folder, 'nft');
  writeFileSync(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return tunnelFirewall({ wgEasyInterface, program });
}

for (const [state, script] of [
  ['loaded', '[ "$*" = "list chain inet boxgate_gateway from_boxes" ] && printf "\\tdrop\\n"'],
  ['missing', 'echo "type filter hook prerouting priority mangle; policy accept;"'],
  ['missing', 'echo "Error: No such file or directory" >&2; exit 1'],
  ['missing', 'echo "Error: Protocol not supported" >&2; exit 1'],
  ['hidden', 'echo "Operation not permitted (you must be root)" >&2; exit 1'],
] as const) {
  test(`choice/gateway/213: the packet filter is ${state}: ${script}`, async () => {
    assert.equal(await stateOf(script), state);
  });
}

test('runs no command if the interface of wg-easy is missing', async () => {
  assert.equal(await stateOf('exit 1', join(folder, 'none')), 'elsewhere');
});

test('choice/gateway/213: without nft the packet filter is missing', async () => {
  assert.equal(await tunnelFirewall({ wgEasyInterface: folder, program: join(folder, 'none') }), 'missing');
});
