import { deepEqual } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readTunnelAddresses } from './tunnel-addresses.ts';

const folder = mkdtempSync(join(tmpdir(), 'boxgate-tunnel-addresses-'));
after(() => rmSync(folder, { recursive: true, force: true }));
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
