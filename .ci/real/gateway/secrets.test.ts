import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { makeScratchDatabase } from '../../../fakes/scratch-database.ts';
import { startWgEasy, type WgEasy } from '../../../fakes/wg-easy/wg-easy.ts';
import { Gateway, registrationToken } from '../support/gateway.ts';
import { readFolder } from '../support/read-folder.ts';
import { required } from '../support/required.ts';
import { secretsIn, watchProcesses } from '../support/secrets.ts';
import { launcher } from '../support/server-process.ts';
import { type Overheard, overhear } from './overhear.ts';

/**
 * Runs a gateway's operations and failures with recognisable secrets. No secret, in any reversible encoding, may appear
 * in a response that does not issue it, in the output, in a file or in a process list.
 */
const managerPassword = 'Canary "Manager\\Päss" %/+&\'1';

/** A response as sent, and the names of the secrets that it may contain. */
type Heard = { what: string; text: string; issues: string[] };

type Scene = {
  manager: WgEasy;
  between: Overheard;
  gateway: Gateway;
  secrets: Map<string, string>;
  heard: Heard[];
  outputs: string[];
};

type Box = { id: string; token: string };

test('a secret is found in every form that can be turned back, and not where only its digest is', () => {
  const secrets = new Map([['it', managerPassword]]);
  const bytes = Buffer.from(managerPassword);
  const texts = [
    managerPassword,
    JSON.stringify({ error: managerPassword }),
    JSON.stringify({ error: JSON.stringify({ error: managerPassword }) }),
    `http://admin:${encodeURIComponent(managerPassword)}@127.0.0.1`,
    bytes.toString('hex'),
    ...['', 'a', 'ab', 'abc'].flatMap((before) =>
      (['base64', 'base64url'] as const).map((form) =>
        Buffer.from(`${before}${managerPassword}${before}`).toString(form),
      ),
    ),
  ];
  for (const text of texts) assert.deepEqual(secretsIn(`x${text}y`, secrets), ['it'], text);
  const digest = createHash('sha256').update(bytes).digest();
  for (const form of ['hex', 'base64'] as const) assert.deepEqual(secretsIn(digest.toString(form), secrets), []);
});

for (const { dialect, kind } of [
  { dialect: '15.4', kind: 'file' },
  { dialect: '15.4', kind: 'postgres' },
  { dialect: '14', kind: 'file' },
] as const) {
  test(`no secret leaves a gateway with wg-easy ${dialect} and a store in ${kind}`, async (t) => {
    const scene = await setUp(t, dialect, kind);
    const { gateway, secrets, heard, outputs } = scene;
    const watched = watchProcesses(() => gateway.process?.pid);
    await gateway.start();
    await operations(scene);
    await refusals(scene);
    await failures(scene);
    await commands(scene, kind);
    const processes = watched.stop();

    for (const cookie of scene.between.cookies()) secrets.set(`cookie ${secrets.size}`, cookie);
    assert.ok(secrets.size > 12, `there were secrets: ${[...secrets.keys()]}`);
    assert.ok(processes.size > 1 && outputs.length > 3, 'there were processes');
    for (const { what, text, issues } of heard) {
      const held = secretsIn(text, secrets);
      assert.deepEqual(
        held.filter((name) => !issues.includes(name)),
        [],
        what,
      );
    }
    for (const text of [gateway.stdout, gateway.stderr, ...outputs]) assert.deepEqual(secretsIn(text, secrets), []);
    for (const [where, text] of processes) assert.deepEqual(secretsIn(text, secrets), [], where);
    const statuses = new Set(heard.map(({ text }) => Number(text.slice(0, 3))));
    t.diagnostic(`${heard.length} answers: ${[...statuses].sort()}; ${processes.size} looks at processes`);
    assert.deepEqual(
      [200, 201, 400, 401, 403, 404, 413, 500, 502].filter((status) => !statuses.has(status)),
      [],
      'statuses that were not seen',
    );
    assert.notEqual(gateway.stderr, '', 'failures were told');
    filesHoldNone(scene, kind);
  });
}

async function setUp(t: TestContext, dialect: '14' | '15.4', kind: 'file' | 'postgres'): Promise<Scene> {
  const manager = await startWgEasy({ dialect, password: managerPassword });
  const between = await overhear(manager.url);
  const secrets = new Map([
    ['registration token', registrationToken],
    ['manager password', managerPassword],
  ]);
  let store: string | undefined;
  if (kind === 'postgres') {
    const database = await makeScratchDatabase(required('GATEWAY_TEST_POSTGRES'));
    t.after(() => database.drop());
    store = database.url;
    secrets.set('database password', decodeURIComponent(new URL(store).password));
  }
  const gateway = new Gateway({
    manager: { url: between.url, username: manager.username, password: managerPassword },
    domain: 'pub.example',
    ...(store === undefined ? {} : { store }),
    more: { BOX_LIMIT: '3' },
  });
  t.after(async () => {
    await gateway.kill();
    between.close();
    await manager.close();
  });
  return { manager, between, gateway, secrets, heard: [], outputs: [] };
}

async function ask(scene: Scene, method: string, path: string, body?: unknown, token?: string): Promise<Heard> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const text = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(scene.gateway.url + path, { method, headers, body: text });
  const answer = `${response.status} ${JSON.stringify([...response.headers])} ${await response.text()}`;
  const heard: Heard = { what: `${method} ${path.replace(/bgt_\w*/g, 'TOKEN')}`, text: answer, issues: [] };
  scene.heard.push(heard);
  return heard;
}

const bodyOf = ({ text }: Heard) => JSON.parse(text.slice(text.indexOf('] {') + 2));

function register(scene: Scene, fields: object = {}): Promise<Heard> {
  const body = { registration_token: registrationToken, box_name: 'canary', ...fields };
  return ask(scene, 'POST', '/v1/boxes/register', body);
}

/** Registers a box and adds its token and tunnel keys to the secrets. */
async function registered(scene: Scene): Promise<Box> {
  const heard = await register(scene);
  assert.match(heard.text, /^201 /);
  const { box_id: id, box_token: token, tunnel } = bodyOf(heard);
  learn(scene, heard, `token of ${id}`, token);
  for (const key of ['PrivateKey', 'PresharedKey']) {
    const [, value = ''] = new RegExp(`^${key} = (.*)$`, 'm').exec(tunnel.config) ?? [];
    assert.ok(value.length > 40, key);
    learn(scene, heard, `${key} of ${id}`, value);
  }
  return { id, token };
}

function learn({ secrets }: Scene, heard: Heard, name: string, value: string): void {
  secrets.set(name, value);
  heard.issues.push(name);
}

async function operations(scene: Scene): Promise<void> {
  const box = await registered(scene);
  const other = await registered(scene);
  const published = await ask(scene, 'POST', '/v1/routes', { app_name: 'a', subdomain: 'a', port: 80 }, box.token);
  assert.match(published.text, /^201 /);
  const rotated = await ask(scene, 'POST', `/v1/boxes/${box.id}/rotate-token`, undefined, box.token);
  learn(scene, rotated, `second token of ${box.id}`, bodyOf(rotated).box_token);
  const { box_token: token } = bodyOf(rotated);
  await ask(scene, 'POST', `/v1/boxes/${box.id}/heartbeat`, undefined, token);
  await ask(scene, 'GET', '/v1/routes', undefined, token);
  await ask(scene, 'DELETE', `/v1/routes/${bodyOf(published).id}`, undefined, token);
  await ask(scene, 'POST', `/v1/boxes/${other.id}/deregister`, undefined, other.token);
  await ask(scene, 'GET', '/healthz');
}

async function refusals(scene: Scene): Promise<void> {
  const box = await registered(scene);
  const { id, token } = box;
  await ask(scene, 'GET', '/v1/routes', undefined, `${token}x`);
  await ask(scene, 'GET', `/v1/${token}`, undefined, token);
  await ask(scene, 'GET', `/v1/routes?token=${token}`);
  await ask(scene, 'POST', `/v1/boxes/${token}/heartbeat`, undefined, token);
  await ask(scene, 'DELETE', `/v1/routes/${token}`, undefined, token);
  await ask(scene, 'POST', '/v1/routes', { app_name: token, subdomain: token, port: token }, token);
  await ask(scene, 'POST', '/v1/boxes/register', `{"registration_token":"${registrationToken}",`);
  await ask(scene, 'POST', '/v1/boxes/register', { registration_token: registrationToken, box_name: '\u0000' });
  await ask(scene, 'POST', '/v1/boxes/register', registrationToken.repeat(5000));
  await register(scene, { registration_token: `${registrationToken} ` });
  await register(scene, { box_name: [registrationToken] });
  await ask(scene, 'POST', `/v1/boxes/${id}/deregister`, undefined, 'bgt_none');
  await ask(scene, 'POST', `/v1/boxes/box_other/rotate-token`, undefined, token);
}

/** Faults of the manager, the routes directory and the session during operations. */
async function failures(scene: Scene): Promise<void> {
  const { manager, gateway } = scene;
  for (const on of ['create', 'list', 'configuration', 'delete'] as const) {
    for (const kind of ['fail-after', 'drop-after', 'html-after', 'broken-json', 'wrong-shape'] as const) {
      const fault = manager.faults.script({ kind, on });
      await tryOnce(scene);
      fault.remove();
    }
  }
  await manager.stop();
  await tryOnce(scene);
  await manager.start();
  await manager.restart({ password: 'another password' });
  manager.loseSessions();
  await tryOnce(scene);
  await manager.restart({ password: managerPassword });
  const box = await registered(scene);
  renameSync(gateway.routes, `${gateway.routes}-away`);
  writeFileSync(gateway.routes, '');
  await ask(scene, 'POST', '/v1/routes', { app_name: 'a', subdomain: 'b', port: 80 }, box.token);
  await ask(scene, 'POST', `/v1/boxes/${box.id}/deregister`, undefined, box.token);
  renameSync(gateway.routes, `${gateway.routes}-file`);
  renameSync(`${gateway.routes}-away`, gateway.routes);
}

/** Registers a box; if that succeeds, deregisters it, so that the limit is not reached. */
async function tryOnce(scene: Scene): Promise<void> {
  const heard = await register(scene);
  if (!heard.text.startsWith('201 ')) return;
  const { box_id: id, box_token: token, tunnel } = bodyOf(heard);
  learn(scene, heard, `token of ${id}`, token);
  const [, key = ''] = /^PrivateKey = (.*)$/m.exec(tunnel.config) ?? [];
  learn(scene, heard, `PrivateKey of ${id}`, key);
  const [, shared = ''] = /^PresharedKey = (.*)$/m.exec(tunnel.config) ?? [];
  learn(scene, heard, `PresharedKey of ${id}`, shared);
  await ask(scene, 'POST', `/v1/boxes/${id}/deregister`, undefined, token);
}

/** Runs the operator's commands, and starts the gateway with invalid settings. */
async function commands(scene: Scene, kind: 'file' | 'postgres'): Promise<void> {
  const { gateway } = scene;
  const run = (words: string[], changes: Record<string, string> = {}) => {
    const env = { ...gateway.environment('0'), ...changes };
    return new Promise<void>((resolve) => {
      execFile(
        process.execPath,
        [launcher, 'gateway', ...words],
        { env, timeout: 60_000 },
        (_error, stdout, stderr) => {
          scene.outputs.push(stdout, stderr);
          resolve();
        },
      );
    });
  };
  await run(['boxes', 'list']);
  await run(['doctor', '--proxy', 'http://127.0.0.1:1']);
  await run(['doctor'], { GATEWAY_TUNNEL_PASSWORD: 'another password' });
  await gateway.stop();
  await run(['boxes', 'remove', (await gateway.listBoxes())[0] ?? '']);
  await run(['serve'], {
    GATEWAY_TUNNEL_URL: `http://admin:${encodeURIComponent(managerPassword)}@127.0.0.1:1`,
  });
  if (kind === 'file') return;
  const store = new URL(String(gateway.environment('0').GATEWAY_STORE));
  const changes: Partial<URL>[] = [{ port: '1' }, { pathname: '/nowhere' }, { hostname: 'nowhere.invalid' }];
  for (const part of changes) await run(['serve'], { GATEWAY_STORE: Object.assign(new URL(store), part).href });
  await run(['serve', '--store', store.href.replace(/:[^:@]*@/, '@')]);
}

function filesHoldNone({ gateway, secrets }: Scene, kind: 'file' | 'postgres'): void {
  const written = [...readFolder(gateway.state), ...readFolder(gateway.routes)];
  if (kind === 'postgres') written.push(...readFolder(join(required('BOXGATE_REAL'), 'postgres', 'data')));
  assert.ok(
    written.some(({ bytes }) => bytes.includes('canary')),
    'what is written there can be found',
  );
  for (const { path, bytes } of written) assert.deepEqual(secretsIn(bytes, secrets), [], path);
  if (kind === 'postgres') {
    const log = readFileSync(join(required('BOXGATE_REAL'), 'postgres', 'log'));
    assert.deepEqual(secretsIn(log, secrets), [], 'the log of PostgreSQL');
    return;
  }
  for (const { path } of readFolder(gateway.state))
    assert.equal((statSync(path).mode & 0o077).toString(8), '0', `${path} is for its owner alone`);
}
