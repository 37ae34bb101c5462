import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { test } from 'node:test';
import { probeHost } from '../../../lib/network/probe-host.ts';
import { certificateFor } from './certificate.ts';
import { interfaceAddresses, observeMachine } from './machine.ts';
import { isForwarded, lookUp, proveAddresses } from './names.ts';

test('a resolver that refuses is a problem, and one that does not know the name is an answer', async (t) => {
  for (const [code, expected] of [
    [3, null],
    [5, 'EREFUSED'],
  ] as const) {
    const server = createSocket('udp4').on('message', (query, { port, address }) => {
      const answer = Buffer.from(query);
      answer.writeUInt16BE(0x8180 + code, 2);
      server.send(answer, port, address);
    });
    server.bind(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => server.close());
    const [found] = await lookUp(['a.my.org'], [`127.0.0.1:${server.address().port}`]);
    const memory = expected === null ? { rememberedSeconds: null } : {};
    assert.deepEqual(found, { name: 'a.my.org', addresses: [], problem: expected, ...memory });
  }
});

test('proves an address that leads here, and none of another server', async (t) => {
  const other = createServer((_request, response) => response.end('another page')).listen(0, '127.0.0.2');
  await once(other, 'listening');
  t.after(() => other.close());
  const { port } = other.address() as AddressInfo;
  // The other server keeps this port at its own address only, so it is not free for all addresses.
  assert.equal(await proveAddresses('gateway.my.org', ['127.0.0.1'], port), null);
  const free = createTcpServer().listen(0);
  await once(free, 'listening');
  const { port: freePort } = free.address() as AddressInfo;
  free.close();
  await once(free, 'close');
  assert.deepEqual(await proveAddresses('gateway.my.org', ['127.0.0.1', '240.0.0.1'], freePort), {
    proven: ['127.0.0.1'],
    proxied: [],
  });
});

test('knows a request that a proxy has passed on', async (t) => {
  const seen: boolean[] = [];
  const server = createServer(({ headers }, response) => {
    seen.push(isForwarded(headers));
    response.end();
  }).listen(0, '127.0.0.1');
  const to = () => ({ hostname: '127.0.0.1', port: (server.address() as AddressInfo).port });
  const proxy = createServer(({ headers }, response) => {
    request({ ...to(), headers: { ...headers, 'x-forwarded-for': '192.0.2.1' } }, (answer) =>
      answer.pipe(response),
    ).end();
  }).listen(0, '127.0.0.1');
  for (const one of [server, proxy]) t.after(() => one.close());
  await Promise.all([server, proxy].map((one) => once(one, 'listening')));
  for (const one of [server, proxy])
    await probeHost(`http://127.0.0.1:${(one.address() as AddressInfo).port}`, 'gateway.my.org');
  assert.deepEqual(seen, [false, true]);
});

test('a proxy that does not answer shows no certificate', async () => {
  const server = createTcpServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  assert.equal(await certificateFor('gateway.my.org', { port }), null);
  server.close();
  await once(server, 'close');
  assert.equal(await certificateFor('gateway.my.org', { port }), null);
});

test('looks at this machine without a failure, whatever it lacks', async () => {
  const facts = await observeMachine('http://127.0.0.1:1/directory', 'boxgate-test-of-no-project');
  assert.ok(facts.freeBytes > 0 && facts.memoryBytes > 0);
  assert.deepEqual([...facts.running], []);
  assert.match('problem' in facts.authority ? facts.authority.problem : '', /^127\.0\.0\.1:1 \(ECONNREFUSED\)$/);
  for (const address of interfaceAddresses()) assert.doesNotMatch(address, /^(?:127\.|::1$|fe80:)/);
});
