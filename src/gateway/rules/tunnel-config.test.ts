import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isPeerAddress, parseTunnelConfig } from './tunnel-config.ts';

const key = `${'k'.repeat(43)}=`;
const peer = `[Peer]\nPublicKey = ${key}\nEndpoint = vpn.example.test:51820`;
const interfaceWith = (...lines: string[]) => ['[Interface]', `PrivateKey = ${key}`, ...lines].join('\n');
const configWith = (...lines: string[]) => `${interfaceWith(...lines)}\n\n${peer}`;

describe('choice/gateway/38: the address of a configuration', () => {
  for (const [line, address] of [
    ['Address = 10.8.0.2/24', '10.8.0.2'],
    ['Address = 10.8.0.2/24, fdcc:ad94:bacf:61a4::cafe:2/112', '10.8.0.2'],
    ['Address = 10.8.0.2/32, fdcc:ad94:bacf:61a4::cafe:2/128', '10.8.0.2'],
    ['Address = fdcc::2/128, 192.168.7.254/32', '192.168.7.254'],
    ['Address=10.8.0.3', '10.8.0.3'],
    ['Address = fdcc::2/128\nAddress = 10.8.0.4/32', '10.8.0.4'],
    ['Address = 10.8.0.5/24\r', '10.8.0.5'],
  ] as const) {
    test(JSON.stringify(line), () => assert.equal(parseTunnelConfig(configWith(line))?.address, address));
  }
});

test('keeps the text unchanged', () => {
  const text = configWith('Address = 10.8.0.2/24', 'DNS = 1.1.1.1', 'PostUp = iptables -A x');
  assert.equal(parseTunnelConfig(text)?.config, text);
});

test('removes leading blank lines and no others', () => {
  const text = configWith('Address = 10.8.0.2/24');
  assert.equal(parseTunnelConfig(`\n${text}`)?.config, text);
  assert.equal(parseTunnelConfig(` \r\n\t\n\n${text}\n\n`)?.config, `${text}\n\n`);
});

test('does not check the form of keys', () => {
  const text = configWith('Address = 10.8.0.2/24').replaceAll(key, 'kkk');
  assert.deepEqual(parseTunnelConfig(text), { config: text, address: '10.8.0.2' });
});

describe('a text that is not the configuration of a peer', () => {
  for (const [name, text] of [
    ['nothing', ''],
    ['a page', '<!doctype html><title>wg-easy</title>'],
    ['an error', '{"statusCode":404,"stack":[]}'],
    ['no private key', `[Interface]\nAddress = 10.8.0.2/24\n\n${peer}`],
    ['two private keys', configWith(`PrivateKey = ${key}`, 'Address = 10.8.0.2/24')],
    ['an empty private key', configWith('Address = 10.8.0.2/24').replace(key, '')],
    ['a private key of the peer only', `[Interface]\nAddress = 10.8.0.2/24\n\n${peer}\nPrivateKey = ${key}`],
    ['no peer', interfaceWith('Address = 10.8.0.2/24')],
    ['a peer without a key', interfaceWith('Address = 10.8.0.2/24', '[Peer]', 'Endpoint = a:1')],
    ['a peer without an end', configWith('Address = 10.8.0.2/24').replace(/\nEndpoint.*/, '')],
    ['a peer that is cut short', configWith('Address = 10.8.0.2/24').slice(0, -40)],
    ['no address', configWith('DNS = 1.1.1.1')],
    ['an address in the peer only', `${configWith('DNS = 1.1.1.1')}\nAddress = 10.8.0.2/24`],
    ['IPv6 only', configWith('Address = fdcc::2/128')],
    ['a half address', configWith('Address = 10.8.0/24')],
    ['a name', configWith('Address = box.example.test')],
    ['something before it', `# hello\n${configWith('Address = 10.8.0.2/24')}`],
  ] as const) {
    test(name, () => assert.equal(parseTunnelConfig(text), null));
  }
});

describe('an address that a peer can have', () => {
  for (const [address, can] of [
    ['10.8.0.2', true],
    ['1.0.0.0', true],
    ['223.255.255.255', true],
    ['128.0.0.1', true],
    ['0.0.0.0', false],
    ['127.0.0.1', false],
    ['224.0.0.1', false],
    ['255.255.255.255', false],
    ['10.8.0.256', false],
    ['10.8.0.02', false],
    ['10.8.0', false],
    ['10.8.0.2.1', false],
    ['10.8.0.2 ', false],
    ['10.8.0.`', false],
    ['0x0a.8.0.2', false],
    ['', false],
  ] as const) {
    test(JSON.stringify(address), () => assert.equal(isPeerAddress(address), can));
  }
});
