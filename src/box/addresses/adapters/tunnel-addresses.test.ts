import { deepEqual } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../lib/testing/temporary-folder.ts';
import { readTunnelAddresses } from './tunnel-addresses.ts';

const folder = temporaryFolder();
const config = join(folder, 'tunnel.conf');

const texts: [text: string, addresses: string[]][] = [
  ['', []],
  ['[Interface]\nAddress = 10.8.0.2/24\n', ['10.8.0.2']],
  ['address=10.8.0.2/24 , fd42::2/64\r\nADDRESS = 10.9.0.2', ['10.8.0.2', 'fd42::2', '10.9.0.2']],
  ['#Address = 10.8.0.2\nAddresses = 10.8.0.3\nDNS = 10.8.0.1', []],
];

for (const [text, addresses] of texts) {
  test(`choice/box/200: finds the addresses of ${JSON.stringify(text)}`, () => {
    writeFileSync(config, text);
    deepEqual(readTunnelAddresses(folder), addresses);
  });
}

test('choice/box/200: there are none without a regular file', () => {
  rmSync(config, { force: true });
  deepEqual(readTunnelAddresses(folder), []);
  mkdirSync(config);
  deepEqual(readTunnelAddresses(folder), []);
  rmSync(config, { recursive: true });
  execFileSync('mkfifo', [config]);
  deepEqual(readTunnelAddresses(folder), []);
});
