import assert from 'node:assert/strict';
import { test } from 'node:test';
import { overlap, plainAddress } from './port-span.ts';

const span = (address: string, from = 80, to = from, protocol = 'tcp') => ({ protocol, address, from, to });

test('spans overlap if protocol, ports and addresses overlap', () => {
  const cases: [ReturnType<typeof span>, ReturnType<typeof span>, boolean][] = [
    [span(''), span('127.0.0.1'), true],
    [span('::1'), span(''), true],
    [span('192.168.1.5'), span('192.168.1.5'), true],
    [span('127.0.0.1'), span('192.168.1.5'), false],
    [span('0.0.0.0'), span('192.168.1.5'), true],
    [span('fd00::1'), span('::'), true],
    [span('0.0.0.0'), span('::'), false],
    [span('0.0.0.0'), span('::1'), false],
    [span('', 80), span('', 81), false],
    [span('', 81), span('', 80), false],
    [span('', 80, 90), span('', 90, 99), true],
    [span('', 80, 80, 'udp'), span('', 80), false],
  ];
  for (const [a, b, expected] of cases) {
    assert.equal(overlap(a, b), expected, JSON.stringify([a, b]));
    assert.equal(overlap(b, a), expected, JSON.stringify([b, a]));
  }
});

test('an address is normalized to one spelling', () => {
  const spellings: [string, string | null][] = [
    ['127.0.0.1', '127.0.0.1'],
    ['0:0:0:0:0:0:0:0', '::'],
    ['FD00:0::1', 'fd00::1'],
    ['::ffff:192.168.1.5', '192.168.1.5'],
    ['::ffff:0:1', '0.0.0.1'],
    ['localhost', null],
    ['127.1', null],
    ['::1%eth0', null],
    ['', null],
  ];
  for (const [text, expected] of spellings) assert.equal(plainAddress(text), expected, text);
});
