import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createPlainServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { portOf } from '../lib/testing/port-of.ts';
import { makeGatewayClient } from './gateway-client.ts';

async function clientOf(t: TestContext, answer: RequestListener) {
  return makeGatewayClient(`http://127.0.0.1:${await portOf(t, createServer(answer))}`);
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
  'a box id that is a flag': { box_id: '-rf' },
  'an account that is the folder above': { account_id: '..' },
  'a box id that is a number': { box_id: 1 },
  'a token of two lines': { box_token: 'a\r\nX: b' },
  'no token': { box_token: undefined },
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
  'a host that turns the line around': { routes: [{ ...route, host: 'a\u202eb' }] },
  'an address that is none': { routes: [{ ...route, url: 'javascript:x' }] },
})) {
  test(`rejects a list of routes that answers ${name}`, async (t) => {
    const client = await answering(t, 200, JSON.stringify(body));
    await assert.rejects(client.listRoutes(box), /answered 200 without a body of the gateway's API/);
  });
}

for (const [name, status, body, headers] of [
  ['a page that is not there', 404, '<h1>Not Found</h1>', {}],
  ['an API that lacks the path', 404, '{"error": "not found"}', {}],
  ['a method that is not allowed', 405, '', {}],
  ['a challenge for browsers', 403, '<title>Just a moment...</title>', {}],
  ['a challenge that looks like an overload', 503, '<title>Just a moment...</title>', {}],
  ['a page of a website', 200, '<!doctype html>', {}],
  ['another API', 200, '{"status": "ok"}', {}],
  ['another API that knows nobody', 401, '{"message": "unauthorized"}', {}],
  ['another API that wants other fields', 422, '{"detail": [{"msg": "field required"}]}', {}],
  ['another API that refuses', 403, '{"error": {"code": 1}}', {}],
  ['a redirect to itself', 302, '', { location: '/login?next=secret' }],
  ['a redirect to nowhere', 301, '', { location: 'javascript:x' }],
] as const) {
  test(`${name} is no gateway, so no registration may have been carried out`, async (t) => {
    const client = await clientOf(t, (_request, response) => void response.writeHead(status, headers).end(body));
    await assert.rejects(client.register('', ''), ({ name, message, ...rest }: Error) => {
      assert.deepEqual([name, (rest as { maybeDone?: boolean }).maybeDone], ['GatewayLost', false]);
      return /^no gateway answers at http:\S+: it [^<?]+$/.test(message);
    });
  });
}

test('an answer of a proxy may hide what its gateway did', async (t) => {
  for (const status of [500, 502, 504, 524]) {
    const client = await clientOf(t, (_request, response) => void response.writeHead(status).end('Bad Gateway'));
    await assert.rejects(client.register('', ''), { name: 'GatewayLost', maybeDone: true });
  }
});

test('names where a redirect leads, and does not follow it', async (t) => {
  const location = 'https://vpn.example.org/v1/boxes/register?token=x';
  const client = await clientOf(t, (_request, response) => void response.writeHead(308, { location }).end());
  await assert.rejects(client.register('', ''), {
    message: /: it leads to https:\/\/vpn\.example\.org \(308\); if the gateway is there, use/,
  });
});

test('a program that speaks no HTTP is no gateway', async (t) => {
  const server = createPlainServer((socket) => void socket.end('SSH-2.0-OpenSSH_9.2p1\r\n'));
  const client = makeGatewayClient(`http://127.0.0.1:${await portOf(t, server)}`);
  await assert.rejects(client.register('', ''), { name: 'GatewayLost', maybeDone: false });
});

test('a box that the gateway does not know is told what to do, after the words of the gateway', async (t) => {
  const client = await answering(t, 401, '{"error": "invalid or expired box token"}');
  const advice =
    /^invalid or expired box token: this gateway does not know the box any more, .*tunnel leave`, then `boxgate tunnel join`/;
  await assert.rejects(client.heartbeat(box), { name: 'GatewayRefused', status: 401, message: advice });
  await assert.rejects(client.register('', ''), { message: 'invalid or expired box token' });
});

test("shows a refusal's message without control characters, and limits its length", async (t) => {
  const client = await answering(t, 403, JSON.stringify({ error: `no\u001b[2J\n\u202e\u2028${'x'.repeat(10_000)}` }));
  await assert.rejects(client.heartbeat(box), ({ name, message }: Error) => {
    return name === 'GatewayRefused' && /^no \[2J x+$/.test(message) && message.length === 500;
  });
});

test('reports an answer that is no JSON without its content', async (t) => {
  const client = await answering(t, 201, '{"box_token": "secret" oh');
  await assert.rejects(client.register('', ''), /answered 201 without a body of the gateway's API$/);
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
