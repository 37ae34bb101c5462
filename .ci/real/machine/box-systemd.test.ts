import assert from 'node:assert/strict';
import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { actInConsole, askSecurely, ownSites, plainPage } from '../support/programs/caddy.ts';
import { container, forget, identity } from '../support/programs/docker.ts';
import { startNameServer } from '../support/programs/name-server.ts';
import { registry } from '../support/programs/registry.ts';
import { required } from '../support/required.ts';
import { type Answer, freePort } from '../support/server-process.ts';
import { until } from '../support/until.ts';

/**
 * Follows the README's steps for a real box: deploy/install.sh, then the service. Runs inside its own systemd, with
 * the socket of a real engine at its usual path.
 */
const url = 'http://127.0.0.1:7000';
const unit = 'boxgate-box.service';
const consoleUnit = 'boxgate-console.service';
const app = 'real-served';
const bundled = '/var/boxgate-test-apps';

const systemctl = (...argv: string[]) => spawnSync('systemctl', argv, { encoding: 'utf8' });
const property = (name: string, of: string) => systemctl('show', '-p', name, '--value', of).stdout.trim();
const isActive = (name: string) => systemctl('is-active', name).stdout.trim();

async function ask(path: string, body?: unknown): Promise<Answer> {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const response = await fetch(url + path, init);
  return { status: response.status, body: await response.json() };
}

/** Asks the console, on a connection of its own, as its service starts again now and then. */
async function askConsole(path: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(`http://127.0.0.1:7001${path}`, { ...init, headers: { connection: 'close' } });
  return { status: response.status, body: await response.json() };
}

const isOk = (address: string) =>
  fetch(address).then(
    (response) => response.ok,
    () => false,
  );
const answers = () => isOk(`${url}/api/apps`);
const consoleAnswers = () => isOk('http://127.0.0.1:7001/settings/');

before(async () => {
  // Docker at the path of its package, because the service has a fixed PATH and a private /tmp.
  const root = join(required('BOXGATE_CI_SCRATCH'), required('BOXGATE_SUITE'));
  mkdirSync('/usr/local/lib/docker/cli-plugins', { recursive: true });
  copyFileSync(join(root, 'usr/bin/docker'), '/usr/local/bin/docker');
  copyFileSync(
    join(root, 'usr/libexec/docker/cli-plugins/docker-compose'),
    '/usr/local/lib/docker/cli-plugins/docker-compose',
  );
  mkdirSync(join(bundled, app), { recursive: true });
  writeFileSync(join(bundled, app, 'manifest.json'), JSON.stringify({ name: app, version: '1' }));
  const compose = `services: { web: { image: "${registry}/web:1", env_file: .env } }`;
  writeFileSync(join(bundled, app, 'compose.yaml'), compose);
});

after(() => {
  systemctl('stop', unit);
  forget([app]);
});

test('deploy/install.sh installs and starts the service, and a second run changes nothing that matters', async () => {
  for (const run of ['first', 'second']) {
    const done = spawnSync('sh', ['deploy/install.sh'], { encoding: 'utf8' });
    assert.equal(done.status, 0, `${run} run: ${done.stdout}${done.stderr}`);
    await until('the box answers', answers);
    // The second run leaves the console off, because its owner has switched it off.
    assert.equal(isActive(consoleUnit), run === 'first' ? 'active' : 'inactive');
    assert.equal(systemctl('disable', '--now', consoleUnit).status, 0);
  }
  assert.deepEqual(await ask('/api/apps'), { status: 200, body: [] });
  assert.equal(isActive(unit), 'active');
  assert.equal(systemctl('is-enabled', unit).stdout.trim(), 'enabled');
  assert.equal(statSync('/etc/boxgate/box.env').mode & 0o777, 0o600);
  assert.equal(statSync('/var/lib/boxgate').mode & 0o777, 0o755);
});

test('the console starts again with the box', async () => {
  assert.equal(systemctl('enable', '--now', consoleUnit).status, 0);
  const pid = property('MainPID', consoleUnit);
  assert.equal(systemctl('restart', unit).status, 0);
  await until('another console answers', async () => property('MainPID', consoleUnit) !== pid && consoleAnswers());
  await until('the box answers', answers);
});

test('the proxy leads to the console, and says where each setting is while the console does not answer', async (t) => {
  const file = '/opt/boxgate/current/deploy/proxy/Caddyfile';
  const proxy = spawn(join(required('BOXGATE_CI_SCRATCH'), 'caddy/usr/bin/caddy'), ['run', '--config', file], {
    env: { ...process.env, HOME: '/root' },
    stdio: 'ignore',
  });
  t.after(() => proxy.kill());
  const settings = async () => (await fetch('http://127.0.0.1/settings/')).text();
  await until('the console is reached', async () => /id="room"/.test(await settings().catch(() => '')));
  assert.match(
    await (await fetch('http://127.0.0.1/settings/api/rooms/trash')).text(),
    /An app that you remove is kept here/,
  );
  assert.equal(systemctl('stop', consoleUnit).status, 0);
  assert.match(await settings(), /systemctl start boxgate-console/);
  assert.ok(await isOk('http://127.0.0.1/apps'));
  assert.equal(systemctl('start', consoleUnit).status, 0);
});

for (const one of [unit, consoleUnit]) {
  test(`systemd finds nothing wrong with ${one} and rates its exposure below 5`, () => {
    const verified = spawnSync('systemd-analyze', ['verify', `/etc/systemd/system/${one}`], { encoding: 'utf8' });
    assert.equal(verified.status, 0, verified.stderr);
    assert.doesNotMatch(verified.stderr, /boxgate/);
    const rated = spawnSync('systemd-analyze', ['security', '--threshold=50', one], { encoding: 'utf8' });
    assert.equal(rated.status, 0, rated.stdout.split('\n').slice(-4).join('\n'));
  });
}

test('the service installs an app; the app outlives its restart and its crash', async () => {
  appendFileSync('/etc/boxgate/box.env', `BOX_BUNDLED_APPS=${bundled}\n`);
  assert.equal(systemctl('restart', unit).status, 0);
  await until('the box answers', answers);

  const answer = await ask('/api/apps/install', { name: app, settings: { A: 'x "y" $z' } });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.equal(statSync('/var/lib/boxgate/apps').mode & 0o777, 0o700);
  assert.equal(container(app, 'web').status, 'running');
  const running = identity(app);

  assert.equal(systemctl('restart', unit).status, 0);
  await until('the box answers', answers);
  assert.deepEqual(identity(app), running);

  const pid = property('MainPID', unit);
  process.kill(Number(pid), 'SIGKILL');
  await until('systemd started it again', async () => property('MainPID', unit) !== pid && (await answers()));
  assert.deepEqual(identity(app), running);
});

/** A Caddy as its package makes it, with a variable that only its unit knows. */
async function startCaddyUnit(t: TestContext): Promise<void> {
  const parts = join(required('BOXGATE_CI_SCRATCH'), 'caddy');
  copyFileSync(join(parts, 'usr/bin/caddy'), '/usr/local/bin/caddy');
  execFileSync('useradd', ['-r', '-m', '-d', '/var/lib/caddy', 'caddy']);
  mkdirSync('/etc/caddy', { recursive: true });
  writeFileSync('/etc/caddy/Caddyfile', ownSites);
  const text = readFileSync(join(parts, 'lib/systemd/system/caddy.service'), 'utf8')
    .replaceAll('/usr/bin/caddy', '/usr/local/bin/caddy')
    .replace('Requires=network-online.target', '')
    .replace('[Service]', '[Service]\nEnvironment=PLAIN_TEXT=plain');
  writeFileSync('/etc/systemd/system/caddy.service', text);
  assert.equal(systemctl('daemon-reload').status, 0);
  t.after(() => systemctl('stop', 'caddy'));
  assert.equal(systemctl('start', 'caddy').status, 0);
  await until('Caddy answers', async () => (await plainPage().catch(() => '')) === 'plain');
}

/** A program of another user that calls itself `caddy run`, in the control group of a service. */
async function startStranger(t: TestContext): Promise<void> {
  const folder = mkdtempSync('/var/tmp/stranger-');
  t.after(() => rmSync(folder, { recursive: true }));
  chmodSync(folder, 0o777);
  symlinkSync('/bin/sh', join(folder, 'caddy'));
  writeFileSync(join(folder, 'run'), 'echo > up; read word\n');
  const asNobody = 'setpriv --reuid=65534 --regid=65534 --clear-groups';
  const script = `cd ${folder}; sleep 1000 | ${asNobody} ./caddy run & exec sleep 1000`;
  t.after(() => systemctl('stop', 'stranger'));
  execFileSync('systemd-run', ['--quiet', '--collect', '--unit=stranger', '/bin/sh', '-c', script]);
  await until('the other user runs a Caddy', async () => existsSync(join(folder, 'up')));
}

test('the service lets names with HTTPS follow the apps, in a Caddy with variables of its own', async (t) => {
  const [named, domain] = ['real-named', 'box.example.org'];
  t.after(() => forget([named]));
  await startStranger(t);
  await startCaddyUnit(t);
  const resolver = await startNameServer(t, { [domain]: '127.0.0.1' });
  const off = () => promisify(execFile)('/opt/boxgate/current/bin/boxgate', ['box', 'https', 'off']);
  const setup = async () => {
    await until('the console answers', consoleAnswers);
    return actInConsole(askConsole, 'https/setup', { domain, certificate: 'local', resolver });
  };
  // The service sees the folder of Caddy's file as it was at its start.
  assert.match(
    (await setup()).text,
    /^\/etc\/caddy cannot be written from here: [^\n]*restart[\s\S]*\nnothing was changed$/,
  );
  assert.equal(systemctl('restart', consoleUnit).status, 0);
  const made = await setup();
  assert.ok(made.ok, made.text);
  const ca = readFileSync('/var/lib/boxgate/https/root.crt', 'utf8');
  const ofName = await askSecurely(ca, domain, '/settings/api/rooms/https');
  assert.equal(ofName.status, 200, ofName.text);
  const group = execFileSync('id', ['-g', 'caddy'], { encoding: 'utf8' }).trim();
  assert.equal(`${statSync('/var/lib/boxgate/https').gid}`, group, 'its keys are for the service alone');

  mkdirSync(join(bundled, named));
  writeFileSync(join(bundled, named, 'manifest.json'), JSON.stringify({ name: named, version: '1' }));
  const ports = `["${await freePort()}:8080"]`;
  writeFileSync(
    join(bundled, named, 'compose.yaml'),
    `services: { web: { image: "${registry}/web:1", ports: ${ports} } }`,
  );
  const answer = await ask('/api/apps/install', { name: named });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  const shown = async () => (await askSecurely(ca, `${named}.${domain}`)).text.trim();
  await until('the app answers under its name', async () => (await shown()) === 'web 1');
  assert.equal(await plainPage(), 'plain');

  assert.equal((await ask('/api/apps/remove', { name: named })).status, 200);
  await off();
  assert.equal(readFileSync('/etc/caddy/Caddyfile', 'utf8'), ownSites);
  assert.equal(await plainPage(), 'plain');
});

test('backups every night: the timer runs, the console says when, a run makes one, and a word ends it', async () => {
  const timer = 'boxgate-backup.timer';
  const restic = '/usr/local/bin/restic';
  const backup = (...words: string[]) =>
    spawnSync('/opt/boxgate/current/bin/boxgate', ['box', 'backup', ...words], { encoding: 'utf8' });
  const shown = async () => (await fetch('http://127.0.0.1:7001/settings/api/rooms/backups')).text();
  copyFileSync(join(required('BOXGATE_CI_SCRATCH'), 'restic/trixie/usr/bin/restic'), restic);
  try {
    const enabled = backup('enable', '--at', '04:15');
    assert.equal(enabled.status, 0, enabled.stderr);
    assert.equal(systemctl('is-enabled', timer).stdout.trim(), 'enabled');
    assert.equal(isActive(timer), 'active');
    // Each restart of the box in the test before has restarted the console, too.
    await until('the console answers', consoleAnswers);
    const [, day, time] = /The next one begins (\S+) (\S+) UTC/.exec(await shown()) ?? [];
    const next = new Date(`${day}T${time}Z`);
    assert.deepEqual([next.getHours(), next.getMinutes()], [4, 15]);
    assert.ok(next.getTime() > Date.now());

    const run = systemctl('start', 'boxgate-backup.service');
    const journal = execFileSync('journalctl', ['-u', 'boxgate-backup.service', '--no-pager', '-q'], {
      encoding: 'utf8',
    });
    assert.equal(run.status, 0, journal);
    const room = await shown();
    assert.doesNotMatch(room, /"warning","text":"(?!Nobody has kept the key)/);
    assert.equal(room.split('made at night').length, 2);
    assert.equal(container(app, 'web').status, 'running');

    assert.equal(backup('disable').status, 0);
    assert.equal(systemctl('is-enabled', timer).stdout.trim(), 'disabled');
    assert.equal(isActive(timer), 'inactive');
    assert.equal(/The next one begins/.test(await shown()), false);
  } finally {
    rmSync(restic);
  }
});

test('installed apps in a folder elsewhere can be installed and removed', async () => {
  const elsewhere = '/var/boxgate-elsewhere/apps';
  const moved = 'real-elsewhere';
  mkdirSync(elsewhere, { recursive: true });
  mkdirSync(join(bundled, moved));
  writeFileSync(join(bundled, moved, 'manifest.json'), JSON.stringify({ name: moved, version: '1' }));
  writeFileSync(join(bundled, moved, 'compose.yaml'), `services: { web: { image: "${registry}/web:1" } }`);
  const settings = readFileSync('/etc/boxgate/box.env', 'utf8');
  writeFileSync('/etc/boxgate/box.env', `${settings}BOX_INSTALLED_APPS=${elsewhere}\n`);
  try {
    assert.equal(systemctl('restart', unit).status, 0);
    await until('the box answers', answers);
    const installed = await ask('/api/apps/install', { name: moved });
    assert.equal(installed.status, 200, JSON.stringify(installed.body));
    assert.equal(container(moved, 'web').workingDir, join(elsewhere, moved));
    const removed = await ask('/api/apps/remove', { name: moved });
    assert.deepEqual(removed, { status: 200, body: { removed: moved, compose_warning: null } });
    assert.deepEqual(identity(moved), []);
  } finally {
    forget([moved]);
    writeFileSync('/etc/boxgate/box.env', settings);
    systemctl('restart', unit);
    await until('the box answers', answers);
  }
});

test('the service puts data back after a failed update, wherever Docker keeps volumes', async (t) => {
  const kept = 'real-kept';
  const restic = '/usr/local/bin/restic';
  const version = (number: string, command: string) => {
    mkdirSync(join(bundled, kept), { recursive: true });
    writeFileSync(join(bundled, kept, 'manifest.json'), JSON.stringify({ name: kept, version: number }));
    const text = `
services: { web: { image: "${registry}/web:1", command: ["sh", "-c", "echo ${number} >> /data/rows; ${command}"], volumes: ["data:/data"] } }
volumes: { data: }`;
    writeFileSync(join(bundled, kept, 'compose.yaml'), text);
  };
  copyFileSync(join(required('BOXGATE_CI_SCRATCH'), 'restic/trixie/usr/bin/restic'), restic);
  // The engine of the tests keeps its data below /tmp, and the service would see another /tmp.
  const dropIn = `/etc/systemd/system/${unit}.d`;
  mkdirSync(dropIn);
  writeFileSync(join(dropIn, 'tmp.conf'), '[Service]\nPrivateTmp=no\n');
  systemctl('daemon-reload');
  t.after(() => {
    rmSync(restic);
    rmSync(dropIn, { recursive: true });
    systemctl('daemon-reload');
    forget([kept]);
  });
  assert.equal(systemctl('restart', unit).status, 0);
  await until('the box answers', answers);
  version('1', 'exec sleep 100000');
  const installed = await ask('/api/apps/install', { name: kept });
  assert.equal(installed.status, 200, JSON.stringify(installed.body));
  const volume = execFileSync('docker', ['volume', 'inspect', '-f', '{{.Mountpoint}}', `${kept}_data`], {
    encoding: 'utf8',
  }).trim();
  await until('the app has written its row', () => existsSync(join(volume, 'rows')));
  version('2', 'sleep 1; exit 3');
  const updated = await ask(`/api/apps/${kept}/update`, {});
  assert.match(updated.body.error, /its data of before/);
  assert.equal(container(kept, 'web').status, 'running');
  await until('version 1 runs on its data', () => readFileSync(join(volume, 'rows'), 'utf8') === '1\n1\n');
});

test('a stop ends the service well, and leaves the app running', () => {
  const running = identity(app);
  assert.equal(systemctl('stop', unit).status, 0);
  assert.equal(isActive(unit), 'inactive');
  assert.equal(property('Result', unit), 'success');
  assert.deepEqual(identity(app), running);
  const journal = execFileSync('journalctl', ['-u', unit, '--no-pager', '-q'], { encoding: 'utf8' });
  assert.doesNotMatch(journal, /x "y" \$z/, 'no setting is in the journal');
});
