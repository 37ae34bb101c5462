import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { part } from '../support/part.ts';
import { required } from '../support/required.ts';
import { until } from '../support/until.ts';
import { startAuthorities } from './authorities.ts';

/**
 * `gateway setup` on a systemd and a Docker Engine of its own, with a real Traefik, a real certificate authority and a
 * fake wg-easy. Each test continues from the one before.
 */
const domain = 'pub.test';
const host = `gateway.${domain}`;
const address = '203.0.113.5';
/** The first address that wg-easy gives to a box. */
const boxAddress = '10.8.0.2';
const folder = join(required('BOXGATE_REAL'), 'gateway-setup');
const engine = join(folder, 'engine');
const release = join(folder, 'release');
const bin = '/usr/local/bin';

assert.ok(existsSync('/run/inside'), 'this runs inside .ci/parts/systemd-inside.sh only');

const authorities = await startAuthorities(join(folder, 'authorities'));
const roots = join(folder, 'roots.pem');
const env = {
  PATH: `${required('BOXGATE_ENGINE_ROOT')}/client:${process.env.PATH}`,
  HOME: '/root',
  DOCKER_HOST: `unix://${engine}/docker.sock`,
  DOCKER_CONFIG: process.env.DOCKER_CONFIG,
  NODE_EXTRA_CA_CERTS: roots,
  GATEWAY_ACME_SERVER: authorities.real,
  GATEWAY_ACME_TRIAL_SERVER: authorities.trial,
  GATEWAY_DNS_SERVERS: authorities.dnsServer,
};
const given = ['--domain', domain, '--email', 'ada@pub.test'];

function startSetup(...argv: string[]) {
  const child = spawn(join(release, 'bin/boxgate'), ['gateway', 'setup', ...argv], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const run = { child, said: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes) => {
      run.said += bytes;
    });
  }
  return run;
}

async function setup(...argv: string[]) {
  const run = startSetup(...argv);
  const [status] = await once(run.child, 'close');
  return { status, said: run.said };
}

/** Runs commands as the owner of a box on this machine. */
async function asOwner(script: string, input = '') {
  const path = `${join(release, 'bin')}:${env.PATH}`;
  const shell = spawn('bash', ['-euc', script], { env: { ...env, PATH: path, BOX_STATE_DIR: '/var/lib/boxgate-box' } });
  shell.stdin.end(input);
  const [said, errors, [status]] = await Promise.all([text(shell.stdout), text(shell.stderr), once(shell, 'close')]);
  assert.equal(status, 0, `${script}: ${said}${errors}`);
  return said;
}

/** Sets other images, as an operator may. wg-easy's container runs the fake. */
function overrideImages(image: string) {
  const node = process.execPath;
  const libraries = `lib/${process.arch === 'x64' ? 'x86_64' : 'aarch64'}-linux-gnu`;
  const start = `WG_EASY_PASSWORD=$$INIT_PASSWORD exec ${node} ${process.cwd()}/fakes/wg-easy/main.ts --port $$PORT`;
  const services = {
    'wg-easy': {
      image,
      entrypoint: ['/bin/sh', '-c', start],
      volumes: [
        '/lib64:/lib64:ro',
        `/usr/${libraries}:/${libraries}:ro`,
        `${folder}:/lib/modules:ro`,
        `${process.cwd()}:${process.cwd()}:ro`,
      ],
    },
    traefik: {
      image,
      entrypoint: ['/traefik'],
      environment: { LEGO_CA_CERTIFICATES: '/authority.pem' },
      volumes: [`${required('BOXGATE_TRAEFIK')}:/traefik:ro`, `${authorities.certificate}:/authority.pem:ro`],
    },
  };
  mkdirSync('/etc/boxgate/gateway', { recursive: true });
  writeFileSync('/etc/boxgate/gateway/compose.override.yaml', JSON.stringify({ services }));
}

before(async () => {
  // The services of tests before this one.
  const units =
    'cd /etc/systemd/system && for unit in boxgate-*.*; do systemctl disable --now "$unit"; rm -rf "$unit"; done';
  spawnSync('sh', ['-c', `${units}; systemctl daemon-reload`], { stdio: 'ignore' });
  for (const path of ['/opt/boxgate', '/var/lib/boxgate', '/etc/boxgate'])
    rmSync(path, { recursive: true, force: true });
  for (const one of [address, boxAddress]) spawnSync('ip', ['addr', 'add', `${one}/32`, 'dev', 'lo']);
  await part('engine_start', engine, required('BOXGATE_ENGINE_ROOT'), '10.203.0.0/16');
  // An installation below a folder is what an unpacked archive is.
  const root = join(folder, 'root');
  const made = spawnSync('sh', ['deploy/install.sh', 'gateway', '--no-start'], {
    env: { ...process.env, DESTDIR: root },
    encoding: 'utf8',
  });
  assert.equal(made.status, 0, made.stderr);
  spawnSync('sh', ['-c', `cp -r ${root}/opt/boxgate/[0-9]* ${release}`]);
  // This machine's kernel may have none.
  writeFileSync(join(bin, 'modinfo'), '#!/bin/sh\n', { mode: 0o755 });
  writeFileSync(roots, await authorities.root());
  // The box looks up the name of its gateway here.
  appendFileSync('/etc/hosts', `\n${address} ${host}\n`);
});
after(async () => {
  await part('engine_stop', engine);
  authorities.stop();
  for (const one of [address, boxAddress]) spawnSync('ip', ['addr', 'del', `${one}/32`, 'dev', 'lo']);
  for (const path of ['/var/lib/boxgate', '/etc/boxgate', join(bin, 'modinfo'), folder])
    rmSync(path, { recursive: true, force: true });
});

test('a server that cannot be a gateway yet is told why, and nothing is changed', async () => {
  const taken = createServer().listen(443, '0.0.0.0');
  await once(taken, 'listening');
  await authorities.lead({ four: '203.0.113.9' });
  const first = await setup(...given, '--check');
  taken.close();
  assert.equal(first.status, 1, first.said);
  assert.match(first.said, /^port 443\/tcp, which traefik needs, is taken by (?:node|MainThread)/m);
  assert.match(first.said, /^gateway\.pub\.test leads to 203\.0\.113\.9, which is not this server \(203\.0\.113\.5\)/m);
  await authorities.lead({ four: address, six: '2001:db8::9' });
  const second = await setup(...given, '--check');
  assert.match(second.said, /^\*\.pub\.test leads to 2001:db8::9, one of its 2 addresses, which is not this server/m);
  assert.equal(existsSync('/etc/boxgate/gateway.env') || existsSync('/opt/boxgate'), false);
});

test('a pull that fails is the end, and nothing runs', async () => {
  overrideImages(`${required('BOXGATE_REGISTRY')}/web:none`);
  await authorities.lead({ four: address });
  const { status, said } = await setup(...given);
  assert.equal(status, 1, said);
  assert.match(said, /^docker compose pull: .*(?:manifest|not found)/m);
  assert.equal(existsSync('/opt/boxgate'), false);
});

test('waits for the record, and a kill in the middle leaves nothing that the next run cannot use', async () => {
  overrideImages(required('BOXGATE_TEST_IMAGE'));
  await authorities.lead({});
  const run = startSetup(...given);
  const ended = once(run.child, 'close');
  await until('it waits', () => /waiting for it/.test(run.said));
  assert.match(run.said, /\*\.pub\.test {2}A {2}203\.0\.113\.5/);
  await authorities.lead({ four: address });
  const isPastTrial = () => /^the certificate$/m.test(run.said) || run.child.exitCode !== null;
  await until('it has the certificate for trials', isPastTrial, 300_000);
  run.child.kill('SIGKILL');
  assert.deepEqual(await ended, [null, 'SIGKILL'], run.said);
});

test('the next run asks nothing and ends with a gateway that the doctor finds well', async () => {
  const { status, said } = await setup();
  assert.equal(status, 0, said);
  assert.match(said, /^looked at 0 boxes and 0 routes: everything matches$/m);
  const secrets = ['box-token', 'tunnel-password'].map((name) => readFileSync(`/etc/boxgate/${name}`, 'utf8').trim());
  for (const secret of secrets) assert.ok(secret.length >= 43 && !said.includes(secret));
  for (const name of ['gateway.env', 'gateway/.env', 'gateway/dns.env', 'gateway/compose.yaml']) {
    assert.equal(statSync(`/etc/boxgate/${name}`).mode & 0o777, 0o600, name);
  }
  const owners = [...said.matchAll(/^ {2}(.+)$/gm)].map(([, line = '']) => line);
  assert.equal(owners.length, 2, said);
  const pasted = owners.join('\n').replace('sudo --preserve-env=BOX_REGISTRATION_TOKEN ', '').replace('NAME', 'attic');
  assert.match(await asOwner(pasted, `${secrets[0]}\n`), /^joined https:\/\/gateway\.pub\.test as box_/);
});

test('an app of the box opens under its public name, over HTTPS', async (t) => {
  const app = createHttpServer((_request, response) => response.end('an app')).listen(5230, boxAddress);
  t.after(() => app.close());
  await once(app, 'listening');
  const said = await asOwner(`boxgate tunnel publish notes --subdomain notes --port 5230 --proxy https://${address}`);
  assert.match(said, /is published at https:\/\/notes\.pub\.test and answers/);
  const notes = `--resolve notes.pub.test:443:${address} --cacert ${roots} https://notes.pub.test/`;
  await until('its certificate is there', async () => (await asOwner(`curl -sS ${notes} || true`)) === 'an app');
});

test('--remove takes all back but the data, and nothing of it runs', async () => {
  const { status, said } = await setup('--remove');
  assert.equal(status, 0, said);
  assert.match(said, /^the gateway is removed$/m);
  const listening = spawnSync('ss', ['-Hlntu'], { encoding: 'utf8' }).stdout;
  assert.doesNotMatch(listening, /:(?:80|443|8080|8082|51821)\s/);
  assert.equal(existsSync('/opt/boxgate'), false);
  for (const kept of ['/var/lib/boxgate/gateway.db', '/etc/boxgate/gateway.env', '/etc/boxgate/box-token']) {
    assert.ok(existsSync(kept), kept);
  }
  const again = await setup('--remove');
  assert.equal(again.status, 0, again.said);
});
