// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of Compose, not of JavaScript.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freePorts, portVariables } from './port-variables.ts';

const variablesOf = (...ports: unknown[]) =>
  portVariables([{ services: { web: { ports } } }]).map(({ name, protocol }) => `${name}/${protocol}`);

test('finds the variable on the host’s side of a published port, and nothing else', () => {
  const short = [
    '${A}:80',
    '$B:80',
    '${C:-8080}:80',
    '127.0.0.1:${D-1}:80/udp',
    '${ADDRESS:-::1}:${E}:${E}',
    '$F:1-2/SCTP',
  ];
  assert.deepEqual(variablesOf(...short), ['A/tcp', 'B/tcp', 'C/tcp', 'D/udp', 'E/tcp', 'F/sctp']);
  const long = [
    { published: '${A:-80}', target: 80 },
    { published: '$B', protocol: 'UDP' },
  ];
  assert.deepEqual(variablesOf(...long), ['A/tcp', 'B/udp']);
  const others = ['${A}', '80:${A}', '1${A}:80', '${A}${B}:80', '${A:-${B}}:80', 80, null, [], { published: 80 }, {}];
  assert.deepEqual(variablesOf(...others, `\${A:-${'1'.repeat(300)}}:80`, { published: 'x$A' }), []);
  assert.deepEqual(portVariables([{}, { services: 5 }, { services: { a: null, b: { ports: '$A:1' } } }]), [
    { name: 'A', protocol: 'tcp' },
  ]);
});

const port = (from: number, protocol = 'tcp', to = from) => ({ protocol, address: '', from, to });
const web = { name: 'WEB', protocol: 'tcp' };
const moved = (values: Record<string, string>, variables = [web], taken = [port(8080), port(8081, 'udp')]) =>
  Object.fromEntries(freePorts(new Map(Object.entries(values)), variables, taken));

test('a value that is in use gives way to the next free port', () => {
  assert.deepEqual(moved({ WEB: '8080', OTHER: '8081' }), { WEB: '8081' });
  assert.deepEqual(moved({ WEB: '8082' }), {});
  assert.deepEqual(moved({ WEB: '8080' }, [web, { name: 'WEB', protocol: 'udp' }]), { WEB: '8082' });
});

test('no port is offered twice', () => {
  const both = [web, { name: 'API', protocol: 'tcp' }];
  assert.deepEqual(moved({ WEB: '8080', API: '8081' }, both), { WEB: '8082' });
  assert.deepEqual(moved({ WEB: '8080', API: '8080' }, both), { WEB: '8081', API: '8082' });
});

test('what is no port stays, and so does a port without a free one near', () => {
  for (const text of ['', 'x', '8080-8090', '808080']) assert.deepEqual(moved({ WEB: text }), {}, text);
  assert.deepEqual(moved({}), {});
  assert.deepEqual(moved({ WEB: '8080' }, [web], [port(8000, 'tcp', 9999)]), {});
  assert.deepEqual(moved({ WEB: '65535' }, [web], [port(65_535)]), {});
});
