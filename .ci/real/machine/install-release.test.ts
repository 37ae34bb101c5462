import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { until } from '../support/until.ts';

/**
 * Installation, upgrade and removal by deploy/install.sh on a systemd of its own, from folders like an unpacked release.
 * Each test continues from the one before.
 */
const unit = 'boxgate-box.service';
const releases = '/var/boxgate-test-releases';

const systemctl = (...argv: string[]) => spawnSync('systemctl', argv, { encoding: 'utf8' });
const install = (release: string, ...argv: string[]) =>
  spawnSync('sh', [join(release, 'deploy', 'install.sh'), ...argv], { encoding: 'utf8' });
/** The `Server` header. Uses a new connection, because a connection to the previous server would be closed. */
async function server(): Promise<string | null> {
  const request = get({ port: 7000, path: '/api/apps', agent: false });
  try {
    const [response] = await once(request, 'response');
    response.resume();
    return response.headers.server;
  } catch {
    return null;
  }
}

/** A release of that version. Its server starts as the shell's `start` says. */
function release(version: string, start = ':'): string {
  const folder = join(releases, version);
  cpSync('/opt/boxgate/current', folder, { recursive: true, dereference: true });
  const own = readlinkSync('/opt/boxgate/current');
  const bundles = readdirSync(join(folder, 'dist')).filter((name) => name.endsWith('.cjs'));
  for (const name of ['package.json', ...bundles.map((bundle) => join('dist', bundle))]) {
    const said = readFileSync(join(folder, name), 'utf8');
    writeFileSync(join(folder, name), said.replace(`"${own}"`, `"${version}"`));
  }
  const launcher = readFileSync(join(folder, 'bin/boxgate'), 'utf8');
  const lines = launcher.replace('\n', `\n[ "$3" = --help ] || { ${start}; }\n`);
  writeFileSync(join(folder, 'bin/boxgate'), lines, { mode: 0o755 });
  return folder;
}

before(() => {
  assert.ok(existsSync('/run/inside'), 'this runs inside .ci/parts/systemd-inside.sh only');
  for (const path of ['/opt/boxgate', '/var/lib/boxgate', '/etc/boxgate']) {
    rmSync(path, { recursive: true, force: true });
  }
  mkdirSync(releases, { recursive: true });
  const done = install('.');
  assert.equal(done.status, 0, done.stdout + done.stderr);
});
after(() => {
  systemctl('disable', '--now', unit);
  for (const path of [releases, '/var/lib/boxgate']) rmSync(path, { recursive: true, force: true });
});

test('choice/box/385: a release upgrades the service, and the version before stays', async () => {
  const done = install(release('900.0.0'));
  assert.equal(done.status, 0, done.stdout + done.stderr);
  assert.equal(await server(), 'boxgate/900.0.0');
  assert.equal(readdirSync('/opt/boxgate').length, 3);
});

for (const [version, start] of [
  ['901.0.0', 'exit 1'],
  ['902.0.0', 'sleep 1; exit 0'],
] as const) {
  test(`choice/box/385: a release whose server begins with "${start}" is taken back`, async () => {
    const done = install(release(version, start));
    assert.equal(done.status, 1, done.stdout + done.stderr);
    assert.match(done.stderr, /did not come up: journalctl -u boxgate-box says why$/m);
    assert.match(done.stderr, /^boxgate 900\.0\.0 is put back and runs$/m);
    assert.equal(await server(), 'boxgate/900.0.0');
    assert.equal(readlinkSync('/opt/boxgate/current'), '900.0.0');
    assert.ok(!existsSync(`/opt/boxgate/${version}`));
  });
}

/** `null` if the process has ended. */
function commandOf(pid: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8');
  } catch {
    return null;
  }
}

test('choice/box/385: Ctrl-C while the new version is waited for takes it back', async () => {
  const argv = [join(release('903.0.0', 'exec sleep 600'), 'deploy', 'install.sh')];
  const installing = spawn('sh', argv, { stdio: ['ignore', 'ignore', 'pipe'] });
  const said = text(installing.stderr);
  await until('the new version was started', () => {
    const pid = systemctl('show', '-p', 'MainPID', '--value', unit).stdout.trim();
    return commandOf(pid) === 'sleep\n';
  });
  installing.kill('SIGINT');
  assert.match(await said, /^boxgate 900\.0\.0 is put back and runs$/m);
  assert.equal(await server(), 'boxgate/900.0.0');
  assert.deepEqual(
    readdirSync('/opt/boxgate').filter((name) => name.startsWith('.')),
    [],
  );
});

test('choice/box/385: a server whose state directory is elsewhere is found', async () => {
  const elsewhere = '/var/boxgate-state-elsewhere';
  appendFileSync('/etc/boxgate/box.env', `BOX_STATE_DIR="${elsewhere}"\n`);
  const dropIn = `/etc/systemd/system/${unit}.d`;
  mkdirSync(dropIn);
  mkdirSync(elsewhere);
  writeFileSync(join(dropIn, 'state.conf'), `[Service]\nReadWritePaths=${elsewhere}\n`);
  const done = install(release('905.0.0'));
  assert.equal(done.status, 0, done.stdout + done.stderr);
  assert.equal(await server(), 'boxgate/905.0.0');
  assert.ok(existsSync(join(elsewhere, 'running.json')));
  rmSync(dropIn, { recursive: true });
  writeFileSync('/etc/boxgate/box.env', '');
  rmSync(elsewhere, { recursive: true });
});

test('choice/box/387: the removal stops the service and leaves data, settings and no unit; twice is fine', async () => {
  mkdirSync('/var/lib/boxgate/apps/memos', { recursive: true });
  for (const run of ['first', 'second']) {
    const folder = run === 'first' ? '/opt/boxgate/current' : '.';
    const done = install(folder, '--uninstall');
    assert.equal(done.status, 0, `${run} run: ${done.stdout}${done.stderr}`);
    assert.match(done.stdout, /^installed apps go on running: memos /m);
  }
  assert.equal(await server(), null);
  assert.equal(systemctl('list-unit-files', 'boxgate-*').stdout.includes('boxgate-'), false);
  assert.ok(existsSync('/etc/boxgate/box.env'));
  assert.ok(!existsSync('/opt/boxgate'));
});
