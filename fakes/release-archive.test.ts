import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type BadEntry, type Contents, climbedName, makeArchive } from './release-archive.ts';
import type { Behaviour } from './release-program.ts';

const folder = mkdtempSync(join(tmpdir(), 'boxgate-archive-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const top = 'boxgate-9.8.7-linux-x64';
const target = { version: '9.8.7', platform: 'linux-x64', outside: join(folder, 'outside') };
mkdirSync(target.outside);

function tar(mode: string, contents: Contents, ...more: string[]): string {
  const file = join(folder, 'archive.tar.gz');
  writeFileSync(file, makeArchive(target, contents).bytes);
  return execFileSync('tar', [mode, file, ...more], { encoding: 'utf8', stdio: 'pipe', env: { TZ: 'UTC' } });
}

function unpack(name: string, contents: Contents, ...more: string[]): string {
  const place = join(folder, name, 'staging');
  mkdirSync(place, { recursive: true });
  tar('-xzf', contents, '-C', place, ...more);
  return join(place, top);
}

test('an archive has one folder with the files of a version, and their sizes add up to the unpacked size', () => {
  const { unpackedSize } = makeArchive(target, {});
  const place = unpack('good', {});
  assert.deepEqual(readdirSync(join(place, '..')), [top]);
  const files = ['README.md', 'bin/boxgate', 'package.json'].map((name) => lstatSync(join(place, name)));
  assert.deepEqual(
    files.map(({ mode }) => (mode & 0o777).toString(8)),
    ['644', '755', '644'],
  );
  assert.equal(
    files.reduce((sum, { size }) => sum + size, 0),
    unpackedSize,
  );
  const { name, version } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'));
  assert.deepEqual([name, version], ['boxgate', '9.8.7']);
  assert.ok(makeArchive(target, { paddingBytes: 100_000 }).bytes.length > 100_000);
});

const listed: [BadEntry, RegExp][] = [
  ['climbs out', /boxgate-9\.8\.7-linux-x64\/\.\.\/\.\.\/climbed-out$/m],
  ['absolute path', new RegExp(` ${target.outside}/climbed-out$`, 'm')],
  ['symbolic link', new RegExp(`^l.* ${top}/out -> ${target.outside}$`, 'm')],
  ['hard link', /^h.*again\.json link to boxgate-9\.8\.7-linux-x64\/package\.json$/m],
  ['device', /^c.* 1,3 .*null$/m],
  ['pipe', /^p.*pipe$/m],
  ['more than said', / 8388608 .*more$/m],
];
for (const [badEntry, line] of listed) {
  test(`tar lists the bad entry: ${badEntry}`, () => {
    assert.match(tar('-tvzPf', { badEntry }), line);
  });
}

test('a bad entry writes outside the unpacked folder', () => {
  unpack('climbing', { badEntry: 'climbs out' }, '-P');
  assert.deepEqual(readdirSync(join(folder, 'climbing')).sort(), [climbedName, 'staging']);
  unpack('absolute', { badEntry: 'absolute path' }, '-P');
  assert.deepEqual(readdirSync(target.outside), [climbedName]);
});

async function serve(behaviour: Behaviour, role = 'box') {
  const place = unpack(behaviour, { behaviour });
  const state = join(folder, 'state', behaviour);
  mkdirSync(state, { recursive: true });
  const prefix = role === 'box' ? 'BOX' : 'GATEWAY';
  const settings = {
    [`${prefix}_PORT`]: '0',
    [`${prefix}_STATE_DIR`]: state,
    [`${prefix}_UNIT`]: 'a.service',
  };
  const child = spawn(join(place, 'bin', 'boxgate'), [role, 'serve'], {
    env: settings,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(child, 'exit');
  const said = await Promise.race([once(child.stdout, 'data').then(String), ended.then(() => '')]);
  const address = /^listening on (\S+)\n$/.exec(said)?.[1] ?? '';
  return { child, ended, address, state, program: join(place, 'bin', 'boxgate') };
}

for (const role of ['box', 'gateway']) {
  test(`a good version serves as a ${role}, reports the update state and writes running.json`, async () => {
    const { child, ended, address, state, program } = await serve('serves', role);
    execFileSync(program, [role, 'serve', '--help'], { env: {} });
    const running = JSON.parse(readFileSync(join(state, 'running.json'), 'utf8'));
    assert.deepEqual(running, { address, version: '9.8.7', unit: 'a.service', pid: child.pid });
    const status = () => fetch(`${address}/api/self/update/status`).then((answer) => answer.text());
    assert.equal(await status(), '{}');
    writeFileSync(join(state, 'update-state.json'), '{"stage":"done"}');
    assert.equal(await status(), '{"stage":"done"}');
    const answer = await fetch(`${address}/`);
    assert.deepEqual([answer.status, answer.headers.get('server')], [200, 'boxgate/9.8.7']);
    rmSync(join(state, 'update-state.json'));
    child.kill('SIGTERM');
    assert.deepEqual(await ended, [0, null]);
  });
}

test('each other version fails in its own way', async () => {
  const other = await serve('answers as another version');
  assert.equal((await fetch(other.address)).headers.get('server'), 'boxgate/0.0.1');
  other.child.kill();
  const dying = await serve('dies');
  assert.equal((await fetch(dying.address)).headers.get('server'), 'boxgate/9.8.7');
  assert.deepEqual(await dying.ended, [1, null]);
  const mute = await serve('never answers');
  await assert.rejects(fetch(mute.address, { signal: AbortSignal.timeout(300) }), /timeout/);
  mute.child.kill();
  for (const behaviour of ['does not start', 'cannot be run'] as const) {
    const { ended, program } = await serve(behaviour);
    assert.deepEqual(await ended, [1, null]);
    const help = () => execFileSync(program, ['box', 'serve', '--help'], { stdio: 'pipe' });
    if (behaviour === 'does not start') help();
    else assert.throws(help);
  }
});
