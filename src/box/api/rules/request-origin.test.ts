import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostName, isCrossSite, isOwnHost, type OriginHeaders, tunnelHost } from './request-origin.ts';

const own = {
  machineName: 'Pi.Example.org',
  allowedHosts: ['apps.example.com'],
  addresses: ['192.168.1.5', 'fd00::5', '127.0.0.1', '::1', '10.8.0.2', 'fd42::2'],
  tunnelAddresses: ['10.8.0.2', 'FD42:0::2', 'no address'],
  port: 7000,
};

test('choice/box/24: addresses, local names and allowed names belong to the box', () => {
  const hosts = [
    ...['127.0.0.1', '127.0.0.1:7000', '192.168.1.5:80', '203.0.113.7', '[::1]', '[::1]:7000', '[FD00::5]:80'],
    ...['localhost', 'localhost:7000', 'LOCALHOST', 'box', 'box:7000', 'my_box', 'box.', 'a.localhost'],
    ...[
      'box.local',
      'box.LAN',
      'box.home',
      'a.b.internal',
      'x.home.arpa',
      'x.localdomain',
      'pi.fritz.box',
      'pi.tail1.ts.net',
    ],
    ...['pi.example.org', 'PI.example.org:7000', 'pi.example.org.', 'apps.example.com', 'APPS.example.com:443'],
  ];
  for (const host of hosts) assert.equal(isOwnHost(host, own), true, host);
});

test('choice/box/20: a request without a host is for the box', () => {
  assert.equal(isOwnHost(undefined, own), true);
  assert.equal(isOwnHost('', own), true);
});

test('choice/box/24: any other host is foreign', () => {
  const hosts = [
    ...['example.com', 'evil.example:7000', 'x.apps.example.com', 'example.org', 'apps.example.com.evil.test'],
    ...['box.local.evil.test', 'notlocal.test', '.'],
    ...['1.2.3', '1.2.3.4.5', '256.1.1.1', '0x7f.0.0.1', '127.0.0.1.evil.test'],
    ...['a b', 'user@box', 'box/path', 'box:port', 'box:123456', '[::1', '::1', '[evil.test]', 'box:80:80', 'bö.x'],
  ];
  for (const host of hosts) assert.equal(isOwnHost(host, own), false, host);
});

type Row = [title: string, headers: OriginHeaders, crossSite: boolean];

const rows: Row[] = [
  ['none of the headers', { host: 'box:7000' }, false],
  ['nothing at all', {}, false],
  ['same-origin', { host: 'box', 'sec-fetch-site': 'same-origin' }, false],
  ['typed by the user', { host: 'box', 'sec-fetch-site': 'none' }, false],
  ['cross-site', { host: 'box', 'sec-fetch-site': 'cross-site' }, true],
  ['same-site is another origin', { host: 'box', 'sec-fetch-site': 'same-site' }, true],
  ['an unknown word', { host: 'box', 'sec-fetch-site': 'Same-Origin' }, true],
  ['an empty word', { host: 'box', 'sec-fetch-site': '' }, true],
  ['the header twice', { host: 'box', 'sec-fetch-site': 'same-origin, none' }, true],
  ['Sec-Fetch-Site beats Origin', { host: 'box', 'sec-fetch-site': 'same-origin', origin: 'http://evil.test' }, false],
  ['and the other way round', { host: 'box', 'sec-fetch-site': 'cross-site', origin: 'http://box' }, true],
  ['the own origin', { host: 'box:7000', origin: 'http://box:7000' }, false],
  ['in another case', { host: 'BOX:7000', origin: 'http://Box:7000' }, false],
  ['the default port said', { host: 'box:80', origin: 'http://box' }, false],
  ['the default port of HTTPS', { host: 'box', origin: 'https://box:443' }, false],
  ['an address', { host: '192.168.1.5:7000', origin: 'http://192.168.1.5:7000' }, false],
  ['an IPv6 address', { host: '[fd00::5]:7000', origin: 'http://[fd00::5]:7000' }, false],
  ['another site', { host: 'box', origin: 'http://evil.test' }, true],
  ['another port of the box', { host: 'box', origin: 'http://box:8096' }, true],
  ['an opaque origin', { host: 'box', origin: 'null' }, true],
  ['an empty origin', { host: 'box', origin: '' }, true],
  ['an origin of an extension', { host: 'box', origin: 'chrome-extension://box' }, true],
  ['an origin without a host header', { origin: 'http://box' }, true],
  [
    'the forwarded host',
    { host: '10.0.0.1', 'x-forwarded-host': 'apps.example.com', origin: 'https://apps.example.com' },
    false,
  ],
  [
    'one of several forwarded hosts',
    { host: '10.0.0.1', 'x-forwarded-host': 'a.test, box.lan', origin: 'http://box.lan' },
    false,
  ],
  ['not the forwarded host', { host: '10.0.0.1', 'x-forwarded-host': 'box.lan', origin: 'http://evil.test' }, true],
  ['loopback host, own local name', { host: '127.0.0.1:7000', origin: 'http://box.local' }, false],
  ['loopback host, name without a dot', { host: 'localhost:7000', origin: 'http://box' }, false],
  ['loopback host, default port of HTTPS', { host: '127.0.0.1', origin: 'https://box.local:443' }, false],
  ['loopback host, the box’s own port', { host: '127.0.0.1', origin: 'http://box.local:7000' }, false],
  ['loopback host, another port', { host: '127.0.0.1:7000', origin: 'http://box.local:8096' }, true],
  ['loopback host, another port of loopback', { host: '127.0.0.1', origin: 'http://localhost:8080' }, true],
  ['loopback host, port of another scheme', { host: '127.0.0.1:7000', origin: 'http://box.local:443' }, true],
  ['loopback host, another port of an address', { host: '[::1]:7000', origin: 'http://[fd00::5]:81' }, true],
  ['the tunnel’s address', { host: '127.0.0.1:7000', origin: 'http://10.8.0.2' }, true],
  ['the tunnel’s address of IPv6', { host: '[fd42::2]', origin: 'http://[fd42::2]' }, true],
  [
    'the tunnel’s address from the same origin',
    { host: '127.0.0.1', origin: 'https://10.8.0.2', 'sec-fetch-site': 'same-origin' },
    true,
  ],
  ['loopback host, the machine’s name', { host: '127.1.2.3', origin: 'http://pi.example.org' }, false],
  ['loopback host, allowed name', { host: '[::1]:7000', origin: 'https://apps.example.com' }, false],
  ['loopback host, interface address', { host: '127.0.0.1:7000', origin: 'http://192.168.1.5' }, false],
  ['loopback host, interface address of IPv6', { host: 'localhost', origin: 'http://[fd00::5]' }, false],
  ['loopback host, address of another machine', { host: '127.0.0.1:7000', origin: 'http://192.168.1.6' }, true],
  ['loopback host, another site', { host: '127.0.0.1:7000', origin: 'http://evil.test' }, true],
  ['loopback host, opaque origin', { host: '127.0.0.1:7000', origin: 'null' }, true],
  ['a host that is not loopback, own name', { host: '192.168.1.5', origin: 'http://box.local' }, true],
  ['a host that only looks like loopback', { host: '127.evil.test', origin: 'http://box.local' }, true],
];

for (const [title, headers, crossSite] of rows) {
  test(`choice/box/20: ${title} ${crossSite ? 'is refused' : 'passes'}`, () => {
    assert.equal(isCrossSite(headers, own), crossSite);
  });
}

test('choice/box/200: finds the tunnel’s address in Host and X-Forwarded-Host, in any spelling', () => {
  const through: OriginHeaders[] = [
    ...['10.8.0.2', '10.8.0.2:80', '10.8.0.2.', '[fd42::2]', '[FD42:0:0::2]:7000', '[::ffff:10.8.0.2]'].map((host) => ({
      host,
    })),
    { host: '127.0.0.1:7000', 'x-forwarded-host': 'a.test, 10.8.0.2' },
    { 'x-forwarded-host': '[fd42::2]:80' },
  ];
  for (const headers of through) assert.notEqual(tunnelHost(headers, own), null, JSON.stringify(headers));
  const others = ['10.8.0.1', '10.8.0.20', '192.168.1.5', '[fd42::3]', 'box', '[::ffff:10.8.0.3]', '', '[:]'];
  for (const host of others) assert.equal(tunnelHost({ host }, own), null, host);
  assert.equal(tunnelHost({ host: '10.8.0.2' }, { ...own, tunnelAddresses: [] }), null);
});

test('choice/box/24: the refusal names a host without its port', () => {
  assert.equal(hostName('Apps.Example.com:8080'), 'apps.example.com');
  assert.equal(hostName('a b'), 'a b');
  assert.equal(hostName('x'.repeat(1000)).length, 253);
});
