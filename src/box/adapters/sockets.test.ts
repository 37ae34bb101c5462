import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { makeSockets } from './sockets.ts';

const sockets = makeSockets();
const find = (port: number, protocol: string) =>
  sockets.listening().find((socket) => socket.from === port && socket.protocol === protocol);

test('finds what this process listens on, and that it is this process', async (t) => {
  const server = createServer().listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const found = find(port, 'tcp');
  assert.deepEqual([found?.address, found?.isThisBox], ['127.0.0.1', true]);
  server.close();
  await once(server, 'close');
  assert.equal(find(port, 'tcp'), undefined);
});

test('finds a port of UDP', async (t) => {
  const socket = createSocket('udp4').bind(0);
  t.after(() => socket.close());
  await once(socket, 'listening');
  assert.equal(find(socket.address().port, 'udp')?.address, '0.0.0.0');
});

test('finds what another process listens on', async (t) => {
  const script = 'const s = net.createServer().listen(0, () => console.log(s.address().port))';
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill());
  const [port] = await once(child.stdout, 'data');
  assert.equal(find(Number(port), 'tcp')?.isThisBox, false);
});
