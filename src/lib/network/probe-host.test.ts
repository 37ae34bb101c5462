import assert from 'node:assert/strict';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { portOf } from '../testing/port-of.ts';
import { probeHost } from './probe-host.ts';

test('a protocol upgrade is a response', async (t) => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'),
    );
  });
  const { status, problem } = await probeHost(`http://127.0.0.1:${await portOf(t, server)}`, 'notes.example.org');
  assert.deepEqual([status, problem], [101, null]);
});

test('a host without an address is a problem', async () => {
  for (const host of ['a:b:c', ':', '1.2.3.4.5'])
    assert.notEqual((await probeHost(`https://${host}`, host)).problem, null, host);
});

test('an address that no web server can have is a problem, and a user in it is left out', async (t) => {
  for (const address of ['ftp://127.0.0.1', 'file:///etc/passwd', 'x'])
    assert.equal((await probeHost(address, 'a')).problem, `${address} is not an address`);
  const server = createHttpServer(({ headers }, response) => void response.end(`${headers.authorization}`));
  const port = await portOf(t, server);
  assert.equal((await probeHost(`http://%zz:b@127.0.0.1:${port}`, 'a')).text, 'undefined');
});
