import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { makeGatewayClient } from './gateway-client.ts';

async function clientOf(t: TestContext, answer: RequestListener) {
  const server = createServer(answer);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return makeGatewayClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

const answering = (t: TestContext, status: number, body: string) =>
  clientOf(t, (_request, response) => response.writeHead(status, { 'Content-Type': 'application/json' }).end(body));

const box = { boxId: 'box_1', boxToken: 'token' };
const good = {
  box_id: 'box_1',
  box_token: 'token-1',
  account_id: 'acc_1',
  box_name: 'attic 👩‍🚀',
  tunnel: { address: '10.8.0.2', config: '[Interface]\n' },
};
const route = { id: 'rt_1', app_name: 'notes', host: 'notes.example.org', port: 80 };

test('accepts an answer that matches the API', async (t) => {
  assert.deepEqual(await (await answering(t, 201, JSON.stringify(good))).register('', ''), good);
  assert.deepEqual(
    await (await answering(t, 201, JSON.stringify(route))).publish(box, { ...good, ...route } as never),
    route,
  );
  assert.deepEqual(await (await answering(t, 200, JSON.stringify({ routes: [route] }))).listRoutes(box), [route]);
  assert.equal(await (await answering(t, 200, '{"box_token": "t"}')).rotateToken(box), 't');
});

for (const [name, change] of Object.entries({
  'a box id that leads to another path': { box_id: '../x' },
  'a box id that a shell would run': { box_id: '$(reboot)' },
  'a box id that turns a terminal around': { box_id: 'box_\u001b[2J' },
  'a box id that is the folder above': { box_id: '..' },
  'a box id that is a folder': { box_id: '.' },
  'a box id that is a flag': { box_id: '-rf' },
  'an account that is the folder above': { account_id: '..' },
  'a box id that is a number': { box_id: 1 },
  'a token of two lines': { box_token: 'a\r\nX: b' },
  'no token': { box_token: undefined },
  'an account that is none': { account_id: null },
  'a name with control characters': { box_name: 'a\u0007' },
  'no tunnel': { tunnel: undefined },
  'a tunnel that is a list': { tunnel: ['10.8.0.2'] },
  'an address that is none': { tunnel: { ...good.tunnel, address: '10.8.0.2; reboot' } },
  'a configuration that is none': { tunnel: { ...good.tunnel, config: {} } },
  'a configuration without end': { tunnel: { ...good.tunnel, config: 'x'.repeat(65_537) } },
})) {
  test(`rejects a registration that answers ${name}, which may have been carried out`, async (t) => {
    const client = await answering(t, 201, JSON.stringify({ ...good, ...change }));
    await assert.rejects(client.register('', ''), { name: 'GatewayLost', maybeDone: true });
  });
}

for (const [name, body] of Object.entries({
  'no list': {},
  'a list of nothing': { routes: [null] },
  'a host with control characters': { routes: [{ ...route, host: '\u001b]0;x' }] },
  'a port that is a text': { routes: [{ ...route, port: '80' }] },
  'an id that leads to another path': { routes: [{ ...route, id: 'a/b' }] },
  'an id that is the folder above': { routes: [{ ...route, id: '..' }] },
  'a host that turns the line around': { routes: [{ ...route, host: 'a\u202eb' }] },
  'an address that is none': { routes: [{ ...route, url: 'javascript:x' }] },
})) {
  test(`rejects a list of routes that answers ${name}`, async (t) => {
    const client = await answering(t, 200, JSON.stringify(body));
    await assert.rejects(client.listRoutes(box), /answered 200 without a body of the gateway's API/);
  });
}

test("shows a refusal's message without control characters, and limits its length", async (t) => {
  const client = await answering(t, 403, JSON.stringify({ error: `no\u001b[2J\n\u202e\u2028${'x'.repeat(10_000)}` }));
  await assert.rejects(client.heartbeat(box), ({ name, message }: Error) => {
    return name === 'GatewayRefused' && /^no \[2J x+$/.test(message) && message.length === 500;
  });
});

test('reports an answer that is no JSON without its content', async (t) => {
  const client = await answering(t, 201, '{"box_token": "secret" oh');
  await assert.rejects(client.register('', ''), /: an answer that is no JSON$/);
});

test('stops reading an endless answer at the limit', async (t) => {
  let sent = 0;
  const client = await clientOf(t, (_request, response) => {
    response.writeHead(201, { 'Content-Type': 'application/json' });
    const block = Buffer.alloc(1024 * 1024, ' ');
    const more = () => {
      while (sent < 256 && !response.destroyed) {
        sent += 1;
        if (!response.write(block)) return void response.once('drain', more);
      }
      response.end();
    };
    more();
  });
  await assert.rejects(client.register('', ''), {
    name: 'GatewayLost',
    maybeDone: true,
    message: /more than 8388608 bytes$/,
  });
  assert.ok(sent < 64, `${sent} MiB`);
});
