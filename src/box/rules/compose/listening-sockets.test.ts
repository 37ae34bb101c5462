import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseListeningSockets } from './listening-sockets.ts';

const head = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n';
const line = (local: string, state: string, inode: number) =>
  `   0: ${local} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000     0        0 ${inode} 1 0000 100 0 0 10 0\n`;

test('reads listening sockets of TCP, and leaves connections out', () => {
  const text = `${head}${line('0100007F:1F90', '0A', 11)}${line('00000000:0050', '0A', 12)}${line('0501A8C0:0050', '01', 13)}`;
  assert.deepEqual(parseListeningSockets(text, 'tcp'), [
    { protocol: 'tcp', address: '127.0.0.1', from: 8080, to: 8080, inode: '11' },
    { protocol: 'tcp', address: '0.0.0.0', from: 80, to: 80, inode: '12' },
  ]);
});

test('reads sockets of UDP that are not connected', () => {
  const text = `${head}${line('3500007F:0035', '07', 21)}${line('3500007F:0036', '01', 22)}`;
  assert.deepEqual(parseListeningSockets(text, 'udp'), [
    { protocol: 'udp', address: '127.0.0.53', from: 53, to: 53, inode: '21' },
  ]);
});

test('reads addresses of IPv6; the one for every address also covers IPv4', () => {
  const addresses = {
    '00000000000000000000000000000000': '',
    '00000000000000000000000001000000': '::1',
    '0000000000000000FFFF00000501A8C0': '192.168.1.5',
    '000080FE00000000FF005450B6AD1DFE': 'fe80::5054:ff:fe1d:adb6',
  };
  for (const [hex, address] of Object.entries(addresses)) {
    const [socket] = parseListeningSockets(`${head}${line(`${hex}:0016`, '0A', 1)}`, 'tcp');
    assert.equal(socket?.address, address);
  }
});

test('skips a truncated line and lines of another form', () => {
  const cut = line('00000000:0050', '0A', 12345).slice(0, -25);
  assert.deepEqual(parseListeningSockets(`${head}   0: nonsense 0 0A\n\n${cut}`, 'tcp'), []);
});
