import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  isPeerAddress,
  type KnownNetwork,
  type Network,
  networkOfManager,
  parseTunnelConfig,
  parseTunnelNetwork,
} from './tunnel-config.ts';

const key = `${'k'.repeat(43)}=`;
const peer = `[Peer]\nPublicKey = ${key}\nEndpoint = vpn.example.test:51820`;
const interfaceWith = (...lines: string[]) => ['[Interface]', `PrivateKey = ${key}`, ...lines].join('\n');
const configWith = (...lines: string[]) => `${interfaceWith(...lines)}\n\n${peer}`;

/** The values of every property of the result; `''` for those that it does not have. */
function parsed(text: string, network: KnownNetwork | null = null) {
  return { config: '', address: '', problem: '', ...parseTunnelConfig(text, network) };
}

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
    test(JSON.stringify(line), () => assert.equal(parsed(configWith(line)).address, address));
  }
});

test('keeps the text unchanged', () => {
  const text = configWith('Address = 10.8.0.2/24', 'DNS = 1.1.1.1', 'PostUp = iptables -A x');
  assert.equal(parsed(text).config, text);
});

test('choice/gateway/38: the text names the network that is set, which wg-easy 15 leaves out', () => {
  const network = { address: '10.8.0.0', prefix: 29, isSet: true };
  const own = parsed(configWith('Address = 10.8.0.2/32, fdcc::10.8.0.2/128'), network).config;
  assert.equal(own, configWith('Address = 10.8.0.2/29, fdcc::10.8.0.2/128'));
  for (const line of ['Address = 10.8.0.2', 'Address = 10.8.0.2/24']) {
    assert.equal(parsed(configWith(line), network).config, configWith('Address = 10.8.0.2/29'));
    assert.equal(parsed(configWith(line), { ...network, isSet: false }).config, configWith(line));
  }
});

test('removes leading blank lines and no others', () => {
  const text = configWith('Address = 10.8.0.2/24');
  assert.equal(parsed(`\n${text}`).config, text);
  assert.equal(parsed(` \r\n\t\n\n${text}\n\n`).config, `${text}\n\n`);
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
    ['169.253.255.255', true],
    ['0.0.0.0', false],
    ['169.254.0.1', false],
    ['169.254.169.254', false],
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

describe('an address that no box can use is shown', () => {
  const end = { address: '10.8.0.0', prefix: 24 };
  for (const [line, network] of [
    ['169.254.169.254/32', null],
    ['127.0.0.2/8', null],
    ['fdcc::2/128', null],
    ['10.8.0/24', null],
    ['box.example.test', null],
    ['10.9.0.2/32', end],
    ['10.8.0.1/24', end],
    ['10.8.0.0/24', end],
    ['10.8.0.255/24', end],
    ['192.168.1.1/16', end],
    ['8.8.8.8/32', end],
  ] as const) {
    test(`${line}${network === null ? '' : ' beside 10.8.0.0/24'}`, () => {
      const { problem } = parsed(configWith(`Address = ${line}`), network);
      assert.ok(problem.startsWith(`its configuration has the Address "${line}", and a box needs an IPv4 address`));
      assert.equal(problem.includes('in the network of the tunnels, 10.8.0.0/24: correct'), network !== null);
    });
  }
  for (const last of [2, 254]) {
    test(`10.8.0.${last} is usable in 10.8.0.0/24`, () => {
      assert.equal(parsed(configWith(`Address = 10.8.0.${last}/32`), end).address, `10.8.0.${last}`);
    });
  }
});

describe("the manager's network among the addresses of an interface", () => {
  for (const [name, addresses, end] of [
    ['the first of a network', ['10.8.0.1/24'], '10.8.0.0/24'],
    ['the first of a small network', ['10.8.0.9/29'], '10.8.0.8/29'],
    ['a second one', ['10.8.0.7/24', '10.9.0.1/16'], '10.9.0.0/16'],
    ['a VPN client', ['10.66.66.2/24'], null],
    ['a VPN client with a /32', ['10.66.66.1/32'], null],
    ['none', [], null],
  ] as const) {
    test(name, () => {
      const found = networkOfManager(addresses.map(parseEnd));
      assert.deepEqual(found, end === null ? null : parseEnd(end));
    });
  }
});

test('a network of tunnels is written by its first address, and has room for both ends', () => {
  assert.deepEqual(parseTunnelNetwork('10.8.0.8/29'), { address: '10.8.0.8', prefix: 29 });
  assert.deepEqual(parseTunnelNetwork('10.0.0.0/8'), { address: '10.0.0.0', prefix: 8 });
  for (const text of [
    '',
    '10.8.0.0',
    '10.8.0.1/24',
    '10.8.0.0/31',
    '10.8.0.0/7',
    '10.8.0.0/24/1',
    '127.0.0.0/8',
    'fd00::/64',
  ])
    assert.equal(parseTunnelNetwork(text), null, text);
});

function parseEnd(text: string): Network {
  const [address = '', prefix] = text.split('/');
  return { address, prefix: Number(prefix) };
}

test('names the keys of AmneziaWG and what to set', () => {
  const text = configWith('Address = 10.8.0.2/24', 'Jc = 7', 'jmin=10', 'S1 = 72', 'h4 = 5', 'I5 = <b 0x01>');
  assert.equal(
    parsed(text).problem,
    'it makes AmneziaWG tunnels (Jc, jmin, S1, h4, I5 in its configuration), and boxes have plain WireGuard: set ' +
      'OVERRIDE_AUTO_AWG=wg in the environment of wg-easy, or leave out EXPERIMENTAL_AWG, and restart it',
  );
});

describe('the endpoint of a configuration', () => {
  const withEndpoint = (endpoint: string) =>
    configWith('Address = 10.8.0.2/24').replace(/Endpoint = .*/, `Endpoint = ${endpoint}`);

  test('an IPv6 address gets brackets', () => {
    assert.equal(parsed(withEndpoint('2001:db8::1:51820')).config, withEndpoint('[2001:db8::1]:51820'));
  });

  test('a line that needs no change keeps its form', () => {
    const text = withEndpoint('').replace(/Endpoint = $/m, 'Endpoint=vpn.example.org:51820 \r');
    assert.equal(parsed(text).config, text);
  });

  test('one of this machine is usable where it may be local', () => {
    assert.deepEqual(parseTunnelConfig(withEndpoint('localhost:51820'), null, true), {
      config: withEndpoint('localhost:51820'),
      address: '10.8.0.2',
    });
  });

  for (const endpoint of ['https://vpn.example.org:51820', 'localhost:51820', '203.0.113.5/24:51820', 'vpn:70000']) {
    test(`${endpoint} is shown`, () => {
      const { problem } = parsed(withEndpoint(endpoint));
      assert.ok(problem.startsWith(`its configuration has the Endpoint "${endpoint}", `), problem);
      assert.match(problem, /set host and port of wg-easy \(Admin Panel, Config; version 14: WG_HOST, WG_PORT\)/);
    });
  }
});
