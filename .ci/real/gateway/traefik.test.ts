import assert from 'node:assert/strict';
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { isDeepStrictEqual, promisify } from 'node:util';
import { startWgEasy, type WgEasy } from '../../../fakes/wg-easy/wg-easy.ts';
import { readTrafficText } from '../../../src/gateway/adapters/traefik/traefik-api.ts';
import { parseTraffic } from '../../../src/gateway/rules/route-traffic.ts';
import { Gateway, registrationToken } from '../support/gateway.ts';
import { part } from '../support/part.ts';
import { required } from '../support/required.ts';
import { launcher } from '../support/server-process.ts';
import { until } from '../support/until.ts';
import { overTls } from './over-tls.ts';

/**
 * A real Traefik reads the routes directory while routes are published and withdrawn. The tunnel's addresses are
 * on loopback, so the test serves as the boxes.
 */
const folder = join(required('BOXGATE_REAL'), 'traefik');
const program = required('BOXGATE_TRAEFIK');
const [tlsPort, apiPort] = [8443, 8081];
const domain = 'pub.example';
const phrases = ['watcher callback', 'Error while building configuration', 'nonexistent', 'already configured'];
const appPorts = [3000, 3001, 3002];

let manager: WgEasy;
let gateway: Gateway;
const apps: Server[] = [];

before(async () => {
  manager = await startWgEasy();
  gateway = new Gateway({ manager, domain, more: { BOX_LIMIT: '50', CERT_RESOLVER: 'letters' } });
  await gateway.start();
  await part(
    'traefik_start',
    folder,
    program,
    gateway.routes,
    String(tlsPort),
    String(apiPort),
    '--providers.providersthrottleduration=100ms',
    '--metrics.prometheus.addRoutersLabels=true',
    // This certificate resolver exists but is never used: no request needs a certificate from it.
    '--certificatesresolvers.letters.acme.tlschallenge=true',
    `--certificatesresolvers.letters.acme.storage=${join(folder, 'acme.json')}`,
    '--certificatesresolvers.letters.acme.caserver=http://127.0.0.1:1',
  );
});
after(async () => {
  await part('traefik_stop', folder);
  await gateway.kill();
  await manager.close();
  for (const app of apps) app.close();
});

type Box = { id: string; token: string; address: string };

async function register(name: string): Promise<Box> {
  const { status, body } = await gateway.register(name);
  assert.equal(status, 201, JSON.stringify(body));
  const box = { id: body.box_id, token: body.box_token, address: body.tunnel.address };
  await serveApps(box.address);
  return box;
}

const served = new Set<string>();

/** Apps at one address of the tunnel; each responds with its address and port. */
async function serveApps(address: string): Promise<void> {
  if (served.has(address)) return;
  served.add(address);
  for (const port of appPorts) {
    const app = createServer((_incoming, response) => response.end(`${address}:${port}`)).listen(port, address);
    await once(app, 'listening');
    apps.push(app);
  }
}

const run = promisify(execFile);

const hostOf = (subdomain: string) => `${subdomain}.${domain}`;
const isServed = (subdomain: string, text: string) =>
  until(`${subdomain} answers ${text}`, async () => {
    const { status, body } = await overTls(tlsPort, hostOf(subdomain));
    assert.ok(status === 404 || body === text, `${subdomain}: ${status} ${body}`);
    return status === 200;
  });
const isGone = (subdomain: string) =>
  until(`${subdomain} is 404`, async () => (await overTls(tlsPort, hostOf(subdomain))).status === 404);

async function routers(): Promise<{ name: string; status: string; error?: string[] }[]> {
  const all = (await (await fetch(`http://127.0.0.1:${apiPort}/api/http/routers?per_page=1000`)).json()) as {
    name: string;
    status: string;
    provider: string;
  }[];
  return all.filter((each) => each.provider === 'file');
}

test('a published host is served over TLS by the app behind it, and is 404 once it is withdrawn', async () => {
  const box = await register('first');
  const { publish, unpublish } = gateway.as(box);
  const published = await publish('photos', 3000);
  assert.equal(published.status, 201, JSON.stringify(published.body));
  assert.equal(published.body.url, `https://${hostOf('photos')}`);
  await isServed('photos', `${box.address}:3000`);
  assert.equal((await unpublish(published.body.id)).status, 200);
  await isGone('photos');
  assert.deepEqual(await routers(), [], 'the last file is gone');
  assert.equal((await gateway.as(box).deregister()).status, 200);
});

/** Makes Traefik answer with a certificate of the domain for so many days. @returns the file of the authority that signed it */
function trustedCertificate(days = '2'): string {
  const [key, certificate] = [join(folder, 'tls.key'), join(folder, 'tls.crt')];
  const names = `subjectAltName=DNS:*.${domain}`;
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', days, '-subj', `/CN=${domain}`],
      ...['-addext', names, '-keyout', key, '-out', certificate],
    ],
    { stdio: 'ignore' },
  );
  const files = { certFile: certificate, keyFile: key };
  const text = JSON.stringify({ tls: { stores: { default: { defaultCertificate: files } } } });
  writeFileSync(join(gateway.routes, 'certificate.yml'), text);
  return certificate;
}

/** Joins with a box of its own folder, by the command that an owner uses. */
async function joinAs(name: string) {
  const state = join(folder, name);
  const NODE_EXTRA_CA_CERTS = trustedCertificate();
  const tunnel = async (...words: string[]) => {
    const env = {
      ...{ PATH: process.env.PATH, HOME: folder, BOX_STATE_DIR: state, NODE_EXTRA_CA_CERTS },
      ...{ BOX_REGISTRATION_TOKEN: registrationToken, BOX_GATEWAY_PROXY: `https://127.0.0.1:${tlsPort}` },
    };
    return (await run(process.execPath, [launcher, 'tunnel', ...words], { env })).stdout;
  };
  await tunnel('join', '--gateway', gateway.url, '--name', name);
  const { address } = JSON.parse(readFileSync(join(state, 'tunnel.json'), 'utf8'));
  return { tunnel, address: String(address) };
}

test('choice/gateway/311: `tunnel publish` waits until Traefik serves the host, and tells an app that does not answer', async (t) => {
  const { tunnel, address } = await joinAs('cellar');
  await serveApps(address);
  const begin = Date.now();
  assert.match(await tunnel('publish', 'album', '--subdomain', 'album', '--port', '3000'), / and answers, id /);
  t.diagnostic(`published and served within ${Date.now() - begin} ms`);
  assert.equal((await overTls(tlsPort, hostOf('album'))).body, `${address}:3000`);
  assert.match(
    await tunnel('publish', 'off', '--subdomain', 'off', '--port', '3999'),
    /; the proxy knows the host, but the app does not answer through the tunnel: 502\./,
  );
  await tunnel('leave');
  await isGone('album');
  rmSync(join(gateway.routes, 'certificate.yml'));
});

test('a host asks for the login that was published with it, except for open paths, and refuses other networks', async () => {
  const { tunnel, address } = await joinAs('attic');
  const app = createServer(({ headers }, response) => response.end(`asked ${headers.authorization}`));
  await once(app.listen(3005, address), 'listening');
  apps.push(app);
  const host = hostOf('diary');
  const publish = (...rules: string[]) =>
    tunnel('publish', 'diary', '--subdomain', 'diary', '--port', '3005', ...rules);
  const passwordOf = (text: string) => /password: (\w+)/.exec(text)?.[1] ?? '';
  const statuses = async (password: string) => {
    const auth = `ada:${password}`;
    const all = [{}, { auth: 'ada:wrong' }, { auth }, { path: '/api/x' }, { path: '/api/..%2Fadmin' }];
    return Promise.all(all.map(async (each) => (await overTls(tlsPort, host, each)).status));
  };
  const answers = (wanted: readonly number[], password: string) =>
    until(`it answers ${wanted}`, async () => isDeepStrictEqual(await statuses(password), wanted));

  const first = passwordOf(await publish('--login', 'ada', '--open-path', '/api/*'));
  const guarded = [401, 401, 200, 200, 401];
  await answers(guarded, first);
  const open = [
    '/api/v1/a.b-c_d~e:f@g',
    '/api/.well-known/x',
    "/api/(it's),+&=*!$?q=%00",
    '/api/gr%C3%BC%C3%9Fe%20%e4%b8%ad.txt',
    '/api/me%40example.org%2B%3D',
  ];
  const odd = [
    '.%00./x',
    'x%0D',
    'x%0a/',
    '%EF%BC%8E%EF%BC%8E/x',
    '%252e%252e/x',
    '..;/x',
    '..%5Cx',
    '.%20./x',
    '.%CC%B8./x',
    '%C0%AE%C0%AE/x',
    '%2e%2e%2fx',
    '%C2%85',
    '%E2%80%AE',
  ];
  const statusOf = async (path: string) => (await overTls(tlsPort, host, { path })).status;
  for (const path of open) assert.equal(await statusOf(path), 200, path);
  for (const path of odd) assert.notEqual(await statusOf(`/api/${path}`), 200, path);
  const { body } = await overTls(tlsPort, host, { auth: `ada:${first}` });
  assert.equal(body, 'asked undefined', 'the app does not see the password');
  const second = passwordOf(await publish('--login', 'ada'));
  await answers(guarded, second);
  assert.equal((await overTls(tlsPort, host, { auth: `ada:${first}` })).status, 401, 'the old password is refused');
  const [counted] = parseTraffic(await readTrafficText(`http://127.0.0.1:${apiPort}`)).values();
  assert.ok(counted !== undefined && counted.requests > 0 && counted.sent > 0, JSON.stringify(counted));
  await publish('--allow', '203.0.113.0/24');
  await answers([403, 403, 403, 403, 403], second);
  await publish('--allow', '127.0.0.0/8');
  await answers(guarded, second);
  await tunnel('leave');
  await isGone('diary');
  rmSync(join(gateway.routes, 'certificate.yml'));
});

/** An app whose process is stopped, so that its kernel takes no more connections: the same to see as a box that is off. */
async function silentApp(t: TestContext, address: string, port: number): Promise<void> {
  const script = `require('net').createServer().listen({ host: '${address}', port: ${port}, backlog: 1 }, () => console.log())`;
  const app = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] });
  t.after(() => app.kill('SIGKILL'));
  await once(app.stdout, 'data');
  app.kill('SIGSTOP');
  // They fill the queue of the kernel.
  for (let i = 0; i < 3; i += 1) connect(port, address).on('error', () => undefined);
}

test('the doctor finds apps that do not answer, also behind a login, and a certificate that ends soon', async (t) => {
  const box = await register('loft');
  await silentApp(t, box.address, 3009);
  const login = { login: 'ada', password_hash: '$2b$04$yI23VMPPUtY8aqDoYtBgD.Ulg8pOSOJFkNM0wV0ffiN0nV48AjYFe' };
  for (const [subdomain, port, access] of [
    ['fine', 3000],
    ['silent', 3009],
    ['guarded', 3000, login],
    ['gone', 3008, login],
    ['shut', 3008, { allow: ['203.0.113.0/24'] }],
  ] as const) {
    const body = JSON.stringify({ app_name: 'app', subdomain, port, access });
    const headers = { authorization: `Bearer ${box.token}` };
    assert.equal((await gateway.ask('/v1/routes', { method: 'POST', headers, body })).status, 201, subdomain);
  }
  await until('Traefik has them', async () => (await routers()).length === 5);
  const env = { ...gateway.environment('0'), NODE_EXTRA_CA_CERTS: trustedCertificate('1') };
  const words = ['--proxy', `https://127.0.0.1:${tlsPort}`, '--proxy-api', `http://127.0.0.1:${apiPort}`];
  const argv = [launcher, 'gateway', 'doctor', ...words];
  const { stdout } = await run(process.execPath, argv, { env }).catch((error) => error as { stdout: string });
  const about = (name: string) => stdout.split('\n').filter((line) => line.includes(`: ${hostOf(name)}: `));
  assert.deepEqual([...about('fine'), ...about('guarded')], [], stdout);
  for (const name of ['gone', 'shut']) assert.match(about(name).join(), /: 502 behind the login, .*: does it run/);
  assert.match(about('silent').join(), /: 504, the app or the box does not answer: /);
  assert.match(stdout, /: its certificate \(and of \d more\) ends at .*, in 23 hours, and has not been renewed: /);
  assert.equal((await gateway.as(box).deregister()).status, 200);
  await isGone('fine');
  rmSync(join(gateway.routes, 'certificate.yml'));
});

/**
 * Traefik lists the directory and then opens each file. If a file is removed in between, Traefik logs one error, and
 * the event of the removal makes Traefik read the directory again.
 */
function isOfARemoval(line: string): boolean {
  const [, box = ''] = /watcher callback.*boxgate-(box_\w+)\.yml: no such file or directory/.exec(line) ?? [];
  return box !== '' && !gateway.routeFiles().has(box);
}

test('its log has none of the phrases of a directory that it could not use, and would have', async () => {
  const lines = () => readFileSync(join(folder, 'log'), 'utf8').split('\n');
  for (const phrase of phrases) {
    const told = lines().filter((line) => line.includes(phrase) && !isOfARemoval(line));
    assert.deepEqual(told, []);
  }
  const foreign = join(gateway.routes, 'foreign.yml');
  writeFileSync(foreign, 'http: {}\n');
  await until('a file that stops every reading is told', () =>
    lines().some((line) => /watcher callback.*foreign\.yml/.test(line)),
  );
  rmSync(foreign);
});
