import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../lib/testing/temporary-folder.ts';

/**
 * The fake `wg show NAME WHAT` prints the next line of the file `said-WHAT` at each call, and repeats the last line.
 */
const folder = temporaryFolder();
writeFileSync(
  join(folder, 'wg'),
  `#!/bin/sh
file=${folder}/said-$3
[ "$1 $2" = 'show tunnel' ] && [ -e "$file" ] || { echo 'Unable to access interface: No such device' >&2; exit 1; }
head -n 1 "$file"
if [ "$(wc -l <"$file")" -gt 1 ]; then tail -n +2 "$file" >"$file.new" && mv "$file.new" "$file"; fi
`,
);
chmodSync(join(folder, 'wg'), 0o755);
process.env.PATH = `${folder}:${process.env.PATH}`;
const { makeWireGuard } = await import('./wireguard.ts');
const wireGuard = makeWireGuard();

const says = (what: string, ...values: string[]) =>
  writeFileSync(join(folder, `said-${what}`), values.map((value) => `publicKey=\t${value}\n`).join(''));

test("reads the gateway's end and the time of the latest handshake", async () => {
  says('allowed-ips', '10.8.0.9/32');
  says('latest-handshakes', '1767323045');
  assert.deepEqual(await wireGuard.peer('tunnel'), {
    gatewayAddress: '10.8.0.9',
    handshakeAt: new Date('2026-01-02T03:04:05Z'),
  });
  says('latest-handshakes', '0');
  assert.equal((await wireGuard.peer('tunnel')).handshakeAt, null);
});

test('choice/gateway/221: the gateway has answered as soon as more has been received', async () => {
  says('transfer', '5000\t1', '5000\t2', '5148\t3');
  assert.equal(await wireGuard.answers('tunnel', '127.0.0.1'), true);
});

test('choice/gateway/221: a reset counter is not an answer, the next packet is', async () => {
  says('transfer', '5000\t1', '0\t0', '0\t148', '92\t240');
  assert.equal(await wireGuard.answers('tunnel', '127.0.0.1'), true);
  assert.equal(readFileSync(join(folder, 'said-transfer'), 'utf8'), 'publicKey=\t92\t240\n');
});

test('reports a missing interface in the words of wg', async () => {
  await assert.rejects(wireGuard.peer('other'), {
    name: 'TunnelProblem',
    message: /^wg show other allowed-ips: .*No such device$/,
  });
});

test('leave takes an interface down only if it has the key of the configuration', async (t) => {
  t.mock.method(os, 'networkInterfaces', () => ({ tunnel: [{ address: '10.8.0.2' }] }));
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
  const config = join(folder, 'tunnel.conf');
  const downed = join(folder, 'downed');
  writeFileSync(config, '[Interface]\nPrivateKey = own=\n');
  writeFileSync(join(folder, 'wg-quick'), `#!/bin/sh\necho "$@" >${downed}\n`, { mode: 0o755 });
  writeFileSync(join(folder, 'said-private-key'), 'other=\n');
  await wireGuard.takeDown(config, '10.8.0.2');
  assert.equal(existsSync(downed), false);
  writeFileSync(join(folder, 'said-private-key'), 'own=\n');
  await wireGuard.takeDown(config, '10.8.0.2');
  assert.equal(readFileSync(downed, 'utf8'), `down ${config}\n`);
});

test('names the interface that has an address', () => {
  assert.equal(wireGuard.interfaceWith('127.0.0.1'), 'lo');
  assert.equal(wireGuard.interfaceWith('192.0.2.77'), null);
});
