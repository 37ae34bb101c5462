import assert from 'node:assert/strict';
import { test } from 'node:test';
import { declaredPort, publishedPort } from './app-port.ts';

test('finds the one port that is declared, also twice', () => {
  assert.equal(declaredPort('notes', [5230]), 5230);
  assert.equal(declaredPort('notes', [5230, 5230]), 5230);
});

test('asks for --port without a declared one', () => {
  assert.throws(() => declaredPort('notes', []), {
    message: 'the manifest of notes declares no port; name it with --port',
  });
});

test('does not choose between several', () => {
  assert.throws(() => declaredPort('notes', [53, 80]), {
    message: 'the manifest of notes declares the ports 53, 80; name one of them with --port',
  });
});

test('choice/gateway/312: takes the one port that an app publishes now', () => {
  assert.equal(publishedPort('memos', [{ port: 5233, label: 'Web' }]), 5233);
});

test('choice/gateway/312: says that an app publishes nothing, and what to do', () => {
  assert.throws(() => publishedPort('memos', []), {
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
