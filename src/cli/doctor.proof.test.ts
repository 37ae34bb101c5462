import assert from 'node:assert/strict';
import { unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type GatewayEnvironment, makeGatewayEnvironment } from '../../fakes/gateway-environment.ts';
import { runBoxgate, type ServingProgram, serveBoxgate } from '../lib/testing/boxgate-process.ts';

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

async function examine(variables: NodeJS.ProcessEnv = {}): Promise<{ status: number | null; said: string[] }> {
  const words = ['gateway', 'doctor', '--proxy', environment.traefik.url];
  const { status, out } = await runBoxgate(words, { ...environment.env(), ...variables });
  return { status, said: out.trimEnd().split('\n') };
}

const heartbeat = async () => {
  await post(`/v1/boxes/${box.box_id}/heartbeat`, {}, box.box_token);
};

test('names a box without heartbeats and without a tunnel', async () => {
  const { status, said } = await examine();
  assert.equal(status, 1);
  assert.match(said.join('\n'), /^box_\w+ \(attic\): it has sent no heartbeat yet/);
  assert.match(said.join('\n'), /its tunnel has had no handshake since the tunnel manager was started/);
  assert.equal(said.at(-1), 'looked at 1 box and 0 routes: 2 found');
});

test('finds nothing once box, tunnel, app and proxy work together', async () => {
  environment.manager.shakeHands('10.8.0.2');
  await heartbeat();
  const app = await environment.serveApp('10.8.0.2', 'notes');
  const route = { app_name: 'notes', subdomain: 'notes', port: app.port };
  await post('/v1/routes', route, box.box_token);
  await environment.traefik.settled();
  // Heartbeats are written together, a few seconds later.
  const end = Date.now() + 60_000;
  let report = await examine();
  while (report.status !== 0 && Date.now() < end) report = await examine();
  assert.deepEqual(report, { status: 0, said: ['looked at 1 box and 1 route: everything matches'] });
  await app.close();
});

test('reports an app that does not answer', async () => {
  const { status, said } = await examine();
  assert.equal(status, 1);
  assert.match(said[0] ?? '', /notes\.\S+: 502, the proxy does not reach the app/);
});

test('reports a file that blocks the proxy, a changed route file, and a missing peer', async () => {
  writeFileSync(join(environment.routesDir, 'mine.yml'), 'http: {}\n');
  writeFileSync(join(environment.routesDir, `boxgate-${box.box_id}.yml`), '# nothing\n');
  for (const { id } of environment.manager.clients()) environment.manager.remove(id);
  const said = (await examine()).said.join('\n');
  assert.match(said, /^file mine\.yml: the proxy refuses the whole directory/);
  assert.match(said, /its route file boxgate-\w+\.yml is not what its routes make/);
  assert.match(said, /the tunnel manager has no peer boxgate-/);
  unlinkSync(join(environment.routesDir, 'mine.yml'));
});

test('uses no new login while the session of the gateway is valid', async () => {
  const logins = () => environment.manager.counters().logins;
  const before = logins();
  await examine();
  assert.equal(logins(), before);
});

test('choice/gateway/332: reports a wrong password of the tunnel manager', async () => {
  const { said } = await examine({ GATEWAY_TUNNEL_PASSWORD: 'another-passWord1' });
  assert.match(
    said.join('\n'),
    /^the tunnel manager: wrong password, or no user of that name: set GATEWAY_TUNNEL_USERNAME in /m,
  );
});
