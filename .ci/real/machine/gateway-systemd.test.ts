import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { startWgEasy } from '../../../fakes/wg-easy/wg-easy.ts';
import { until } from '../support/until.ts';

/**
 * Runs inside a systemd of its own. Follows the steps of deploy/gateway/README.md and of a box that joins, with the real
 * units and install script and a fake wg-easy. Each test continues from the one before.
 */
const url = 'http://127.0.0.1:8080';
const unit = 'boxgate-gateway.service';
const firewallUnit = 'boxgate-gateway-firewall.service';
const password = 'a-password-of-wg-easy';

const manager = await startWgEasy({ dialect: '15.4', password });
const systemctl = (...argv: string[]) => spawnSync('systemctl', argv, { encoding: 'utf8' });
const property = (name: string, of: string) => systemctl('show', '-p', name, '--value', of).stdout.trim();
const healthy = () =>
  fetch(`${url}/healthz`).then(
    (response) => response.ok,
    () => false,
  );
/** Asynchronous, since this process serves the fake wg-easy. */
async function boxgate(words: string[], env: Record<string, string> = {}) {
  const child = spawn('/usr/local/bin/boxgate', words, {
    env: { PATH: process.env.PATH, HOME: '/root', BOX_STATE_DIR: '/var/lib/boxgate-box', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].on('data', (bytes) => {
      said[stream] += bytes;
    });
  }
  const [status] = await once(child, 'close');
  return { status, ...said };
}

// Removes an existing box or gateway. Inside the namespaces its folders are overlays, so the machine is not changed.
assert.ok(existsSync('/run/inside'), 'this runs inside .ci/parts/systemd-inside.sh only');
rmSync('/var/lib/boxgate', { recursive: true, force: true });

after(async () => {
  systemctl('stop', unit, firewallUnit);
  await manager.close();
  rmSync('/var/lib/boxgate-box', { recursive: true, force: true });
});

test('deploy/install.sh gateway installs the unit, makes a registration token, and says what is left to do', () => {
  for (const run of ['first', 'second']) {
    const done = spawnSync('sh', ['deploy/install.sh', 'gateway'], { encoding: 'utf8' });
    assert.equal(done.status, 0, `${run} run: ${done.stdout}${done.stderr}`);
    assert.match(done.stdout, /fill in \/etc\/boxgate\/gateway\.env/);
  }
  assert.match(readFileSync('/etc/boxgate/box-token', 'utf8'), /^[A-Za-z0-9+/]{43}=\n$/);
  for (const [file, mode] of [
    ['box-token', 0o640],
    ['tunnel-password', 0o640],
    ['gateway.env', 0o600],
  ] as const) {
    assert.equal(statSync(`/etc/boxgate/${file}`).mode & 0o777, mode, file);
  }
});

test('systemd finds nothing wrong with the units of a gateway and of a tunnel', () => {
  for (const name of ['boxgate-tunnel.service', 'boxgate-heartbeat.service', 'boxgate-heartbeat.timer']) {
    writeFileSync(`/etc/systemd/system/${name}`, readFileSync(`deploy/${name}`));
  }
  // wg-quick comes with wireguard-tools, which a box without a tunnel does not need.
  const notify = ['boxgate-gateway-notify.service', 'boxgate-gateway-notify.timer'];
  const names = [unit, firewallUnit, ...notify, 'boxgate-heartbeat.service', 'boxgate-heartbeat.timer'];
  const verified = spawnSync('systemd-analyze', ['verify', ...names.map((name) => `/etc/systemd/system/${name}`)], {
    encoding: 'utf8',
  });
  assert.equal(verified.status, 0, verified.stderr);
  assert.doesNotMatch(verified.stderr, /boxgate/);
});

test('the service runs as a user of its own, with secrets that only it sees, and little else', async () => {
  writeFileSync('/etc/boxgate/tunnel-password', `${password}\n`);
  appendFileSync('/etc/boxgate/gateway.env', `GATEWAY_TUNNEL_URL=${manager.url}\n`);
  assert.equal(systemctl('daemon-reload').status, 0);
  const started = systemctl('start', unit);
  assert.equal(started.status, 0, started.stderr);
  await until('the gateway answers', healthy).catch((error: Error) => {
    const journal = spawnSync('journalctl', ['-n', '20', '--no-pager', '-u', unit], { encoding: 'utf8' });
    throw new Error(`${error.message}: ${journal.stdout}`);
  });

  const pid = property('MainPID', unit);
  assert.notEqual(statSync(`/proc/${pid}`).uid, 0);
  assert.ok(!readFileSync(`/proc/${pid}/environ`, 'utf8').includes(password));
  assert.ok(!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(password));
  assert.equal(statSync('/var/lib/boxgate').mode & 0o777, 0o755);
  assert.equal(statSync('/var/lib/boxgate/gateway.db').mode & 0o777, 0o600);
  const rated = spawnSync('systemd-analyze', ['security', '--threshold=50', unit], { encoding: 'utf8' });
  assert.equal(rated.status, 0, rated.stdout.split('\n').slice(-4).join('\n'));
});

test('the service starts the packet filter that closes the gateway to its boxes', () => {
  assert.equal(property('ActiveState', firewallUnit), 'active');
  const listed = spawnSync('nft', ['list', 'table', 'inet', 'boxgate_gateway'], { encoding: 'utf8' });
  assert.match(listed.stdout, /iifname != "wg0" accept/, listed.stderr);
  assert.equal(systemctl('try-reload-or-restart', firewallUnit).status, 0);
  const rated = spawnSync('systemd-analyze', ['security', '--threshold=30', firewallUnit], { encoding: 'utf8' });
  assert.equal(rated.status, 0, rated.stdout.split('\n').slice(-4).join('\n'));
});

test('the notify unit tells what the doctor found twice, as the user of the gateway', async (t) => {
  const told: string[] = [];
  const recorder = createServer(async (request, response) => {
    told.push(await text(request));
    response.end();
  }).listen(0, '127.0.0.1');
  await once(recorder, 'listening');
  t.after(() => recorder.close());
  const { port } = recorder.address() as AddressInfo;
  const file = '/etc/boxgate/notify';
  writeFileSync(file, `http://127.0.0.1:${port}/topic\n`);
  assert.equal(spawnSync('chown', ['root:boxgate', file]).status, 0);
  chmodSync(file, 0o640);
  appendFileSync('/etc/boxgate/gateway.env', `GATEWAY_NOTIFY_FILE=${file}\n`);
  for (const run of [1, 2, 3]) {
    const [status] = await once(spawn('systemctl', ['start', 'boxgate-gateway-notify.service']), 'close');
    assert.equal(status, 0, `run ${run}`);
  }
  assert.equal(told.length, 1, told.join('\n'));
  assert.match(told[0] ?? '', /gateway\.pub\.example|the proxy|healthz/);
  const rated = spawnSync('systemd-analyze', ['security', '--threshold=30', 'boxgate-gateway-notify.service'], {
    encoding: 'utf8',
  });
  assert.equal(rated.status, 0, rated.stdout.split('\n').slice(-4).join('\n'));
});

test('nftables.service empties the packet filter, and the rules are loaded again', async () => {
  const nftables = '/etc/systemd/system/nftables.service';
  const table = 'table inet boxgate_gateway';
  const empty = `sh -c 'nft add ${table} && nft delete ${table}'`;
  writeFileSync(
    nftables,
    `[Service]\nType=oneshot\nRemainAfterExit=yes\nExecStart=${empty}\nExecReload=${empty}\nExecStop=${empty}\n`,
  );
  systemctl('daemon-reload');
  const isLoaded = () => /\tdrop\n/.test(spawnSync('nft', ['list', ...table.split(' ')], { encoding: 'utf8' }).stdout);
  // The first start happens while the rules are loaded, the second one after a stop.
  for (const verb of ['start', 'reload', 'restart', 'stop', 'start', 'stop']) {
    assert.equal(systemctl(verb, 'nftables.service').status, 0, verb);
    await until(`the rules are loaded after ${verb}`, isLoaded);
  }
  rmSync(nftables);
  systemctl('daemon-reload');
  assert.equal(property('ActiveState', firewallUnit), 'active');
});

test('an upgrade whose rules cannot be loaded goes on, and says where to look', async () => {
  const dropIn = `/etc/systemd/system/${firewallUnit}.d`;
  mkdirSync(dropIn);
  writeFileSync(`${dropIn}/test.conf`, '[Service]\nExecReload=\nExecReload=false\n');
  const done = spawnSync('sh', ['deploy/install.sh', 'gateway'], { encoding: 'utf8' });
  rmSync(dropIn, { recursive: true });
  systemctl('daemon-reload');
  assert.equal(done.status, 0, `${done.stdout}${done.stderr}`);
  assert.match(done.stdout, /^note: .*journalctl -u boxgate-gateway-firewall says why$/m);
  await until('the gateway answers', healthy);
});

test('a box joins with the token of the file and publishes; Traefik may read the route file', async () => {
  const env = { BOX_REGISTRATION_TOKEN_FILE: '/etc/boxgate/box-token' };
  const joined = await boxgate(['tunnel', 'join', '--gateway', url, '--name', 'attic'], env);
  assert.equal(joined.status, 0, joined.stderr);
  const published = await boxgate([
    'tunnel',
    'publish',
    'notes',
    '--subdomain',
    'notes',
    '--port',
    '5230',
    // No proxy runs here. Any HTTP answer ends the wait of `publish`.
    '--proxy',
    url,
    '--json',
  ]);
  assert.equal(published.status, 0, published.stderr);
  const { box_id: boxId } = JSON.parse(published.stdout);
  const file = `/var/lib/boxgate/routes/boxgate-${boxId}.yml`;
  assert.match(readFileSync(file, 'utf8'), /Host\(`notes\.example\.org`\)/);
  assert.equal(statSync(file).mode & 0o777, 0o644);
});

test('the unit of the heartbeat reaches the gateway', async (t) => {
  // The unit uses a box's state directory. On this machine that path belongs to the gateway.
  const dropIns = '/etc/systemd/system/boxgate-heartbeat.service.d';
  t.after(() => {
    rmSync(dropIns, { recursive: true });
    systemctl('daemon-reload');
  });
  mkdirSync(dropIns, { recursive: true });
  writeFileSync(`${dropIns}/place.conf`, '[Service]\nEnvironment=BOX_STATE_DIR=/var/lib/boxgate-box\n');
  systemctl('daemon-reload');
  const beaten = systemctl('start', 'boxgate-heartbeat.service');
  assert.equal(beaten.status, 0, beaten.stderr);
  assert.equal(property('Result', 'boxgate-heartbeat.service'), 'success');
  await until('the operator sees it', async () =>
    /attic .* s ago/.test((await boxgate(['gateway', 'boxes', 'list'])).stdout),
  );
  const settings = readFileSync('/etc/boxgate/gateway.env');
  appendFileSync('/etc/boxgate/gateway.env', '\nGATEWAY_STORE=memory:\n');
  const elsewhere = await boxgate(['gateway', 'boxes', 'list']);
  writeFileSync('/etc/boxgate/gateway.env', settings);
  assert.match(elsewhere.stderr, /store in memory/);
});

test('a crash is followed by a start that still knows the box', async () => {
  const pid = property('MainPID', unit);
  assert.notEqual(pid, '0', 'the service runs');
  process.kill(Number(pid), 'SIGKILL');
  await until('systemd started it again', async () => property('MainPID', unit) !== pid && (await healthy()));
  const status = await boxgate(['tunnel', 'status', '--json']);
  assert.deepEqual(JSON.parse(status.stdout).routes, 1, status.stdout);
});

test('the operator removes a box while the gateway runs', async () => {
  const { box_id: boxId } = JSON.parse(readFileSync('/var/lib/boxgate-box/tunnel.json', 'utf8'));
  const { mode } = statSync('/var/lib/boxgate/gateway.db.sock');
  assert.equal(mode & 0o777, 0o600);
  const removed = await boxgate(['gateway', 'boxes', 'remove', boxId]);
  assert.equal(removed.status, 0, removed.stderr);
  const journal = () => spawnSync('journalctl', ['-u', unit, '--no-pager'], { encoding: 'utf8' }).stdout;
  await until('the journal has it', async () =>
    new RegExp(`remove ${boxId}: ok, .*\\(by root, at the command line\\)`).test(journal()),
  );
  assert.equal(existsSync(`/var/lib/boxgate/routes/boxgate-${boxId}.yml`), false);
  assert.deepEqual(manager.clients(), []);
  const sent = await boxgate(['tunnel', 'heartbeat']);
  assert.match(sent.stderr, /does not know the box any more/);
  const doctor = await boxgate(['gateway', 'doctor', '--proxy', url]);
  assert.match(doctor.stdout, new RegExp(`^${boxId} \\(.+\\): this gateway does not know the box any more`, 'm'));
});
