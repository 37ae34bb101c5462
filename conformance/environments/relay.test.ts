import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startRelay } from './relay.ts';

const folder = mkdtempSync(join(tmpdir(), 'boxgate-relay-'));
after(() => rmSync(folder, { recursive: true }));

/** Echoes the input after the client has ended its half of the connection. */
const echo = createServer({ allowHalfOpen: true }, (socket) => {
  socket.pipe(socket);
}).listen(0, '127.0.0.1');
after(() => echo.close());

async function ask(file: string): Promise<string> {
  const socket = connect({ path: file, allowHalfOpen: true });
  socket.end('hello');
  let text = '';
  for await (const piece of socket) text += piece;
  return text;
}

test('forwards to its target, stops and starts', async () => {
  if (!echo.listening) await once(echo, 'listening');
  const { port } = echo.address() as AddressInfo;
  const file = join(folder, 'relay.sock');
  const relay = await startRelay(file, { host: '127.0.0.1', port });
  assert.equal(await ask(file), 'hello');
  const open = connect(file);
  await once(open, 'connect');
  await relay.stop();
  await once(open, 'close');
  await assert.rejects(ask(file));
  await relay.stop();
  await relay.start();
  assert.equal(await ask(file), 'hello');
  await relay.stop();
});

test("closes the client's connection if its target is unreachable", async () => {
  const file = join(folder, 'nowhere.sock');
  const relay = await startRelay(file, { path: join(folder, 'nobody.sock') });
  assert.equal(await ask(file).catch(() => ''), '');
  await relay.stop();
});
