import assert from 'node:assert/strict';
import { readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type GatewayEnvironment, makeGatewayEnvironment } from '../../fakes/gateway-environment.ts';
import { runBoxgate, type ServingProgram, serveBoxgate } from '../lib/testing/boxgate-process.ts';
import { packageRoot } from '../package-root.ts';

/** Tests `boxgate gateway doctor` beside a running gateway. Each test continues from the one before. */

let environment: GatewayEnvironment;
let gateway: ServingProgram;
let box: { box_id: string; box_token: string };

before(async () => {
  environment = await makeGatewayEnvironment();
  gateway = await serveBoxgate(['gateway', 'serve'], environment.env());
  box = await post('/v1/boxes/register', { registration_token: environment.registrationToken, box_name: 'attic' });
});

after(async () => {
  await gateway.stop();
  await environment.dispose();
});

async function post<Answer>(path: string, body: object, token = ''): Promise<Answer> {
  const headers = token === '' ? {} : { Authorization: `Bearer ${token}` };
  const answer = await fetch(gateway.address + path, { method: 'POST', headers, body: JSON.stringify(body) });
  assert.ok(answer.ok);
  return (await answer.json()) as Answer;
}

async function examine(
  variables: NodeJS.ProcessEnv = {},
  { url, apiUrl } = environment.traefik,
): Promise<{ status: number | null; said: string[] }> {
  const words = ['gateway', 'doctor', '--proxy', url, '--proxy-api', apiUrl];
  const { status, out } = await runBoxgate(words, { ...environment.env(), ...variables });
  return { status, said: out.trimEnd().split('\n') };
}

const heartbeat = async () => {
  await post(`/v1/boxes/${box.box_id}/heartbeat`, {}, box.box_token);
};

/** Puts a file of somebody else into the routes directory; the result removes it. */
function putFile(name: string, text: string): () => void {
  const path = join(environment.routesDir, name);
  writeFileSync(path, text);
  return () => unlinkSync(path);
}

/** A router for every host and path. */
const catchAll = (more = '') => `http:
  routers:
    catchall: {rule: "PathPrefix(\`/\`) || PathPrefix(\`/${'x'.repeat(300)}\`)", service: noop, tls: {}${more}}
  services:
    noop: {loadBalancer: {servers: [{url: "http://127.0.0.1:1"}]}}
`;

test('names a box without heartbeats and without a tunnel', async () => {
  const { status, said } = await examine();
  assert.equal(status, 1);
  assert.match(said.join('\n'), /^box_\w+ \(attic\): it has sent no heartbeat yet/m);
  assert.match(said.join('\n'), /its tunnel has had no handshake since the tunnel manager was started/);
  assert.match(
    said.join('\n'),
    /^https:\/\/gateway\.\S+: boxes cannot reach it: the proxy does not have it: .* GATEWAY_DOMAIN=/m,
  );
  assert.equal(said.at(-1), 'looked at 1 box and 0 routes: 3 found');
});

test('finds nothing once box, tunnel, app and proxy work together', async () => {
  environment.manager.shakeHands('10.8.0.2');
  await heartbeat();
  const own = readFileSync(join(packageRoot, 'deploy/gateway/gateway-api.yml'), 'utf8');
  putFile('gateway-api.yml', own.replace('http://127.0.0.1:8080', gateway.address));
  // The routes come before it, because it gives no priority.
  const removeCatchAll = putFile('catchall.yml', catchAll());
  const app = await environment.serveApp('10.8.0.2', 'notes');
  const route = { app_name: 'notes', subdomain: 'notes', port: app.port };
  await post('/v1/routes', route, box.box_token);
  await environment.traefik.settled();
  // Heartbeats are written together, a few seconds later.
  const end = Date.now() + 60_000;
  let report = await examine();
  while (report.status !== 0 && Date.now() < end) report = await examine();
  assert.deepEqual(report, { status: 0, said: ['looked at 1 box and 1 route: everything matches'] });
  removeCatchAll();
  await app.close();
});

test('names the files of others if the proxy does not read the directory', async () => {
  const remove = putFile('mine.toml', '[http\n');
  await environment.traefik.settled();
  await post('/v1/routes', { app_name: 'photos', subdomain: 'photos', port: 81 }, box.box_token);
  const said = (await examine()).said.join('\n');
  assert.match(
    said,
    /^the proxy: it does not have the routes of 1 published host, .* \(one of gateway-api\.yml, mine\.toml\); /m,
  );
  remove();
});

test('reports a file that blocks the proxy, a changed route file, and a missing peer', async () => {
  const remove = putFile('mine.yml', 'http: {}\n');
  writeFileSync(join(environment.routesDir, `boxgate-${box.box_id}.yml`), '# nothing\n');
  for (const { id } of environment.manager.clients()) environment.manager.remove(id);
  const said = (await examine()).said.join('\n');
  assert.match(said, /^file mine\.yml: the proxy refuses the whole directory/);
  assert.match(said, /its route file boxgate-\w+\.yml is not what its routes make/);
  assert.match(said, /the tunnel manager has no peer boxgate-/);
  remove();
});

test('uses no new login while the session of the gateway is valid', async () => {
  const logins = () => environment.manager.counters().logins;
  const before = logins();
  await examine();
  assert.equal(logins(), before);
});
