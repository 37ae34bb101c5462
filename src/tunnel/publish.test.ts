import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { makeLocalPorts } from './local-ports.ts';
import { joinedTunnel, publish, type TunnelInFolder } from './testing/tunnel-in-folder.ts';

async function tunnelUp(t: TestContext): Promise<TunnelInFolder> {
  const box = await joinedTunnel(t);
  box.tunnel.wireGuard.interfaceWith = () => 'tunnel';
  return box;
}

const notes = { app: 'notes', subdomain: 'notes', port: 5230 };

test('choice/gateway/312: publishes a port that listens at the tunnel address without a warning', async (t) => {
  const box = await tunnelUp(t);
  box.listening.add('10.8.0.2:5230');
  await publish(box.tunnel, notes);
  assert.deepEqual(box.warnings, []);
});

test('choice/gateway/312: a port without a listener is published with a warning', async (t) => {
  const box = await tunnelUp(t);
  const route = await publish(box.tunnel, notes);
  assert.equal(route.port, 5230);
  assert.deepEqual(box.warnings, [
    'nothing listens on port 5230 of this box: visitors get an error until something does',
  ]);
});

test('choice/gateway/312: warns about a listener on 127.0.0.1 only, if the tunnel is up', async (t) => {
  const box = await tunnelUp(t);
  box.listening.add('127.0.0.1:5230');
  await publish(box.tunnel, notes);
  assert.deepEqual(box.warnings, [
    'port 5230 of this box listens only on 127.0.0.1: the gateway does not reach it until it listens on all addresses',
  ]);
  const down = await joinedTunnel(t);
  down.listening.add('127.0.0.1:5230');
  await publish(down.tunnel, notes);
  assert.deepEqual(down.warnings, []);
});

test("choice/gateway/312: the box's own ports are not published", async (t) => {
  const box = await tunnelUp(t);
  const ownPorts = [{ port: 7000, what: "the box's management page" }];
  await assert.rejects(publish(box.tunnel, { ...notes, port: 7000, ownPorts }), {
    name: 'TunnelProblem',
    message:
      "port 7000 is the box's management page, which has no login: everybody could use it. Publish the port of an app",
  });
  box.pages.add('127.0.0.1:80').add('10.8.0.2:81');
  for (const port of [80, 81]) {
    await assert.rejects(publish(box.tunnel, { ...notes, port, ownPorts }), {
      message: new RegExp(`^port ${port} is a server of boxgate, or shows its page, which has no login`),
    });
  }
  assert.deepEqual([box.gateway.routes, box.warnings], [[], []]);
});

test('choice/gateway/311: waits until the proxy serves the host', async (t) => {
  const box = await tunnelUp(t);
  const begin = box.tunnel.now().getTime();
  box.answers.splice(0, 1, { problem: 'ECONNREFUSED' }, { status: 404, text: '404 page not found\n' }, {});
  const route = await publish(box.tunnel, notes);
  assert.deepEqual([route.proxy, route.proxy_problem], ['answers', null]);
  assert.deepEqual(new Set(box.probed), new Set(['https://notes.example.test notes.example.test']));
  assert.deepEqual([box.probed.length, box.tunnel.now().getTime() - begin], [3, 1000]);
});

test('choice/gateway/311: the wait ends after 15 s, and the route stays', async (t) => {
  const box = await tunnelUp(t);
  const begin = box.tunnel.now().getTime();
  box.answers[0] = { status: 404, text: '404 page not found\n' };
  const route = await publish(box.tunnel, { ...notes, proxy: 'http://127.0.0.1:8088' });
  assert.deepEqual([route.proxy, route.proxy_problem], ['not_yet', 'it answers 404, as for a host without a route']);
  assert.equal(box.probed[0], 'http://127.0.0.1:8088 notes.example.test');
  const waited = box.tunnel.now().getTime() - begin;
  assert.ok(waited > 14_000 && waited <= 15_000, `${waited}`);
  assert.equal(box.gateway.routes.length, 1);
});

test('choice/gateway/311: reports at once an app that does not answer through the tunnel', async (t) => {
  const box = await tunnelUp(t);
  box.answers[0] = { status: 502, text: 'Bad Gateway' };
  const route = await publish(box.tunnel, notes);
  assert.deepEqual([route.proxy, box.probed.length], ['no_app', 1]);
});

test('choice/gateway/311: asks the published host, whatever address the gateway names', async (t) => {
  const box = await tunnelUp(t);
  const body = { id: 'rt_1', app_name: 'notes', port: 5230, host: 'notes.example.test' };
  box.gateway.answerAll = { status: 201, body: { ...body, url: 'http://192.168.1.1' } };
  await publish(box.tunnel, notes);
  assert.deepEqual(box.probed, ['https://notes.example.test notes.example.test']);
});

async function served(t: TestContext, body: string, headers = {}): Promise<number> {
  const server = createServer((request, response) => {
    response.writeHead(200, headers).end(request.url === '/apps' ? body : 'home');
  });
  t.after(() => server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

test('choice/gateway/312: finds the management page behind any port, and no other page', async (t) => {
  const { isBoxgate } = makeLocalPorts();
  const page = await served(t, '<!doctype html><head><meta name="boxgate-version" content="1.2.3">');
  assert.equal(await isBoxgate('127.0.0.1', page), true);
  const other = await served(t, '<!doctype html><title>Apps</title>');
  assert.equal(await isBoxgate('127.0.0.1', other), false);
  const metrics = await served(t, '', { Server: 'boxgate/1.2.3' });
  assert.equal(await isBoxgate('127.0.0.1', metrics), true);
});

test('choice/gateway/312: a server without HTTP shows no page', async (t) => {
  const server = createTcpServer((socket) =>
    socket
      .on('error', () => undefined)
      .resume()
      .end('SSH-2.0-x\r\n'),
  );
  t.after(() => server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const { isBoxgate, listens } = makeLocalPorts();
  assert.deepEqual([await isBoxgate('127.0.0.1', port), await listens('127.0.0.1', port)], [false, true]);
  server.close();
  await once(server, 'close');
  assert.equal(await listens('127.0.0.1', port), false);
});

for (const [what, listing] of [
  ['and it has the route: it is taken over', null],
  ['and it cannot be asked: the next publication takes the route over', { status: 503, body: { error: 'closed' } }],
] as const) {
  test(`the gateway's answer to a publication is lost, ${what}`, async (t) => {
    const box = await joinedTunnel(t);
    box.gateway.loseAnswerOf = 'POST /v1/routes';
    box.gateway.before = (request) => {
      if (request === 'GET /v1/routes') box.gateway.answerAll = listing;
    };
    const first = publish(box.tunnel, notes);
    if (listing !== null) {
      await assert.rejects(first, {
        message: `the answer to the publication of notes at ${box.gateway.url} was lost; run the command again: it takes over the route if the gateway has it`,
      });
    } else await first;
    box.gateway.before = () => {};
    Object.assign(box.gateway, { answerAll: null, loseAnswerOf: null });
    const again = await publish(box.tunnel, notes);
    assert.deepEqual([again.id, box.gateway.routes.length], ['rt_1', 1]);
    assert.deepEqual(
      box.tunnel.files.openPorts.read().map(({ id, port }) => [id, port]),
      [['rt_1', 5230]],
    );
  });
}

test('a publication that is lost before the gateway has it says that it is not listed', async (t) => {
  const box = await joinedTunnel(t);
  box.gateway.loseAnswerOf = 'POST /v1/routes';
  box.gateway.before = () => {
    box.gateway.routes.length = 0;
  };
  await assert.rejects(publish(box.tunnel, notes), /was lost, and the gateway does not list it; run the command again/);
});

for (const changed of [{ app: 'feeds' }, { port: 8180 }]) {
  test(`a name that this box has for something else is refused: ${Object.keys(changed)}`, async (t) => {
    const box = await joinedTunnel(t);
    await publish(box.tunnel, notes);
    await assert.rejects(publish(box.tunnel, { ...notes, ...changed }), {
      message:
        'subdomain already in use: this box publishes notes (port 5230) at notes.example.test; boxgate tunnel unpublish notes.example.test frees the name',
    });
  });
}
