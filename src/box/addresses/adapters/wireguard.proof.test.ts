import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../lib/testing/temporary-folder.ts';

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
const { wireGuard } = await import('./wireguard.ts');

/** Values of the peer, one for each call: end of the gateway, latest handshake, received bytes. */
const says = (...values: [end: string, handshake: number, received: number][]) =>
  writeFileSync(join(folder, 'said-dump'), values.map((value) => `${lineOf(...value)}\n`).join(''));
const lineOf = (end: string, handshake: number, received: number) =>
  ['publicKey=', 'psk=', '203.0.113.1:51820', `${end}/32`, handshake, received, 7, 25].join('\t');
const ends = { box: '127.0.0.1', gateway: '127.0.0.1' };
const answers = (...values: [handshake: number, received: number][]) => {
  says(...values.map(([handshake, received]): [string, number, number] => ['127.0.0.1', handshake, received]));
  return wireGuard.answers('tunnel', 'publicKey=', ends);
};

test('reads the peer that has the key of the gateway', async () => {
  says(['10.8.0.9', 1767323045, 92]);
  assert.deepEqual(await wireGuard.peer('tunnel', 'publicKey='), {
    gatewayAddress: '10.8.0.9',
    endpoint: '203.0.113.1:51820',
    handshakeAt: new Date('2026-01-02T03:04:05Z'),
    receivedBytes: 92,
  });
  says(['10.8.0.9', 0, 0]);
  assert.equal((await wireGuard.peer('tunnel', 'publicKey='))?.handshakeAt, null);
  assert.equal(await wireGuard.peer('tunnel', 'another='), null);
});

test('choice/gateway/221: the gateway has answered as soon as more has been received', async () => {
  assert.equal(await answers([9, 5000], [9, 5000], [9, 5148]), true);
});

test('choice/gateway/221: neither a reset counter nor a handshake is an answer, the next packet is', async () => {
  assert.equal(await answers([9, 5000], [0, 0], [11, 92], [11, 92], [11, 124]), true);
  assert.equal(readFileSync(join(folder, 'said-dump'), 'utf8'), `${lineOf('127.0.0.1', 11, 124)}\n`);
});

test('asks the kernel for routes', async () => {
  assert.equal((await wireGuard.routeTo('127.0.0.1', '127.0.0.1'))?.dev, 'lo');
  assert.equal(await wireGuard.routeTo('127.0.0.1', '192.0.2.77'), null);
  assert.ok(Number(wireGuard.mtu('lo')) > 1280);
  assert.equal(wireGuard.mtu('none'), null);
});

test('reports a missing interface in the words of wg', async () => {
  await assert.rejects(wireGuard.peer('other', 'publicKey='), {
    name: 'TunnelProblem',
    message: /^wg show other dump: .*No such device$/,
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
