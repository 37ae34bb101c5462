import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer } from 'node:net';
import { join as joinPath } from 'node:path';
import { type TestContext, test } from 'node:test';
import { compare } from 'bcryptjs';
import { portOf } from '../../lib/testing/port-of.ts';
import { temporaryFolder } from '../../lib/testing/temporary-folder.ts';
import { localPorts } from './adapters/local-ports.ts';
import { followApps } from './follow-apps.ts';
import { appContainer, joinedTunnel, publish, type TunnelInFolder } from './testing/tunnel-in-folder.ts';

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

test('a port that takes only HTTPS is named with the port of the app that takes HTTP', async (t) => {
  const box = await tunnelUp(t);
  const directory = joinPath(box.folder, 'notes');
  mkdirSync(directory);
  box.apps.containers = [appContainer(directory, 5230), appContainer(directory, 5231), appContainer(directory, 5232)];
  box.speaks.set(5230, 'https').set(5232, 'http');
  const { proxy, proxy_problem: problem } = await publish(box.tunnel, { ...notes, appDirectory: directory });
  assert.equal(proxy, 'only_https');
  assert.match(
    `${problem}`,
    /^port 5230 takes only HTTPS, and .*: unpublish it, and .* with --port 5232, which takes HTTP$/,
  );
  assert.deepEqual(box.probed, []);
  box.speaks.delete(5232);
  const alone = await publish(box.tunnel, { ...notes, appDirectory: directory });
  assert.match(`${alone.proxy_problem}`, /: switch HTTPS off in the app's own settings, or/);
});

test('sees whether a port takes only HTTPS', async (t) => {
  const folder = temporaryFolder();
  const [key, cert] = [joinPath(folder, 'key'), joinPath(folder, 'cert')];
  const words = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1'];
  execFileSync('openssl', [...words, '-subj', '/CN=x', '-keyout', key, '-out', cert], { stdio: 'ignore' });
  const options = { key: readFileSync(key), cert: readFileSync(cert) };
  const { speaks } = localPorts;
  const answer = (_: unknown, response: ServerResponse) => void response.writeHead(302).end();
  assert.equal(await speaks('127.0.0.1', await portOf(t, createTlsServer(options, answer))), 'https');
  assert.equal(await speaks('127.0.0.1', await portOf(t, createServer(answer))), 'http');
  assert.equal(
    await speaks(
      '127.0.0.1',
      await portOf(
        t,
        createTcpServer((socket) => void socket.end('SSH-2.0\r\n')),
      ),
    ),
    null,
  );
});

test('choice/gateway/312: warns about a listener on 127.0.0.1 only, if the tunnel is up', async (t) => {
  const box = await tunnelUp(t);
  box.listening.add('127.0.0.1:5230');
  await publish(box.tunnel, notes);
  assert.deepEqual(box.warnings, [
    'port 5230 of this box listens only on 127.0.0.1: the gateway does not reach it until it listens on all addresses (boxgate box https setup opens it, if --close-ports closed it)',
  ]);
  const down = await joinedTunnel(t);
  down.listening.add('127.0.0.1:5230');
  await publish(down.tunnel, notes);
  assert.deepEqual(down.warnings, []);
});

test("choice/gateway/312: the box's own ports are not published", async (t) => {
  const box = await tunnelUp(t);
  box.tunnel.boxPort = async () => 7000;
  await assert.rejects(publish(box.tunnel, { ...notes, port: 7000 }), {
    name: 'TunnelProblem',
    message:
      "port 7000 is the box's management page, which has no login: everybody could use it. Publish the port of an app",
  });
  box.pages.add('127.0.0.1:80').add('10.8.0.2:81');
  for (const port of [80, 81]) {
    await assert.rejects(publish(box.tunnel, { ...notes, port }), {
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

function served(t: TestContext, body: string, headers = {}): Promise<number> {
  const server = createServer((request, response) => {
    response.writeHead(200, headers).end(request.url === '/apps' ? body : 'home');
  });
  return portOf(t, server);
}

test('choice/gateway/312: finds the management page behind any port, and no other page', async (t) => {
  const { isBoxgate } = localPorts;
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
  const port = await portOf(t, server);
  const { isBoxgate, listens } = localPorts;
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

test('an owner is told that the proxy asks for the login on open paths too', async (t) => {
  const asks = { status: 401, text: '401 Unauthorized\n' };
  const cases: [answers: object[], isWarned: boolean][] = [
    [[{}, asks, asks, {}], false],
    [[{}, { status: 401, text: "the app's own" }], false],
    [[{}, { status: 404, text: 'no such page' }], false],
    [[{}, asks], true],
  ];
  for (const [answers, isWarned] of cases) {
    const box = await tunnelUp(t);
    box.answers.splice(0, 1, ...answers);
    await publish(box.tunnel, { ...notes, login: 'ada', openPaths: ['/api/*', '/feed'] });
    assert.equal(box.probed[1], 'https://notes.example.test notes.example.test/api/');
    assert.equal(/asked for a login at \/api\/\* too, by .*: only Traefik 3 /.test(box.warnings.join()), isWarned);
  }
});

test('a login is made anew at each use, and what is not named stays', async (t) => {
  const box = await joinedTunnel(t);
  const first = await publish(box.tunnel, { ...notes, login: 'ada', openPaths: ['/api/*'] });
  assert.match(first.password ?? '', /^[0-9a-f]{32}$/);
  assert.deepEqual(first.access, { login: 'ada', open_paths: ['/api/*'] });
  const second = await publish(box.tunnel, { ...notes, login: 'eve', allow: ['203.0.113.0/24'] });
  assert.notEqual(second.password, first.password);
  assert.deepEqual(
    [second.id, second.access],
    [first.id, { login: 'eve', open_paths: ['/api/*'], allow: ['203.0.113.0/24'] }],
  );
  const again = await publish(box.tunnel, notes);
  assert.deepEqual([again.access, again.password], [second.access, undefined]);
  const { hashes } = box.gateway;
  assert.deepEqual(
    [hashes.length, hashes[2] === hashes[1], await compare(second.password ?? '', String(hashes[1]))],
    [3, true, true],
  );
  assert.match(String(hashes[0]), /^\$2[aby]\$04\$/);
  const kept = readFileSync(joinPath(box.folder, 'tunnel-ports.json'), 'utf8');
  assert.equal(kept.includes(second.password ?? ''), false);
});

for (const [what, first] of [
  ['a new route', null],
  ['a route that everybody could open', {}],
] as const) {
  test(`a gateway that ignores access rules leaves nothing published: ${what}`, async (t) => {
    const box = await joinedTunnel(t);
    box.gateway.hasAccess = false;
    if (first !== null) await publish(box.tunnel, notes);
    await assert.rejects(publish(box.tunnel, { ...notes, login: 'ada' }), {
      name: 'TunnelProblem',
      message: `the gateway at ${box.gateway.url} does not know --login, --allow and --open-path: it would let everybody open notes.example.test, so it is not published any more. Its operator has to update the gateway`,
    });
    assert.deepEqual([box.gateway.routes, box.tunnel.files.openPorts.read()], [[], []]);
  });
}

test('says that a route which everybody may open could not be withdrawn', async (t) => {
  const box = await joinedTunnel(t);
  box.gateway.hasAccess = false;
  box.gateway.before = (request) => {
    if (request.startsWith('DELETE ')) box.gateway.answerAll = { status: 503, body: { error: 'closed' } };
  };
  const published = publish(box.tunnel, { ...notes, allow: ['::1'] });
  await assert.rejects(
    published,
    /could not be withdrawn: closed; run boxgate tunnel unpublish notes\.example\.test at once$/,
  );
});

test('a publication with access rules whose answer is lost is repeated', async (t) => {
  const box = await joinedTunnel(t);
  box.gateway.loseAnswerOf = 'POST /v1/routes';
  box.gateway.before = (request) => {
    if (request === 'GET /v1/routes') box.gateway.loseAnswerOf = null;
  };
  const route = await publish(box.tunnel, { ...notes, login: 'ada' });
  assert.deepEqual([route.access, box.gateway.hashes.length], [{ login: 'ada' }, 2]);
});

for (const hasAccess of [true, false]) {
  test(`a name that follows its app to another port ${hasAccess ? 'keeps its access rules' : 'is withdrawn if the gateway ignores them now'}`, async (t) => {
    const box = await joinedTunnel(t);
    const appDirectory = joinPath(box.folder, 'notes');
    mkdirSync(appDirectory);
    box.apps.containers = [appContainer(appDirectory, 5230)];
    await publish(box.tunnel, { ...notes, appDirectory, login: 'ada' });
    box.apps.containers = [appContainer(appDirectory, 5231)];
    box.gateway.hasAccess = hasAccess;
    const { lines } = await followApps(box.tunnel);
    assert.deepEqual(
      box.gateway.routes.map(({ port, access }) => [port, access]),
      hasAccess ? [[5231, { login: 'ada' }]] : [],
    );
    assert.deepEqual(lines, [
      hasAccess
        ? 'notes.example.test leads to port 5231 of this box now, as notes does'
        : 'notes.example.test is not published any more: the gateway does not know its access rules any more',
    ]);
    assert.equal(box.gateway.hashes[1], hasAccess ? box.gateway.hashes[0] : undefined);
    assert.equal(box.tunnel.files.openPorts.read().length, hasAccess ? 1 : 0);
  });
}
