// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of Compose, not of JavaScript.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readComposeFiles } from './compose-file.ts';
import { wantedPorts } from './wanted-ports.ts';

/** The ports of one service in short form: `PROTOCOL ADDRESS FROM-TO VARIABLE`. */
async function wanted(ports: string, env: Record<string, string> = {}) {
  const facts = await readComposeFiles([`services:\n  web:\n    ports: ${ports}\n`]);
  const found = wantedPorts(facts, new Map(Object.entries(env)));
  return {
    ports: found.ports.map(
      ({ protocol, address, from, to, variable }) => `${protocol} ${address || '*'} ${from}-${to} ${variable ?? '-'}`,
    ),
    faults: found.faults.map(({ service, variable, value }) => `${service} ${variable ?? '-'} ${value}`),
  };
}

const cases: [string, Record<string, string>, string[]][] = [
  ['["8080:80"]', {}, ['tcp * 8080-8080 -']],
  ['[8080:80]', {}, ['tcp * 8080-8080 -']],
  ['["53:53/udp", "53:53/TCP"]', {}, ['udp * 53-53 -', 'tcp * 53-53 -']],
  ['["127.0.0.1:8080:80"]', {}, ['tcp 127.0.0.1 8080-8080 -']],
  ['["[::1]:8080:80", "::1:8081:80"]', {}, ['tcp ::1 8080-8080 -', 'tcp ::1 8081-8081 -']],
  ['["3000-3002:3000-3002"]', {}, ['tcp * 3000-3002 -']],
  ['["${PORT:-5230}:5230"]', {}, ['tcp * 5230-5230 PORT']],
  ['["${PORT:-5230}:5230"]', { PORT: '6000' }, ['tcp * 6000-6000 PORT']],
  ['["${PORT}:${PORT}"]', { PORT: '6000' }, ['tcp * 6000-6000 PORT']],
  ['["${AT:-0.0.0.0}:${PORT:-53}:53/udp"]', {}, ['udp 0.0.0.0 53-53 PORT']],
  ['["${BIND}:80"]', { BIND: '127.0.0.1:8080' }, ['tcp 127.0.0.1 8080-8080 BIND']],
  ['["${A:-${B}}:80"]', { B: '90' }, ['tcp * 90-90 A']],
  ['[{ target: 80, published: 8080 }]', {}, ['tcp * 8080-8080 -']],
  ['[{ target: 53, published: "${P}", host_ip: "::1", protocol: udp }]', { P: '54' }, ['udp ::1 54-54 P']],
];

test('choice/box/287: reads the host ports of each form that Compose accepts', async () => {
  for (const [ports, env, expected] of cases) {
    assert.deepEqual(await wanted(ports, env), { ports: expected, faults: [] }, ports);
  }
});

test('choice/box/287: finds no port in an entry without a host port or of an unknown form', async () => {
  const entries = [
    ...['80', '"80"', '"127.0.0.1::80"', '"0:80"', '{ target: 80 }', '{ target: 80, published: "" }'],
    ...['"${PORT}:80"', '"${PORT:?}:80"', '"8000-8010:80"', '"80:80-81"', '"lan:8080:80"', '"80:web"'],
    ...['"abc:80"', '"80:80/x/y"', '{ mode: host }', '[]', 'null', 'true'],
  ];
  for (const entry of entries) assert.deepEqual(await wanted(`[${entry}]`), { ports: [], faults: [] }, entry);
});

test('choice/box/287: an invalid port is a fault with the variable that it comes from', async () => {
  const faults: [string, string, string][] = [
    ['"${PORT}:80"', '99999', 'web PORT 99999'],
    ['"${PORT}:80"', '-1', 'web PORT -1'],
    ['"${PORT}:80"', '0', 'web PORT 0'],
    ['"${PORT}:80"', 'abc', 'web PORT abc'],
    ['"${PORT}:80"', '80-99999', 'web PORT 80-99999'],
    ['"127.0.0.1:${PORT}:80"', '00', 'web PORT 00'],
    ['{ target: 80, published: "${PORT}" }', '65536', 'web PORT 65536'],
    ['"65536:80"', '', 'web - 65536'],
  ];
  for (const [entry, PORT, fault] of faults) {
    assert.deepEqual(await wanted(`[${entry}]`, { PORT }), { ports: [], faults: [fault] }, entry);
  }
});

test('reads a limited number of entries', async () => {
  const entries = Array.from({ length: 3000 }, (_, index) => `"${index + 1}:80"`);
  assert.equal((await wanted(`[${entries}]`)).ports.length, 2000);
});

test('reads the entries of all files, but none of a service that may not start or publish', async () => {
  const services = (texts: string[]) =>
    readComposeFiles(texts).then((facts) =>
      wantedPorts(facts, new Map()).ports.map(({ service, from }) => `${service} ${from}`),
    );
  const base = 'services:\n  web: { ports: ["1:1", "2:2"] }\n  db: { ports: ["3:3"] }\n  job: {}\n';
  assert.deepEqual(
    await services([base, 'services:\n  web: { ports: ["2:2", "4:4"] }\n  db: {}\n  job: { ports: ["5:5"] }\n']),
    ['web 1', 'web 2', 'web 4', 'db 3', 'job 5'],
  );
  assert.deepEqual(await services([base, 'services:\n  web: { network_mode: host }\n  db: { profiles: [x] }\n']), []);
  assert.deepEqual(await services(['services:\n  web: { network_mode: host }\n', base]), ['db 3']);
  assert.deepEqual(await services([base, 'services:\n  web:\n    ports: !override ["4:4"]\n']), []);
});
