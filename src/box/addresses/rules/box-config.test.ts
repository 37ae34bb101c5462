import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boxConfig as convert } from './box-config.ts';

const boxConfig = (...given: Parameters<typeof convert>) => convert(...given).text;

const keys = {
  own: 'yOsh7bTv0+7KDlcrZzfjCI8myp5Rv5ChqoNkdOkKwV4=',
  peer: 'hHEiPYlMzaDWzwPTH6jZTNoZuxwV95QxakZwm1r0bxY=',
  shared: 'j5F+v9ahTOI3fhNAeSvwdc7IRmx+rl/zQZWVFZrHAe0=',
};

const given = (changes: { interface?: string[]; peer?: string[]; address?: string; endpoint?: string } = {}) =>
  [
    '[Interface]',
    `PrivateKey = ${keys.own}`,
    `Address = ${changes.address ?? '10.8.0.7/24'}`,
    ...(changes.interface ?? []),
    '',
    '[Peer]',
    `PublicKey = ${keys.peer}`,
    `PresharedKey = ${keys.shared}`,
    'AllowedIPs = 0.0.0.0/0, ::/0',
    'PersistentKeepalive = 0',
    `Endpoint = ${changes.endpoint ?? 'vpn.example.test:51820'}`,
    ...(changes.peer ?? []),
  ].join('\n');

const expected = (address: string, mtu = 1280, gateway = address.replace(/(?<!\d)\d+$/, '1')) =>
  [
    '[Interface]',
    `PrivateKey = ${keys.own}`,
    `Address = ${address}/32`,
    `MTU = ${mtu}`,
    '',
    '[Peer]',
    `PublicKey = ${keys.peer}`,
    `PresharedKey = ${keys.shared}`,
    'Endpoint = vpn.example.test:51820',
    `AllowedIPs = ${gateway}/32`,
    'PersistentKeepalive = 25',
    '',
  ].join('\n');

test('gateway/tunnel/4: routes only the gateway through the tunnel, and keeps it open', () => {
  assert.equal(boxConfig(given()), expected('10.8.0.7'));
});

test('accepts the configurations of all versions of the manager', () => {
  assert.equal(boxConfig(`\n${given({ interface: ['DNS = 1.1.1.1'] })}`), expected('10.8.0.7'));
  const newer = given({
    address: '10.9.3.200/32, fdcc:ad94:bacf:61a4::cafe:2/128',
    interface: ['MTU = 1420', 'DNS = 1.1.1.1, 2606:4700:4700::1111'],
  });
  assert.equal(boxConfig(newer), expected('10.9.3.200'));
  assert.equal(boxConfig(given({ interface: ['MTU = 1200'] })), expected('10.8.0.7', 1200));
  assert.equal(boxConfig(given().replaceAll('\n', '\r\n')), expected('10.8.0.7'));
});

test('gateway/tunnel/3: leaves out hooks and name servers', () => {
  const hooks = ['PreUp', 'PostUp', 'PreDown', 'PostDown', 'postup'].map((hook) => `${hook} = touch /x`);
  const others = ['DNS = 6.6.6.6', 'Table = off', 'SaveConfig = true', 'FwMark = 1'];
  assert.equal(boxConfig(given({ interface: [...hooks, ...others] })), expected('10.8.0.7'));
});

test("choice/gateway/220: takes the gateway's end from the mask of Address, else from AllowedIPs", () => {
  const narrow = given({ address: '10.8.0.10/29' });
  assert.equal(boxConfig(narrow), expected('10.8.0.10', 1280, '10.8.0.9'));
  const without = given({ address: '10.8.0.10/32, fdcc::2/128' });
  assert.equal(boxConfig(without), expected('10.8.0.10'));
  const allowed = without.replace('0.0.0.0/0, ::/0', '10.8.0.8/29');
  assert.equal(boxConfig(allowed), expected('10.8.0.10', 1280, '10.8.0.9'));
});

test("choice/gateway/220: refuses an Address whose network has no room for the gateway's end", () => {
  for (const address of ['10.8.0.1/24', '10.8.0.9/29', '10.8.0.10/31', '10.8.0.10/33']) {
    assert.throws(() => boxConfig(given({ address })), {
      message: `the gateway's WireGuard text has the Address ${address}, whose network has no other address for the gateway's end`,
    });
  }
});

const home = [{ address: '192.168.1.20', prefix: 24, of: 'the interface eth0' }];

for (const address of ['192.168.1.2/24', '192.168.1.200/32', '192.168.0.2/16']) {
  test(`choice/gateway/212: refuses the Address ${address} in a home that is 192.168.1.0/24`, () => {
    assert.throws(() => boxConfig(given({ address }), home), {
      name: 'Error',
      message: `the gateway's WireGuard text has the Address ${address}, which overlaps 192.168.1.20/24 of the interface eth0: the gateway's operator has to choose another network for the tunnels`,
    });
  });
}

test('choice/gateway/212: takes an Address beside the networks of the home', () => {
  assert.equal(boxConfig(given(), home), expected('10.8.0.7'));
});

test('choice/gateway/212: refuses a network whose first address is not private', () => {
  assert.throws(() => boxConfig(given({ address: '172.16.0.5/8' })), /has an Address that is of no private/);
});

for (const address of ['10.8.0.2', '172.16.0.2', '172.31.9.2', '192.168.77.2', '100.64.0.2', '100.127.1.2']) {
  test(`choice/gateway/212: takes ${address}, which is of a private network`, () => {
    assert.equal(boxConfig(given({ address })), expected(address));
  });
}

for (const address of ['1.1.1.2', '8.8.8.8', '172.32.0.2', '100.128.0.2', '192.169.0.2', '127.0.0.2', '169.254.0.2']) {
  test(`refuses ${address}: a public service could stand where the gateway's end would be`, () => {
    assert.throws(() => boxConfig(given({ address })), /has an Address that is of no private network/);
  });
}

for (const endpoint of ['[2001:db8::1]:51820', '2001:db8::1:51820']) {
  test(`takes the endpoint ${endpoint}`, () => {
    assert.match(boxConfig(given({ endpoint })), /^Endpoint = \[2001:db8::1\]:51820$/m);
  });
}

for (const endpoint of ['https://vpn.example.test:51820', 'localhost:51820', '203.0.113.5/24:51820', 'vpn:70000']) {
  test(`shows the endpoint ${endpoint}, which is of no use`, () => {
    assert.throws(
      () => boxConfig(given({ endpoint })),
      (error) => {
        assert.ok(error instanceof Error);
        assert.ok(error.message.startsWith(`the gateway's WireGuard text has the Endpoint "${endpoint}", wh`));
        return error.message.endsWith(": the gateway's operator has to correct host and port in wg-easy");
      },
    );
  });
}

test('refuses the keys of AmneziaWG in every section, in upper and lower case', () => {
  const changes = { interface: ['Jc = 7', 'jmin = 10'], peer: ['H4 = 3'] };
  assert.throws(() => boxConfig(given(changes)), {
    name: 'Error',
    message:
      "the gateway's WireGuard text is for AmneziaWG (Jc, jmin, H4), and a box has plain WireGuard: " +
      "the gateway's operator has to set OVERRIDE_AUTO_AWG=wg in the environment of wg-easy",
  });
});

for (const [name, text] of [
  ['no text at all', ''],
  ['HTML', '<html>[Interface]</html>'],
  ['a key that is none', given().replace(keys.own, 'x')],
  ['no endpoint', given().replace(/^Endpoint.*$/m, '')],
  ['an endpoint that is none', given({ endpoint: '$(reboot):1' })],
  ['an address that is none', given({ address: '10.8.0.256' })],
  ['an unknown section', `${given()}\n[Hooks]\nPostUp = x`],
  ['a second peer', `${given()}\n[Peer]\nPublicKey = ${keys.peer}`],
] as const) {
  test(`refuses ${name} and shows no key`, () => {
    assert.throws(
      () => boxConfig(text),
      (error) => error instanceof Error && !error.message.includes(keys.own),
    );
  });
}

test('takes a text without a preshared key', () => {
  const text = given().replace(`PresharedKey = ${keys.shared}\n`, '');
  assert.doesNotMatch(boxConfig(text), /PresharedKey/);
});
