import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { temporaryFolder } from '../lib/testing/temporary-folder.ts';

/** deploy/install.sh with DESTDIR, from unpacked releases whose program does nothing. It needs no real parts. */
const checkout = join(import.meta.dirname, '..', '..');
const folder = temporaryFolder();

/** A PATH without Node and npm. `sync` does nothing, because these tests simulate no power cut. */
const programs = join(folder, 'programs');
mkdirSync(programs);
const needed =
  'sh basename cat chmod chown cp dd dirname flock grep head base64 ln mkdir mv readlink rm rmdir sed tail tr uname';
for (const name of needed.split(' ')) {
  const found = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim();
  symlinkSync(found, join(programs, name));
}

writeFileSync(join(programs, 'sync'), '#!/bin/sh\n', { mode: 0o755 });

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(folder, 'root-'));
});
const software = (...path: string[]) => join(root, 'opt', 'boxgate', ...path);
const state = (...path: string[]) => join(root, 'var', 'lib', 'boxgate', ...path);
const etc = (...path: string[]) => join(root, 'etc', ...path);

/** The folder of an unpacked release; `program` is its bin/boxgate. */
function unpacked(version: string, program = 'exit 0'): string {
  const release = mkdtempSync(join(folder, `boxgate-${version}-`));
  cpSync(join(checkout, 'deploy'), join(release, 'deploy'), { recursive: true });
  mkdirSync(join(release, 'bin'));
  symlinkSync(process.execPath, join(release, 'bin', 'node'));
  writeFileSync(join(release, 'bin', 'boxgate'), `#!/bin/sh\n${program}\n`);
  chmodSync(join(release, 'bin', 'boxgate'), 0o755);
  writeFileSync(join(release, 'package.json'), JSON.stringify({ version }));
  writeFileSync(join(release, 'sbom.cdx.json'), '{}');
  return release;
}

function run(release: string, args: readonly string[] = [], path = programs) {
  const env = { PATH: path, DESTDIR: root };
  const script = join(release, 'deploy', 'install.sh');
  return spawnSync(join(programs, 'sh'), [script, ...args], { encoding: 'utf8', env, timeout: 20_000 });
}

function install(release: string, ...args: string[]): string {
  const done = run(release, args);
  assert.equal(done.status, 0, done.stdout + done.stderr);
  return done.stdout;
}

const versions = () => readdirSync(software()).sort();
const current = () => readlinkSync(software('current'));

test('choice/box/385: installs a release completely under its version on a machine without Node', () => {
  const release = unpacked('1.0.0');
  install(release);
  assert.equal(current(), '1.0.0');
  assert.deepEqual(readdirSync(software('1.0.0')).sort(), readdirSync(release).sort());
  assert.equal(readlinkSync(join(root, 'usr/local/bin/boxgate')), '/opt/boxgate/current/bin/boxgate');
  assert.ok(existsSync(etc('systemd/system/boxgate-box.service')));
});

test('choice/box/385: the same command upgrades, keeps the previous version and the settings, and removes older versions', () => {
  install(unpacked('1.0.0'));
  writeFileSync(etc('boxgate/box.env'), 'BOX_PORT=7100\n');
  install(unpacked('1.1.0'));
  mkdirSync(software('.staging'));
  install(unpacked('1.2.0'));
  assert.deepEqual(versions(), ['1.1.0', '1.2.0', 'current']);
  assert.equal(current(), '1.2.0');
  assert.equal(readFileSync(etc('boxgate/box.env'), 'utf8'), 'BOX_PORT=7100\n');
});

test('choice/box/385: reinstalling a version replaces it and keeps the previous one', () => {
  install(unpacked('1.0.0'));
  install(unpacked('1.1.0', 'exit 0 # first build'));
  install(unpacked('1.1.0', 'exit 0 # second build'));
  assert.deepEqual(versions(), ['1.0.0', '1.1.0', 'current']);
  assert.match(readFileSync(software('current/bin/boxgate'), 'utf8'), /second build/);
});

test('choice/box/385: a release that does not run here changes nothing', () => {
  install(unpacked('1.0.0'));
  const failed = run(unpacked('1.1.0', 'exit 1'));
  assert.equal(failed.status, 1);
  assert.match(failed.stderr, /^install\.sh: the new version does not run on this machine$/m);
  assert.deepEqual(versions(), ['1.0.0', 'current']);
  assert.equal(current(), '1.0.0');
});

test('choice/box/385: an installation that fails after its switch restores the previous version', () => {
  for (const version of ['1.1.0', '1.0.0']) {
    rmSync(root, { recursive: true });
    install(unpacked('1.0.0', 'exit 0 # first build'));
    const release = unpacked(version, 'exit 0 # second build');
    rmSync(join(release, 'deploy/boxgate-heartbeat.timer'));
    const failed = run(release);
    assert.notEqual(failed.status, 0);
    assert.match(failed.stderr, /^boxgate 1\.0\.0 is put back$/m);
    assert.equal(current(), '1.0.0');
    assert.match(readFileSync(software('current/bin/boxgate'), 'utf8'), /first build/);
    assert.ok(!versions().includes('.rollback'));
    assert.ok(!versions().includes('1.0.0.before'));
  }
});

/** Holds the update lock until it is killed. */
async function holdLock(): Promise<ChildProcess> {
  mkdirSync(state(), { recursive: true });
  const holder = spawn('flock', [state('update.lock'), 'sh', '-c', 'echo held; exec cat'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(holder.stdout, 'data');
  return holder;
}

test('choice/box/385: while an update runs, nothing is installed or removed', async () => {
  install(unpacked('1.0.0'));
  const holder = await holdLock();
  symlinkSync('0.9.0', software('.rollback'));
  for (const args of [[], ['--uninstall']]) {
    const refused = run(unpacked('1.1.0'), args);
    assert.equal(refused.status, 1);
    assert.match(refused.stderr, /^install\.sh: an update of boxgate is running: try again/);
    assert.deepEqual(versions(), ['.rollback', '1.0.0', 'current']);
  }
  holder.stdin?.end();
  await once(holder, 'exit');
});

test('choice/box/385: the lock is a file for its owner only, and a link in its place is not followed', () => {
  mkdirSync(state(), { recursive: true });
  install(unpacked('1.0.0'));
  assert.equal(lstatSync(state('update.lock')).mode & 0o7777, 0o600);
  rmSync(state('update.lock'));
  const target = join(root, 'target');
  symlinkSync(target, state('update.lock'));
  assert.match(run(unpacked('1.1.0')).stderr, /update\.lock is not a regular file: remove it/);
  assert.ok(!existsSync(target));
  assert.equal(current(), '1.0.0');
});

for (const [what, place] of Object.entries({
  'a pipe': (path) => spawnSync('mkfifo', [path]),
  'a link to an endless device': (path) => symlinkSync('/dev/zero', path),
  'a link to a file of root': (path) => symlinkSync('/etc/shadow', path),
  'a link that leads nowhere': (path) => symlinkSync(join(root, 'target'), path),
  'a file of a terabyte': (path) => {
    writeFileSync(path, '{"stage": "');
    truncateSync(path, 1024 ** 4);
  },
  'a directory': (path) => mkdirSync(path),
  'forged versions': (path) => writeFileSync(path, '{"stage": "restarting", "from": "../../etc", "to": "1.0.0"}'),
} satisfies Record<string, (path: string) => void>)) {
  test(`${what} in the place of a file that the service's user may write: the installation ends`, () => {
    install(unpacked('1.0.0'));
    install(unpacked('1.1.0'));
    mkdirSync(state(), { recursive: true });
    for (const name of ['update-state.json', 'running.json']) place(state(name));
    install(unpacked('1.2.0'));
    assert.deepEqual(versions(), ['1.1.0', '1.2.0', 'current']);
    if (lstatSync(state('running.json')).isFile()) return;
    rmSync(state('update.lock'));
    place(state('update.lock'));
    assert.match(run(unpacked('1.3.0')).stderr, /update\.lock is not a regular file: remove it/);
    assert.ok(!existsSync(join(root, 'target')));
    assert.equal(current(), '1.2.0');
  });
}

test('choice/box/385: rolls back an interrupted update before the installation', () => {
  install(unpacked('1.0.0'));
  install(unpacked('1.1.0'));
  symlinkSync('1.0.0', software('.rollback'));
  const said = install(unpacked('1.2.0'));
  assert.match(said, /^an update was cut off: 1\.0\.0 is put back first$/m);
  assert.deepEqual(versions(), ['1.0.0', '1.2.0', 'current']);
});

test('choice/box/385: a kill at any moment leaves a link to a whole version', () => {
  install(unpacked('1.0.0'));
  const installed = root;
  for (const version of ['1.0.0', '1.1.0']) {
    const release = unpacked(version);
    for (let lived = 0; ; lived += 1) {
      root = join(folder, 'killed');
      cpSync(installed, root, { recursive: true, verbatimSymlinks: true });
      const killed = killedAt(lived, release);
      const program = software(current(), 'bin', 'boxgate');
      assert.ok(existsSync(program), `${version}, killed before command ${lived}: ${versions()}`);
      assert.ok(existsSync(software('current', 'deploy', 'boxgate-heartbeat.timer')));
      install(release);
      assert.equal(current(), version);
      assert.deepEqual(
        versions().filter((name) => name.startsWith('.') || name.endsWith('.before')),
        [],
      );
      rmSync(root, { recursive: true });
      if (killed) continue;
      assert.ok(lived > 10, `only ${lived} moments`);
      break;
    }
  }
});

/**
 * Kills the installation with SIGKILL just before its n-th command that moves files or links. Returns whether there
 * was one.
 */
function killedAt(number: number, release: string): boolean {
  const watched = mkdtempSync(join(folder, 'killing-'));
  for (const name of readdirSync(programs)) {
    const kill = `c=$(cat ${watched}/.count 2>/dev/null || echo 0); echo $((c + 1)) >${watched}/.count
[ "$c" != ${number} ] || kill -KILL $PPID`;
    const changes = /^(ln|mv|rm)$/.test(name);
    const script = `#!/bin/sh\nPATH=${programs}\n${changes ? kill : ''}\nexec ${join(programs, name)} "$@"\n`;
    writeFileSync(join(watched, name), script, { mode: 0o755 });
  }
  return run(release, [], watched).signal === 'SIGKILL';
}

test('choice/box/387: --uninstall removes software and units, and keeps data, settings and unknown files', () => {
  const release = unpacked('1.0.0');
  install(release);
  mkdirSync(state('apps', 'memos'), { recursive: true });
  writeFileSync(state('tunnel.json'), '{}');
  const dropIn = etc('systemd/system/boxgate-box.service.d');
  mkdirSync(dropIn);
  const said = install(release, '--uninstall');
  assert.ok(!existsSync(software()));
  assert.ok(!existsSync(join(root, 'usr/local/bin/boxgate')));
  assert.deepEqual(readdirSync(etc('systemd/system')), ['boxgate-box.service.d']);
  assert.ok(existsSync(etc('boxgate/box.env')));
  assert.ok(existsSync(state('apps', 'memos')));
  assert.match(said, /^installed apps go on running: memos \(to end one: cd /m);
  assert.match(said, /the gateway keeps the names of this box/);
  assert.ok(said.includes(`the data in ${state()}, the settings in ${etc('boxgate')}`));
  install(release, '--uninstall');
});

test('choice/box/387: keeps the software while the other role uses it', () => {
  const release = unpacked('1.0.0');
  install(release);
  install(release, 'gateway');
  const said = install(release, 'gateway', '--uninstall');
  assert.match(said, /stays, because the box of this machine runs from it/);
  assert.equal(current(), '1.0.0');
  assert.deepEqual(
    readdirSync(etc('systemd/system')).filter((name) => /gateway|nftables/.test(name)),
    [],
  );
  install(release, '--uninstall');
  assert.ok(!existsSync(software()));
  assert.deepEqual(readdirSync(etc('boxgate')).sort(), ['box-token', 'box.env', 'gateway.env', 'tunnel-password']);
});
