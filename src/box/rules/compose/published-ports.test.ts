import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boundPorts, openPorts, type PublishedPort, portsToShow } from './published-ports.ts';

const tcp = (hostPort: number, containerPort: number): PublishedPort => ({
  address: '',
  hostPort,
  containerPort,
  protocol: 'tcp',
});
const udp = (hostPort: number): PublishedPort => ({ address: '', hostPort, containerPort: hostPort, protocol: 'udp' });

type Case = [
  what: string,
  declared: Parameters<typeof openPorts>[0],
  published: PublishedPort[],
  open: [number, string][],
];

const cases: Case[] = [
  ['a declared port that is published', [{ port: 80, label: 'Web' }], [tcp(80, 8080)], [[80, 'Web']]],
  ['both address families', [80], [tcp(80, 80), tcp(80, 80)], [[80, '']]],
  ['the port behind another host port', [{ port: 80, label: 'Web' }], [tcp(8080, 80)], [[8080, 'Web']]],
  [
    'a moved port beside one that stayed',
    [80, 81],
    [tcp(81, 81), tcp(8080, 9)],
    [
      [8080, ''],
      [81, ''],
    ],
  ],
  ['one left on both sides', [{ port: 5230, label: 'Web' }], [tcp(5233, 9)], [[5233, 'Web']]],
  ['two left: nobody knows which is which', [1, 2], [tcp(3, 30), tcp(4, 40)], []],
  ['one declared and two others published', [1], [tcp(3, 30), tcp(4, 40)], []],
  ['a port is taken once', [80, 80], [tcp(80, 80), tcp(9, 1), tcp(10, 2)], [[80, '']]],
  ['published beside the declared', [80], [tcp(80, 80), tcp(81, 81)], [[80, '']]],
  [
    'none declared',
    [],
    [tcp(9000, 90), tcp(8000, 80), udp(53)],
    [
      [8000, ''],
      [9000, ''],
    ],
  ],
  ['nothing published', [80], [], []],
  ['a port of UDP', [{ port: 53, protocol: 'udp' }, 80], [udp(53), tcp(53, 53), tcp(80, 80)], [[80, '']]],
  ['only published over UDP', [53], [udp(53)], []],
  ['out of range', [0, 65_536], [tcp(80, 80)], []],
  ['https as protocol', [{ port: 443, protocol: 'HTTPS' }], [tcp(443, 1)], [[443, '(https)']]],
  ['https as protocol with a label', [{ port: 1, protocol: 'https', label: 'Web' }], [tcp(1, 1)], [[1, 'Web (https)']]],
  ['https twice', [{ port: 1, protocol: 'https', label: 'HTTPS' }], [tcp(1, 1)], [[1, 'HTTPS']]],
  ['another protocol', [{ port: 22, protocol: 'ssh' }], [tcp(22, 22)], []],
];

for (const [what, declared, published, open] of cases) {
  test(`open ports: ${what}`, () => {
    const expected = open.map(([port, label]) => ({ port, label }));
    assert.deepEqual(openPorts(declared, published, false), expected);
  });
}

test("declared ports of a container on the host's network are open unchanged", () => {
  assert.deepEqual(
    openPorts(
      [
        { port: 8096, label: 'Web' },
        { port: 1900, protocol: 'udp' },
      ],
      [],
      true,
    ),
    [{ port: 8096, label: 'Web' }],
  );
  const beside = openPorts([1, 2], [tcp(1, 1)], true);
  assert.deepEqual(beside, [
    { port: 1, label: '' },
    { port: 2, label: '' },
  ]);
});

test('an open port is marked if all its addresses are loopback ones', () => {
  const at = (address: string, hostPort: number, protocol = 'tcp') => ({
    ...{ address, hostPort, protocol },
    containerPort: 80,
  });
  for (const [published, loopback] of [
    [[at('127.0.0.1', 80)], true],
    [[at('127.8.0.1', 80), at('::1', 80)], true],
    [[at('127.0.0.1', 80), at('192.168.1.7', 80)], undefined],
    [[at('0.0.0.0', 80), at('::', 80)], undefined],
    [[at('', 80)], undefined],
    [[at('127.0.0.1', 80), at('0.0.0.0', 80, 'udp')], true],
  ] as const) {
    for (const declared of [[80], []]) {
      const [open] = openPorts(declared, published, false);
      assert.deepEqual([open?.port, open?.loopback], [80, loopback], JSON.stringify(published));
    }
  }
});

test('a port has an address of its own if nothing else leads to it', () => {
  const at = (address: string) => ({ ...tcp(80, 80), address });
  for (const [published, bound] of [
    [[at('192.168.1.7')], '192.168.1.7'],
    [[at('fd00::7')], '[fd00::7]'],
    [[at('192.168.1.7'), at('127.0.0.1')], undefined],
    [[at('0.0.0.0')], undefined],
    [[at('::'), at('fd00::7')], undefined],
    [[at('192.168.1.7'), udp(80), { ...at('192.168.1.8'), protocol: 'udp' }], '192.168.1.7'],
  ] as const)
    assert.equal(boundPorts(published).get(80), bound, JSON.stringify(published));
});

test('published ports are sorted numbers of TCP and UDP, each once', () => {
  const published = [tcp(9000, 1), udp(53), tcp(53, 53), tcp(80, 80)];
  const { published: shown } = portsToShow([], [{ state: 'running', isOnHostNetwork: false, published }]);
  assert.deepEqual(shown, [53, 80, 9000]);
});

test('shows the ports of all containers, and declared ones only of a container that runs on the network of the host', () => {
  const container = (state: string, isOnHostNetwork: boolean, ...published: PublishedPort[]) => {
    return { state, isOnHostNetwork, published };
  };
  const web = container('running', false, tcp(8080, 80));
  assert.deepEqual(portsToShow([9000], [web, container('exited', true)]).published, [8080]);
  assert.deepEqual(portsToShow([9000], [container('exited', true)]).open_ports, []);
  assert.deepEqual(
    portsToShow([9000], [container('running', true)]).open_ports.map(({ port }) => port),
    [9000],
  );
});
