import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { hashSync } from 'bcryptjs';
import { until } from '../pause.ts';
import { openSubject, type Subject } from './contract-subject.ts';
import { harmless, stopping } from './file-cases.ts';

/**
 * Contract: what writers of a routes directory rely on. The same cases run on the fake and on the real Traefik 3.7.15
 * (see `contract-subject.ts`).
 */
const app = createServer((incoming, response) =>
  incoming
    .resume()
    .on('end', () =>
      response
        .setHeader('x-got-login', String(incoming.headers.authorization !== undefined))
        .end(`${incoming.headers.host}${incoming.url} by ${incoming.headers['x-forwarded-host']}`),
    ),
);
let server = '';
before(async () => {
  await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve));
  server = `http://127.0.0.1:${(app.address() as AddressInfo).port}`;
});
after(() => {
  app.close();
  app.closeAllConnections();
});

let subject: Subject;
beforeEach(() => {
  subject = openSubject();
});
afterEach(() => subject.close());

type Parts = { rule?: string; tls?: string; url?: string; more?: string; host?: string; transport?: string };

/** A file that publishes the host `NAME.test` by default. */
function route(name: string, parts: Parts = {}): string {
  const { host = `${name}.test`, url = server, tls = 'tls: {}', more = '', transport = '' } = parts;
  const rule = parts.rule ?? `rule: "Host(\`${host}\`)"`;
  return `http:
  routers:
    ${name}:
      entryPoints: [websecure]
      ${rule}
      service: ${name}
      ${tls}
      ${more}
  services:
    ${name}:
      loadBalancer:
        servers:
          - url: "${url}"
${transport}`;
}

const status = async (host: string) => (await subject.ask(host)).status;
const isServed = (host: string) => until(`${host} is served`, async () => (await status(host)) === 200);
const isGone = (host: string) => until(`${host} is gone`, async () => (await status(host)) === 404);
/** Traefik answers by a new configuration before its log about it has come through the pipe. */
const isLogged = (text: RegExp) => until(`the log says ${text}`, () => text.test(subject.log()));
const isBlocked = (file: string) => isLogged(new RegExp(`watcher callback.*${file}`));

test('serves only the published host, with path and host name', async () => {
  subject.put('a.yml', route('a'));
  await subject.start();
  await isServed('a.test');
  const { status: answered, body } = await subject.ask('a.test', '/x?y=1');
  assert.deepEqual([answered, body], [200, 'a.test/x?y=1 by a.test']);
  assert.equal(await status('A.TEST'), 200);
  assert.equal((await subject.ask('b.test')).body, '404 page not found\n');
  assert.deepEqual(
    (await subject.routers()).map((each) => [each.name, each.status, each.error]),
    [['a@file', 'enabled', undefined]],
  );
});

test('follows new, changed and removed files', async () => {
  await subject.start();
  subject.put('a.yml', route('a'));
  await isServed('a.test');
  subject.put('a.yml', route('a', { host: 'b.test' }));
  await isServed('b.test');
  assert.equal(await status('a.test'), 404);
  subject.remove('a.yml');
  await isGone('b.test');
  assert.deepEqual(await subject.routers(), []);
  assert.doesNotMatch(subject.log(), /watcher callback|Error while building configuration/);
});

test('reads .yml, .yaml and .toml in any case, dot files and links; ignores other files', async () => {
  for (const name of ['a.yml', 'b.yaml', 'C.YML', '.d.yml', '.yml']) subject.put(name, route(name.replaceAll('.', '')));
  subject.put('t.toml', '# nothing\n');
  for (const name of ['x.tmp', 'x.yml.tmp', 'x.yml~', 'x.json', 'x']) subject.put(name, 'http: {}\n');
  mkdirSync(join(subject.directory, '..', 'elsewhere'));
  subject.put('../elsewhere/target', route('linked'));
  symlinkSync('../elsewhere/target', join(subject.directory, 'z.yml'));
  await subject.start();
  await isServed('linked.test');
  const names = (await subject.routers()).map((each) => each.name).sort();
  assert.deepEqual(names, ['CYML@file', 'ayml@file', 'byaml@file', 'dyml@file', 'linked@file', 'yml@file']);
});

test('reads nested folders, but does not watch them', async () => {
  mkdirSync(join(subject.directory, 'one', 'two'), { recursive: true });
  subject.put('one/two/deep.yml', route('deep'));
  await subject.start();
  await isServed('deep.test');
  subject.put('one/new.yml', route('new'));
  subject.remove('one/two/deep.yml');
  assert.equal(await status('deep.test'), 200);
  subject.put('event.yml', route('event'));
  await isServed('event.test');
  assert.equal(await status('new.test'), 200);
  assert.equal(await status('deep.test'), 404);
});

describe('one invalid file blocks all changes until it is removed', () => {
  beforeEach(async () => {
    subject.put('a.yml', route('a'));
    await subject.start();
    await isServed('a.test');
  });

  test('of every kind', async () => {
    for (const [number, [kind, text]] of Object.entries(stopping).entries()) {
      const name = `stop-${number}.yml`;
      subject.put(name, text);
      await isBlocked(name);
      subject.put('b.yml', route('b'));
      assert.equal(await status('a.test'), 200, kind);
      assert.equal(await status('b.test'), 404, kind);
      subject.remove(name);
      await isServed('b.test');
      subject.remove('b.yml');
      await isGone('b.test');
    }
  });

  test('invalid UTF-8, and a dangling link', async () => {
    subject.put('bytes.yml', Buffer.from([0x23, 0xff, 0x0a]));
    await isBlocked('bytes.yml');
    subject.remove('bytes.yml');
    symlinkSync('nowhere', join(subject.directory, 'link.yml'));
    await isBlocked('link.yml');
    assert.equal(await status('a.test'), 200);
    subject.remove('link.yml');
    subject.put('b.yml', route('b'));
    await isServed('b.test');
  });

  test('in a folder', async () => {
    mkdirSync(join(subject.directory, 'folder'));
    subject.put('folder/stop.yml', 'http: {}\n');
    subject.put('b.yml', route('b'));
    await isBlocked('stop.yml');
    assert.equal(await status('b.test'), 404);
  });
});

test('serves nothing after a start with an invalid file, and everything once it is removed', async () => {
  subject.put('a.yml', route('a'));
  subject.put('stop.yml', 'http: {}\n');
  await subject.start();
  await isLogged(/Error while building configuration.*stop\.yml/);
  assert.equal(await status('a.test'), 404);
  subject.remove('stop.yml');
  await isServed('a.test');
});

test('accepts files without content, and reads the first of several documents', async () => {
  for (const [number, text] of Object.values(harmless).entries()) subject.put(`${number}.yml`, text);
  subject.put('two.yml', `${route('first')}---\n${route('second')}`);
  await subject.start();
  await isServed('first.test');
  assert.equal(await status('second.test'), 404);
  assert.doesNotMatch(subject.log(), /watcher callback|Error while building configuration/);
});

test('reads JSON, CRLF, a byte-order mark, and names in any case', async () => {
  const json = { http: { routers: { j: { rule: 'Host(`j.test`)', service: 'crlf', tls: {} } } } };
  subject.put('json.yml', JSON.stringify(json));
  subject.put('crlf.yml', route('crlf').replaceAll('\n', '\r\n'));
  subject.put('bom.yml', `\uFEFF${route('bom')}`);
  subject.put('case.yml', route('case').replace('routers', 'Routers').replace('entryPoints', 'ENTRYPOINTS'));
  await subject.start();
  for (const host of ['j.test', 'crlf.test', 'bom.test', 'case.test']) await isServed(host);
});

test('evaluates every file as a template', async () => {
  subject.put('env.yml', route('x', { host: '{{ env "PLACE" }}.test' }));
  subject.put('text.yml', route('y', { host: '{{ "text" }}.test' }));
  subject.put('comment.yml', `# {{/* a comment */}} }}\n${route('z')}`);
  await subject.start();
  for (const host of ['env.test', 'text.test', 'z.test']) await isServed(host);
});

describe('reports the status of routers in its API', () => {
  const cases: [kind: string, status: string, answers: number, parts: Parts][] = [
    ['tls true', 'enabled', 200, { tls: 'tls: true' }],
    ['tls with a resolver', 'enabled', 200, { tls: 'tls: {certResolver: }' }],
    ['tls null', 'enabled', 404, { tls: 'tls:' }],
    ['tls false', 'enabled', 404, { tls: 'tls: false' }],
    ['no tls', 'enabled', 404, { tls: '' }],
    ['an unknown entry point beside a known one', 'enabled', 200, { more: 'ENTRYPOINTS: [websecure, nope]' }],
    ['a rule with an unknown function', 'disabled', 404, { rule: 'rule: "Hst(`x.test`)"' }],
    ['a rule that does not end', 'disabled', 404, { rule: 'rule: "Host(`x.test`"' }],
    ['two hosts in one function', 'disabled', 404, { rule: 'rule: "Host(`x.test`, `y.test`)"' }],
    ['one host or another', 'enabled', 200, { rule: 'rule: "Host(`x.test`) || Host(`y.test`)"' }],
    ['a host and a path', 'enabled', 200, { rule: 'rule: "Host(`x.test`) && (PathPrefix(`/`) && !Path(`/other`))"' }],
    ['another path', 'enabled', 404, { rule: 'rule: "Host(`x.test`) && Path(`/a`)"' }],
    ['an empty rule', 'disabled', 404, { rule: 'rule: ""' }],
    ['no rule', 'disabled', 404, { rule: '' }],
    ['a host that is not ASCII', 'disabled', 404, { rule: 'rule: "Host(`ü.test`)"' }],
    ['a middleware that is not there', 'disabled', 404, { more: 'middlewares: [m]' }],
    ['an address without a scheme', 'disabled', 404, { url: '127.0.0.1:1' }],
    ['an address without a listener', 'enabled', 502, { url: 'http://127.0.0.1:1' }],
    ['an invalid port', 'enabled', 502, { url: 'http://127.0.0.1:99999' }],
  ];
  test('for every kind', async () => {
    subject.put('0.yml', 'http: {}\n');
    await subject.start();
    for (const [kind, expected, answers, parts] of cases) {
      subject.put('x.yml', route('x', parts));
      subject.put('0.yml', route('marker'));
      await isServed('marker.test');
      const [router] = (await subject.routers()).filter((each) => each.name === 'x@file');
      assert.deepEqual([kind, router?.status], [kind, expected], JSON.stringify(router));
      assert.equal(router?.error === undefined, expected === 'enabled', kind);
      assert.equal(await status('x.test'), answers, kind);
      subject.put('0.yml', '');
      await isGone('marker.test');
    }
  });

  test('for missing or empty services', async () => {
    const router = (name: string, service: string) => `${name}: {rule: "Host(\`${name}.test\`)", ${service}tls: {}}`;
    const routers = [router('a', 'service: nope, '), router('b', ''), router('c', 'service: hollow, ')];
    const services = 'hollow: {}, none: {loadBalancer: {servers: []}}';
    subject.put('x.yml', `http: {routers: {${[...routers, router('d', 'service: none, ')]}}, services: {${services}}}`);
    await subject.start();
    await until('all routers are listed', async () => (await subject.routers()).length === 4);
    const seen = (await subject.routers()).map((each) => [each.name[0], each.status]);
    assert.deepEqual(seen.sort(), [
      ['a', 'disabled'],
      ['b', 'disabled'],
      ['c', 'disabled'],
      ['d', 'enabled'],
    ]);
    assert.equal(await status('d.test'), 503);
    const disabled = await subject.routers('?status=disabled');
    assert.deepEqual(disabled.map((each) => each.name).sort(), ['a@file', 'b@file', 'c@file']);
  });

  test('disabled for an unknown entry point, warning for one beside a known one', async () => {
    subject.put('x.yml', route('x').replace('[websecure]', '[nope]'));
    subject.put('y.yml', route('y').replace('[websecure]', '[websecure, nope]'));
    subject.put('z.yml', route('z').replace('[websecure]', '[]'));
    await subject.start();
    await isServed('y.test');
    const seen = (await subject.routers()).map((each) => [each.name, each.status]).sort();
    assert.deepEqual(seen, [
      ['x@file', 'disabled'],
      ['y@file', 'warning'],
      ['z@file', 'enabled'],
    ]);
    assert.equal(await status('x.test'), 404);
    assert.equal(await status('z.test'), 200);
  });

  test('enabled with an unknown certificate resolver, which only the log reports', async () => {
    subject.put('x.yml', route('x', { tls: 'tls: {certResolver: le}' }));
    await subject.start();
    await isServed('x.test');
    const [router] = await subject.routers();
    assert.deepEqual([router?.status, router?.error, router?.tls?.certResolver], ['enabled', undefined, 'le']);
    await isLogged(/nonexistent certificate resolver/);
  });
});

describe('a servers transport', () => {
  const silent = createTcpServer((socket) => socket.on('error', () => undefined).resume());
  let silentUrl = '';
  before(async () => {
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    silentUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  });
  after(() => silent.close());

  const withTimeouts = (name: string, timeouts: string) => `        serversTransport: ${name}
  serversTransports:
    ${name}:
      forwardingTimeouts: {${timeouts}}
`;

  test('limits the time until the response headers, with a 504', async () => {
    const transport = withTimeouts('quick', 'responseHeaderTimeout: 300ms, dialTimeout: 20s');
    subject.put('a.yml', route('a', { url: silentUrl, transport }));
    subject.put('b.yml', route('b', { transport: withTimeouts('other', 'responseHeaderTimeout: 20s') }));
    await subject.start();
    await isServed('b.test');
    assert.equal(await status('a.test'), 504);
  });

  test('that is missing disables the router', async () => {
    subject.put('a.yml', route('a', { transport: '        serversTransport: nope\n' }));
    subject.put('b.yml', route('b'));
    await subject.start();
    await isServed('b.test');
    assert.equal(await status('a.test'), 404);
    const [router] = (await subject.routers()).filter((each) => each.name === 'a@file');
    assert.match(`${router?.status} ${router?.error}`, /^disabled .*servers transport not found nope@file$/);
  });

  test('is taken from the first file with its name', async () => {
    subject.put('a.yml', route('a', { transport: withTimeouts('t', 'responseHeaderTimeout: 20s') }));
    subject.put('b.yml', route('b', { transport: withTimeouts('t', 'responseHeaderTimeout: 10s') }));
    await subject.start();
    await isServed('b.test');
    await isLogged(/servers transport already configured, skipping/);
  });
});

for (const [seconds, shown, status] of [
  [1, '1s', /^(?:499|50[24])$/], // The real one answers any of them.
  [0, undefined, /^200$/],
] as const) {
  test(`a read timeout of ${seconds} s: an upload of two seconds gets ${status.source}`, async () => {
    subject.put('a.yml', route('a'));
    await subject.start(seconds);
    await isServed('a.test');
    assert.equal(await subject.readTimeout(), shown);
    assert.match(String(await subject.upload('a.test')), status);
  });
}

test('takes a router from the first of two files, and logs it', async () => {
  subject.put('b.yml', route('x', { host: 'second.test' }));
  subject.put('a.yml', route('x', { host: 'first.test' }));
  await subject.start();
  await isServed('first.test');
  assert.equal(await status('second.test'), 404);
  await isLogged(/router already configured, skipping/);
});

test('prefers the longest rule unless a router has a priority', async () => {
  const unreachable = 'http://127.0.0.1:1';
  subject.put('a.yml', route('a', { host: 'x.test', url: unreachable }));
  subject.put('b.yml', route('b', { rule: 'rule: "Host(`x.test`) && PathPrefix(`/deep`)"' }));
  subject.put('c.yml', route('c', { host: 'y.test', url: unreachable }));
  subject.put('d.yml', route('d', { host: 'y.test', more: 'priority: 15' }));
  await subject.start();
  await until('all routers are listed', async () => (await subject.routers()).length === 4);
  assert.equal((await subject.ask('x.test', '/deep/er')).status, 200);
  assert.equal((await subject.ask('x.test', '/')).status, 502);
  assert.equal((await subject.ask('y.test', '/')).status, 200);
});

describe('middlewares', () => {
  const user = (login: string, password: string) => `"${login}:${hashSync(password, 4)}"`;
  const ada = user('ada', 'right');
  const asAda = `{basicAuth: {users: [${ada}]}}`;
  const mine = '{ipAllowList: {sourceRange: [203.0.113.0/24, 127.0.0.1]}}';
  const others = '{ipAllowList: {sourceRange: [203.0.113.0/24, "2001:db8::/32"]}}';
  /** Publishes `NAME.test` with middlewares, in their order. */
  const guarded = (name: string, ...kinds: string[]) => {
    const names = kinds.map((_, index) => `${name}-${index}`);
    const middlewares = kinds.map((kind, index) => `${names[index]}: ${kind}`);
    return `${route(name, { more: `middlewares: [${names}]` })}  middlewares: {${middlewares}}\n`;
  };
  /** The statuses without a login, with a wrong one and with the right one; of a 200 also whether the app got the login. */
  const cases: [kind: string, middlewares: string[], statuses: (string | number)[]][] = [
    ['a login', [asAda], [401, 401, '200 true']],
    ['a hidden login', [`{basicAuth: {removeHeader: true, users: [${ada}]}}`], [401, 401, '200 false']],
    ['two users', [`{basicAuth: {users: [${user('bob', 'b')}, ${ada}]}}`], [401, 401, '200 true']],
    ['a hash that is none', ['{basicAuth: {users: ["ada:right"]}}'], [401, 401, 401]],
    ['an address', [mine], ['200 false', '200 true', '200 true']],
    ['a network', ['{ipWhiteList: {sourceRange: [127.0.0.0/8]}}'], ['200 false', '200 true', '200 true']],
    ['other networks', [others], [403, 403, 403]],
    ['an address, then a login', [mine, asAda], [401, 401, '200 true']],
    ['other networks, then a login', [others, asAda], [403, 403, 403]],
    ['a login, then other networks', [asAda, others], [401, 401, 403]],
    ['no user', ['{basicAuth: {removeHeader: true}}'], [404, 404, 404]],
    ['a user without a hash', ['{basicAuth: {users: [ada]}}'], [404, 404, 404]],
    ['no network', ['{ipAllowList: {sourceRange: []}}'], [404, 404, 404]],
    ['a network that is none', ['{ipAllowList: {sourceRange: [127.0.0.0/40]}}'], [404, 404, 404]],
    ['an address that is none', ['{ipAllowList: {sourceRange: [here]}}'], [404, 404, 404]],
    ['two kinds in one', [`{basicAuth: {users: [${ada}]}, ${mine.slice(1)}`], [404, 404, 404]],
  ];

  test('of every kind', async () => {
    for (const [index, [, kinds]] of cases.entries()) subject.put(`${index}.yml`, guarded(`x${index}`, ...kinds));
    subject.put('marker.yml', route('marker'));
    await subject.start();
    await isServed('marker.test');
    const asks = async (name: string, login: string) => {
      const authorization = `Basic ${Buffer.from(login).toString('base64')}`;
      const { status, gotLogin } = await subject.ask(`${name}.test`, '/', login === '' ? {} : { authorization });
      return status === 200 ? `200 ${gotLogin}` : status;
    };
    for (const [index, [kind, , wanted]] of cases.entries()) {
      const name = `x${index}`;
      const statuses = await Promise.all(['', 'ada:wrong', 'ada:right'].map((login) => asks(name, login)));
      assert.deepEqual([kind, ...statuses], [kind, ...wanted]);
      const router = (await subject.routers()).find((each) => each.name === `${name}@file`);
      assert.equal(router?.status, wanted[0] === 404 ? 'disabled' : 'enabled', kind);
    }
  });

  test('ask for a login with the realm, except on the paths of a router with a higher priority', async () => {
    const rule = 'rule: "Host(`x.test`) && PathPrefix(`/api/`) && PathRegexp(`^([.]?([a-z/-]|%2[BC])[ \\\\p{L}]*)*$`)"';
    subject.put('x.yml', guarded('x', `{basicAuth: {realm: "the attic", users: [${ada}]}}`));
    subject.put('y.yml', route('y', { rule, more: 'priority: 1000' }));
    subject.put('marker.yml', route('marker'));
    await subject.start();
    await isServed('marker.test');
    const { status, body, asks } = await subject.ask('x.test');
    assert.deepEqual([status, body, asks], [401, '401 Unauthorized\n', 'Basic realm="the attic"']);
    const statuses = (...paths: string[]) =>
      Promise.all(paths.map(async (path) => (await subject.ask('x.test', path)).status));
    const open = ['/api/x', '/api/.well-known/x', '/api/a.b', '/api/a%20%C3%a4.b', '/%61pi/a%2b%2C', '/api/a%2eb'];
    assert.deepEqual(
      await statuses(...open),
      open.map(() => 200),
    );
    const other = ['/api', '/api/..%2Fx', '/api/%2E%2e/x', '/api/%252e%252E/x', '/api/a%00', '/api/a%ff', '/api/a%3B'];
    assert.deepEqual(
      await statuses(...other),
      other.map(() => 401),
    );
  });
});

describe('does not watch a directory', () => {
  /** Starts a second Traefik on the same directory. Once it serves the host, the first one had enough time. */
  const isServedToANewcomer = async (host: string) => {
    const newcomer = openSubject(subject.directory);
    try {
      await newcomer.start();
      await until(`${host} is served`, async () => (await newcomer.ask(host)).status === 200);
    } finally {
      await newcomer.close();
    }
  };

  test('that was missing at its start', async () => {
    rmSync(subject.directory, { recursive: true });
    await subject.start();
    mkdirSync(subject.directory);
    subject.put('a.yml', route('a'));
    await isServedToANewcomer('a.test');
    assert.equal(await status('a.test'), 404);
  });

  test('that replaced the original one', async () => {
    subject.put('a.yml', route('a'));
    await subject.start();
    await isServed('a.test');
    renameSync(subject.directory, `${subject.directory}-old`);
    mkdirSync(subject.directory);
    subject.put('b.yml', route('b'));
    await isServedToANewcomer('b.test');
    subject.put('c.yml', route('c'));
    await isServedToANewcomer('c.test');
    assert.equal(await status('c.test'), 404);
  });

  test('that was replaced by a file, and keeps serving its routes', async () => {
    subject.put('a.yml', route('a'));
    await subject.start();
    await isServed('a.test');
    renameSync(subject.directory, `${subject.directory}-old`);
    writeFileSync(subject.directory, 'no directory');
    // It watches the old directory, but reads the path after an event.
    writeFileSync(`${subject.directory}-old/event`, '');
    await isLogged(/watcher callback/);
    assert.equal(await status('a.test'), 200);
  });

  test('that had a dangling link at its start', async () => {
    subject.put('a.yml', route('a'));
    symlinkSync('nowhere', join(subject.directory, 'link.yml'));
    symlinkSync('nowhere', join(subject.directory, 'harmless'));
    await subject.start();
    await isLogged(/Cannot start the provider/);
    subject.remove('link.yml');
    await isServedToANewcomer('a.test');
    assert.equal(await status('a.test'), 404);
  });
});
