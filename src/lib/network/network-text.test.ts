import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isNetwork } from './network-text.ts';

test('recognizes the addresses and networks that the proxy accepts', () => {
  const valid = ['0.0.0.0/0', '203.0.113.7', '255.255.255.255/32', '::/0', '::1', '2001:db8::/128', '::ffff:1.2.3.4'];
  const invalid = [
    '',
    '1.2.3',
    '1.2.3.4.',
    '256.1.1.1',
    '01.2.3.4',
    '1.2.3.4/33',
    '1.2.3.4/',
    '1.2.3.4/08',
    '1.2.3.4/8/8',
  ];
  for (const text of valid) assert.equal(isNetwork(text), true, text);
  for (const text of [...invalid, '::/129', ':::', 'g::1', '1.2.3.4/-1', 'abc'])
    assert.equal(isNetwork(text), false, text);
});
