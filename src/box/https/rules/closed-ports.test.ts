import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import { closingOverride, composeProblem } from './closed-ports.ts';

const http = { port: 80, protocol: 'http' };
const entry = (text: string, more = {}) => {
  const [, address, published, target, protocol = 'tcp'] =
    /^(?:(.+)=)?([\d-]*):(\d+)(?:\/(\w+))?$/.exec(text)?.map((part) => part ?? undefined) ?? [];
  return {
    mode: 'ingress',
    ...(address === undefined ? {} : { host_ip: address }),
    target: Number(target),
    ...(published === '' ? {} : { published }),
    protocol,
    ...more,
  };
};
type Entries = Record<string, unknown>[];
/** The ports of each closed service, as `ADDRESS=PUBLISHED:TARGET`. */
const closed = (services: Record<string, unknown>, declared: Parameters<typeof closingOverride>[1]) => {
  const override = closingOverride({ services }, declared);
  if (override === null) return null;
  assert.match(override, /ports: !override \[/);
  const found = parse(override, { logLevel: 'silent' }).services as Record<string, { ports: Entries }>;
  const texts = (ports: Entries) =>
    ports.map(({ host_ip: ip, published, target, protocol }) => {
      return `${ip === undefined ? '' : `${ip}=`}${published ?? ''}:${target}${protocol === 'tcp' ? '' : `/${protocol}`}`;
    });
  return Object.fromEntries(Object.entries(found).map(([name, { ports }]) => [name, texts(ports)]));
};
const web = (...texts: string[]) => ({ web: { ports: texts.map((text) => entry(text)) } });

test('only the port that the name leads to is bound to loopback', () => {
  const cases: [Record<string, unknown>, Parameters<typeof closingOverride>[1], ReturnType<typeof closed>][] = [
    [web('8080:80'), [http], { web: ['127.0.0.1=8080:80'] }],
    [web('8080:80'), [{ port: 80, protocol: 'HTTPS' }], { web: ['127.0.0.1=8080:80'] }],
    // A name server stays, also at ports that have no fixed number.
    [
      web('8053:80', '53:53', '53:53/udp', ':90', '3000-3005:91'),
      [http, 53],
      { web: ['127.0.0.1=8053:80', '53:53', '53:53/udp', ':90', '3000-3005:91'] },
    ],
    [web('8080:80', '8080:80/udp'), [http], { web: ['127.0.0.1=8080:80', '8080:80/udp'] }],
    [web('0.0.0.0=8080:80', '::=8080:80'), [http], { web: ['127.0.0.1=8080:80'] }],
    [
      { web: { ports: [entry('8080:80')] }, db: { ports: [entry('5432:5432')] }, none: {} },
      [http],
      { web: ['127.0.0.1=8080:80'] },
    ],
    // Nothing to close.
    [web('127.0.0.1=8080:80'), [http], null],
    [web('192.168.1.7=8080:80'), [http], null],
    [web('25565:25565'), [], null],
    [web('25565:25565'), [25_565], null],
    [web('445:445'), [{ port: 445, protocol: 'tcp' }], null],
    [web('25565:25565', '8123:80'), [25_565, http], null],
    [web(), [http], null],
    [{ web: { network_mode: 'host', ports: [entry('8080:80')] } }, [http], null],
  ];
  for (const [services, declared, expected] of cases) {
    assert.deepEqual(closed(services, declared), expected, JSON.stringify([services, declared]));
  }
  for (const strange of [null, [], { services: { web: null } }, { services: { web: { ports: [null, 'x'] } } }]) {
    assert.equal(closingOverride(strange, [http]), null);
  }
});

test('names and texts of a service stay what they are', () => {
  const services = { 'a: b#"': { ports: [entry('8080:80', { name: '#x: }', app_protocol: 'http' })] } };
  const override = closingOverride({ services }, [http]) ?? '';
  assert.deepEqual(parse(override, { logLevel: 'silent' }), {
    services: {
      'a: b#"': { ports: [{ ...services['a: b#"'].ports[0], host_ip: '127.0.0.1' }] },
    },
  });
});

test('a Compose that cannot replace a list of ports is named', () => {
  for (const version of ['2.24.4', 'v2.26.1-4', '2.40.0\n', '5.0.0']) assert.equal(composeProblem(version), null);
  const cases: [string, RegExp][] = [
    ['2.24.3', /needs Docker Compose 2\.24\.4 or newer, and this one is 2\.24\.3/],
    ['1.29.2', /this one is 1\.29\.2/],
    ['dev', /does not say its version/],
    ['', /does not say its version/],
  ];
  for (const [version, problem] of cases) assert.match(composeProblem(version) ?? '', problem);
});
