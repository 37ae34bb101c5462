import assert from 'node:assert/strict';
import { test } from 'node:test';
import { declaredPort, publishedPort } from './app-port.ts';

const manifest = (ports: unknown) => JSON.stringify({ name: 'notes', ports });

for (const [name, ports] of [
  ['a number', [5230]],
  ['an object', [{ port: 5230, protocol: 'http', label: 'Notes' }]],
  ['the same one twice', [5230, { port: 5230, protocol: 'udp' }]],
  ['one beside what is no port', [0, 70000, 1.5, '80', null, { port: 'x' }, 5230]],
] as const) {
  test(`finds the one port that is declared as ${name}`, () => {
    assert.equal(declaredPort('notes', manifest(ports)), 5230);
  });
}

for (const [name, text] of [
  ['a broken manifest', '{'],
  ['one that is no object', '[]'],
  ['one without ports', '{}'],
  ['an empty list', manifest([])],
] as const) {
  test(`asks for --port with ${name}`, () => {
    assert.throws(() => declaredPort('notes', text), {
      message: 'the manifest of notes declares no port; name it with --port',
    });
  });
}

test('reports an app that is not installed', () => {
  assert.throws(() => declaredPort('nots', null), {
    message: 'nots is no installed app with a manifest; name its port with --port',
  });
});

test('does not choose between several', () => {
  assert.throws(() => declaredPort('notes', manifest([53, 80])), {
    message: 'the manifest of notes declares the ports 53, 80; name one of them with --port',
  });
});

test('choice/gateway/312: takes the one port that an app publishes now', () => {
  assert.equal(publishedPort('memos', [{ port: 5233, label: 'Web' }]), 5233);
});

test('choice/gateway/312: says that an app publishes nothing, and what to do', () => {
  assert.throws(() => publishedPort('memos', []), {
    name: 'PortUnclear',
    message:
      "memos publishes no port now: it does not run, or its Compose file publishes none. Start it on the box's page, or name a port with --port",
  });
});

test('choice/gateway/312: does not choose between several published ports', () => {
  const ports = [
    { port: 53, label: '' },
    { port: 80, label: 'Web' },
  ];
  assert.throws(() => publishedPort('dns', ports), {
    message: 'dns publishes the ports 53, 80 (Web); name one of them with --port',
  });
});
