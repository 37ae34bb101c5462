import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { part } from '../support/part.ts';
import { required } from '../support/required.ts';
import { until } from '../support/until.ts';
import { removeNetwork, sh } from '../tunnel/network.ts';
import { startAuthorities } from './authorities.ts';

/**
 * `gateway setup` on a systemd and a Docker Engine of its own, with a real Traefik, a real certificate authority and a
 * fake wg-easy that keeps a real WireGuard interface. The box is in a network namespace of its own, `home`, which only
 * this server's public addresses connect. Each test continues from the one before.
 */
const domain = 'pub.test';
const host = `gateway.${domain}`;
const address = '203.0.113.5';
const address6 = '2001:db8:5::5';
/** The first address that wg-easy gives to a box. */
const boxAddress = '10.8.0.2';
const boxState = '/var/lib/boxgate-box';
/** A page of the app: many packets. */
const page = 'an app '.repeat(30_000);
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

function startSetup(argv: readonly string[], more: NodeJS.ProcessEnv = {}) {
  const child = spawn(join(release, 'bin/boxgate'), ['gateway', 'setup', ...argv], {
    env: { ...env, ...more },
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

async function setup(argv: readonly string[] = [], more: NodeJS.ProcessEnv = {}) {
  const run = startSetup(argv, more);
  const [status] = await once(run.child, 'close');
  return { status, said: run.said };
}

/** Starts commands at home, where box, owner and visitors are. */
function startAtHome(script: string) {
  const path = `${join(release, 'bin')}:${env.PATH}`;
  return spawn('ip', ['netns', 'exec', 'home', 'bash', '--norc', '-euc', script], {
    env: { ...env, PATH: path, BOX_STATE_DIR: boxState },
  });
}

async function atHome(script: string, input = '') {
  const shell = startAtHome(script);
  // Most commands end without reading it.
  shell.stdin.on('error', () => undefined).end(input);
  const [said, errors, [status]] = await Promise.all([text(shell.stdout), text(shell.stderr), once(shell, 'close')]);
  assert.equal(status, 0, `${script}: ${said}${errors}`);
  return said;
}

let tunnel: ChildProcess | null = null;

/** Brings the box's end of the tunnel up as its service does. */
async function startTunnel() {
  const up = startAtHome(`boxgate tunnel firewall && exec bash ${release}/deploy/tunnel.sh ${boxState}/tunnel.conf`);
  tunnel = up;
  up.stderr.resume();
  await until('the tunnel is up', async () => {
    assert.equal(up.exitCode, null, 'the tunnel has ended');
    return (await atHome('wg show tunnel latest-handshakes 2>/dev/null || true')).replace(/^.*\t0$/m, '').trim() !== '';
  });
}

async function stopTunnel() {
  if (tunnel === null) return;
  const ended = tunnel.exitCode ?? once(tunnel, 'close');
  tunnel = null;
  await atHome('ip link delete dev tunnel');
  await ended;
}

/** Where the names of the gateway lead to for the box and for visitors, and for the authority. */
async function lead(to: { four?: string; six?: string }) {
  const lines = Object.values(to).map((one) => `${one} ${host} notes.${domain}`);
  writeFileSync('/etc/hosts', ['127.0.0.1 localhost', ...lines, ''].join('\n'));
  await authorities.lead(to);
}

/** The page that a visitor gets, and how many bytes came through the tunnel meanwhile. */
async function visit(family: '-4' | '-6') {
  const received = () => Number(readFileSync('/sys/class/net/wg0/statistics/rx_bytes', 'utf8'));
  const before = received();
  const said = await atHome(`curl ${family} -sS --cacert ${roots} https://notes.${domain}/ 2>&1 || true`);
  return { said, bytes: received() - before };
}

/** Sets other images, as an operator may. wg-easy's container runs the fake. */
function overrideImages(image: string) {
  const node = process.execPath;
  const libraries = `lib/${process.arch === 'x64' ? 'x86_64' : 'aarch64'}-linux-gnu`;
  const fake = `${process.cwd()}/fakes/wg-easy/main.ts --port $$PORT --interface wg0 --host $$INIT_HOST`;
  const start = [
    'wireguard-go wg0 && ip address add 10.8.0.1/24 dev wg0 && ip link set wg0 up',
    `WG_EASY_PASSWORD=$$INIT_PASSWORD exec ${node} ${fake}`,
  ].join(' && ');
  const services = {
    'wg-easy': {
      image,
      entrypoint: ['/bin/sh', '-c', start],
      devices: ['/dev/net/tun'],
      volumes: [
        ...['wg', 'wireguard-go'].map((name) => `/usr/bin/${name}:/bin/${name}:ro`),
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
  sh(`
    ip netns add home; ip -n home link set lo up
    ip link add wan type veth peer name wan netns home
    ip addr add ${address}/32 dev wan; ip addr add ${address6}/128 dev wan nodad; ip link set wan up
    ip -n home addr add 203.0.113.77/32 dev wan; ip -n home addr add 2001:db8:5::77/128 dev wan nodad
    ip -n home link set wan up
    ip -n home route add ${address} dev wan; ip -n home route add ${address6} dev wan
    ip route add 203.0.113.77 dev wan; ip route add 2001:db8:5::77 dev wan`);
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
});
after(async () => {
  await part('engine_stop', engine);
  authorities.stop();
  removeNetwork();
  for (const path of ['/var/lib/boxgate', boxState, '/etc/boxgate', join(bin, 'modinfo'), folder])
    rmSync(path, { recursive: true, force: true });
});

test('a server that cannot be a gateway yet is told why, and nothing is changed', async () => {
  const taken = createServer().listen(443, '0.0.0.0');
  await once(taken, 'listening');
  await lead({ four: '203.0.113.9' });
  const first = await setup([...given, '--check'], { GATEWAY_ACME_SERVER: 'https://127.0.0.1:9/dir' });
  taken.close();
  assert.equal(first.status, 1, first.said);
  assert.match(first.said, /^port 443\/tcp, which traefik needs, is taken by (?:node|MainThread)/m);
  assert.match(
    first.said,
    /^gateway\.pub\.test leads to 203\.0\.113\.9, which is not this server \(203\.0\.113\.5, 2001:/m,
  );
  assert.match(first.said, /^the certificate authority is not reached: 127\.0\.0\.1:9 \(ECONNREFUSED\)/m);
  await lead({ four: address, six: '2001:db8::9' });
  sh('mount -t tmpfs -o size=1m tmpfs /opt');
  const worse = { GATEWAY_ACME_SERVER: authorities.late, DOCKER_HOST: `unix://${folder}/no.sock` };
  const second = await setup([...given, '--check'], worse).finally(() => sh('umount /opt'));
  assert.match(second.said, /^Docker Engine does not answer/m);
  assert.match(second.said, /^the disk has [01] MiB left/m);
  assert.match(second.said, /^the clock of this server is (?:59|60|61) minutes behind/m);
  assert.match(second.said, /^\*\.pub\.test leads to 2001:db8::9, one of its 2 addresses, which is not this server/m);
  assert.equal(existsSync('/etc/boxgate/gateway.env') || existsSync('/opt/boxgate'), false);
});

test('a pull that fails is the end, and nothing runs', async () => {
  overrideImages(`${required('BOXGATE_REGISTRY')}/web:none`);
  await lead({ four: address });
  const { status, said } = await setup(given);
  assert.equal(status, 1, said);
  assert.match(said, /^docker compose pull: .*(?:manifest|not found)/m);
  assert.equal(existsSync('/opt/boxgate'), false);
});

test('waits for the record, and a kill in the middle leaves nothing that the next run cannot use', async () => {
  overrideImages(required('BOXGATE_TEST_IMAGE'));
  await lead({});
  const run = startSetup(given);
  const ended = once(run.child, 'close');
  await until('it waits', () => /waiting for it/.test(run.said));
  assert.match(run.said, /\*\.pub\.test {2}A {2}203\.0\.113\.5/);
  const beside = await setup(given);
  assert.equal(beside.status, 1);
  assert.match(beside.said, /^another gateway setup runs on this server, and this one has changed nothing: .*\n$/);
  await lead({ six: address6 });
  const isPastTrial = () => /^the certificate$/m.test(run.said) || run.child.exitCode !== null;
  await until('it has the certificate for trials', isPastTrial, 300_000);
  run.child.kill('SIGKILL');
  assert.deepEqual(await ended, [null, 'SIGKILL'], run.said);
});

test('a limit of the authority that counts is the end after a trial that went well, and Traefik asks no more', async () => {
  // The killed run may have left a Compose that ends by itself, or a fork that becomes one.
  const left = "grep -qsz -e '^--force-recreate$' -e '^--domain$' /proc/[0-9]*/cmdline";
  const goesOn = () => spawnSync('sh', ['-c', left]).status === 0;
  await until('Compose has ended', () => !goesOn());
  spawnSync('docker', ['stop', 'boxgate-gateway-parts-traefik-1'], { env });
  const { status, said } = await setup([], { GATEWAY_ACME_SERVER: authorities.limited });
  assert.equal(status, 1, said);
  assert.match(said, /^the certificate$/m);
  assert.match(
    said,
    /^no certificate for gateway\.pub\.test: a limit of the authority is reached: .*retry after 12:00/m,
  );
  const running = spawnSync('docker', ['ps', '--format', '{{.Names}}'], { env, encoding: 'utf8' }).stdout;
  assert.match(running, /wg-easy/);
  assert.doesNotMatch(running, /traefik/, said);
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
  assert.equal(owners.length, 3, said);
  assert.equal(owners[0], 'sudo apt install wireguard-tools nftables');
  const pasted = owners
    .slice(1)
    .join('\n')
    .replace('sudo --preserve-env=BOX_REGISTRATION_TOKEN ', '')
    .replace('NAME', 'attic');
  assert.match(await atHome(pasted, `${secrets[0]}\n`), /^joined https:\/\/gateway\.pub\.test as box_/);
});

test('an app at home opens under its public name over IPv6 alone, through the tunnel', async () => {
  // Without kept connections, because those of a tunnel that is gone answer late.
  const answer = `answer.setHeader('connection', 'close').end('an app '.repeat(30000))`;
  const serve = `require('http').createServer((_, answer) => ${answer}).listen(5230)`;
  startAtHome(`exec ${process.execPath} -e "${serve}"`);
  await startTunnel();
  assert.match(await atHome('wg show tunnel endpoints'), /\t\[2001:db8:5::5\]:51820$/m);
  const said = await atHome('boxgate tunnel publish notes --subdomain notes --port 5230');
  // A certificate may take longer than the command waits.
  assert.match(said, /is published at https:\/\/notes\.pub\.test(?: and answers)?, id /);
  await until('its certificate is there', async () => (await visit('-6')).said === page, 300_000);
  const { said: shown, bytes } = await visit('-6');
  assert.equal(shown, page);
  assert.ok(bytes > page.length, `${bytes} bytes came through wg0`);
  assert.notEqual((await visit('-4')).said, page);
});

test('it opens over IPv4, too, and without the tunnel the gateway does not reach it', async () => {
  await stopTunnel();
  await lead({ four: address, six: address6 });
  const reach = (seconds: string) =>
    spawnSync('curl', ['-sS', '-m', seconds, `http://${boxAddress}:5230/`], { encoding: 'utf8' });
  assert.notEqual(reach('2').status, 0);
  await lead({ four: address });
  await startTunnel();
  assert.match(await atHome('wg show tunnel endpoints'), /\t203\.0\.113\.5:51820$/m);
  const { said, bytes } = await visit('-4');
  assert.equal(said, page);
  assert.ok(bytes > page.length, `${bytes} bytes came through wg0`);
  assert.equal(reach('60').stdout, page);
});

test('a further run repairs what is missing, also while a box is away', async () => {
  spawnSync('docker', ['rm', '--force', 'boxgate-gateway-parts-traefik-1'], { env });
  spawnSync('systemctl', ['stop', 'boxgate-gateway.service']);
  const { status, said } = await setup();
  assert.equal(status, 0, said);
  assert.match(said, /^box_\S+ \(attic\): it has sent no heartbeat yet/m);
  await until('the app opens again', async () => (await visit('-4')).said === page);
});

test('--remove takes all back but the data, and nothing of it runs', async () => {
  const { status, said } = await setup(['--remove']);
  assert.equal(status, 0, said);
  assert.match(said, /^the gateway is removed$/m);
  const listening = spawnSync('ss', ['-Hlntu'], { encoding: 'utf8' }).stdout;
  assert.doesNotMatch(listening, /:(?:80|443|8080|8082|51821)\s/);
  assert.equal(existsSync('/opt/boxgate'), false);
  for (const kept of ['/var/lib/boxgate/gateway.db', '/etc/boxgate/gateway.env', '/etc/boxgate/box-token']) {
    assert.ok(existsSync(kept), kept);
  }
  const again = await setup(['--remove']);
  assert.equal(again.status, 0, again.said);
});
