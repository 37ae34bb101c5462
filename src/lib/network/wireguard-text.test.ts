import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { amneziaKeys, quoted, readEndpoint } from './wireguard-text.ts';

describe('an endpoint that another machine can reach', () => {
  for (const [text, endpoint = text] of [
    ['vpn.example.org:51820'],
    ['vpn_1.example.org.:1'],
    ['203.0.113.5:65535'],
    ['[2001:db8::1]:51820'],
    ['[::ffff:203.0.113.1]:51820'],
    ['2001:db8::1:51820', '[2001:db8::1]:51820'],
    ['fd00::1:51820', '[fd00::1]:51820'],
    ['2001:db8:0:0:0:0:0:1:5182', '[2001:db8:0:0:0:0:0:1]:5182'],
  ] as const) {
    test(text, () => assert.deepEqual(readEndpoint(text), { endpoint }));
  }
});

const neither = 'whose host is neither a name nor an IP address';
const local = 'which no other machine can reach';
const noPort = 'which has no port from 1 to 65535';

describe('an endpoint that is of no use', () => {
  for (const [text, why] of [
    ['2001:db8::1:5182', 'an IPv6 address without brackets whose port cannot be told apart'],
    ['https://vpn.example.org:51820', neither],
    ['vpn.example.org/:51820', neither],
    ['203.0.113.5/24:51820', neither],
    ['2001:db8::1/64:51820', neither],
    ['[vpn]:51820', neither],
    ['vpn.example.org:51820:51820', neither],
    ['203.0.113.256:51820', neither],
    ['127.1:51820', neither],
    ['2130706433:51820', neither],
    ['0x7f000001:51820', neither],
    ['$(reboot):1', neither],
    [':51820', neither],
    ['vpn', 'which has no port'],
    ['vpn:', noPort],
    ['vpn:0', noPort],
    ['vpn:65536', noPort],
    ['vpn:123456', noPort],
    ['localhost:51820', local],
    ['LocalHost.localdomain:51820', local],
    ['box.localhost.:51820', local],
    ['127.0.0.1:51820', local],
    ['0.0.0.0:51820', local],
    ['224.0.0.1:51820', local],
    ['::1:51820', local],
    ['[::]:51820', local],
    ['[fe80::1]:51820', local],
    ['[fe80::1%eth0]:51820', local],
    ['ff02::1:51820', local],
    ['[::ffff:127.0.0.1]:51820', local],
  ] as const) {
    test(text, () => assert.deepEqual(readEndpoint(text), { problem: `the Endpoint "${text}", ${why}` }));
  }
});

test('finds the keys of AmneziaWG in upper and lower case, and no others', () => {
  const text = '[Interface]\nMTU = 1420\nJc = 7\n jmin=1\r\nJc = 8\nH1 = 5\nDNS = 1.1.1.1\n[Peer]\ni5 = <b 0x01>\nS1';
  assert.deepEqual(amneziaKeys(text), ['Jc', 'jmin', 'H1', 'i5']);
  assert.deepEqual(amneziaKeys('[Interface]\nPrivateKey = S1\nPostUp = H1 = 2'), []);
});

test('shows a text of others in one line of limited length', () => {
  assert.equal(quoted('a"\n\u202e'), '"a\\"\\n\\u{202e}"');
  assert.equal(quoted('x'.repeat(5000)).length, 103);
});
