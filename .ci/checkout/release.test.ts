import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { after, before, test } from 'node:test';
import { required } from '../real/support/required.ts';

/**
 * Builds releases of the current commit in two fresh clones, in folders of different depths and under different
 * umasks.
 */
const checkout = join(import.meta.dirname, '..', '..');
const scratch = mkdtempSync(join(required('BOXGATE_CI_SCRATCH'), 'release-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

const key = join(scratch, 'key.pem');
const publicKey = join(scratch, 'release-key.pem');
const clones = {
  first: { folder: join(scratch, 'first'), umask: '022' },
  second: { folder: join(scratch, 'a longer path', 'to', 'second'), umask: '077' },
};
const { first, second } = clones;
const made = join(first.folder, 'dist-release');
const { version } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'));
const top = `boxgate-${version}-linux-${process.arch}`;

/** Runs a program under a umask; throws unless it ends with status 0. */
function run(umask: string, cwd: string, ...argv: string[]): string {
  const stdio = ['ignore', 'pipe', 'pipe'] as const;
  return execFileSync('sh', ['-c', `umask ${umask} && exec "$@"`, 'sh', ...argv], {
    cwd,
    encoding: 'utf8',
    stdio: [...stdio],
  });
}

function clone({ folder, umask }: { folder: string; umask: string }): void {
  run(umask, scratch, 'git', 'clone', '-q', '--no-hardlinks', checkout, folder);
  // Links where the file system allows them: copies take most of the time.
  const modules = join(checkout, 'node_modules');
  if (spawnSync('cp', ['-al', modules, folder]).status !== 0) run(umask, scratch, 'cp', '-a', modules, folder);
}

function release({ folder, umask }: { folder: string; umask: string }, ...options: string[]): string {
  return run(umask, folder, 'npm', 'run', '-s', 'release', '--', ...options);
}

/** Path to content of every file below a folder. */
function contents(folder: string): Map<string, Buffer> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(files.sort().map((file) => [relative(folder, file), readFileSync(file)]));
}

function assertSame(one: Map<string, Buffer>, other: Map<string, Buffer>): void {
  assert.deepEqual([...one.keys()], [...other.keys()]);
  const different = [...one].filter(([name, bytes]) => !other.get(name)?.equals(bytes)).map(([name]) => name);
  assert.deepEqual(different, []);
}

before(() => {
  const pair = generateKeyPairSync('ed25519');
  writeFileSync(key, pair.privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  writeFileSync(publicKey, pair.publicKey.export({ type: 'spki', format: 'pem' }));
  for (const one of Object.values(clones)) clone(one);
  release(first, '--key', key);
  run('022', scratch, 'tar', '-xzf', join(made, `${top}.tar.gz`));
});

test('two builds in two folders have the same bytes', () => {
  release(second, '--key', key);
  const files = contents(made);
  assert.equal(files.size, 7);
  assertSame(contents(join(second.folder, 'dist-release')), files);
});

test('a build without the private key has the same archives', () => {
  const out = join(scratch, 'rebuilt');
  release(first, '--public-key', publicKey, '--out', out);
  const rebuilt = contents(out);
  assert.deepEqual(
    ['release.json', 'SHA256SUMS.sig'].filter((name) => rebuilt.has(name)),
    [],
  );
  const files = [...contents(made)].filter(([name]) => rebuilt.has(name));
  assert.equal(files.length, 5);
  assertSame(rebuilt, new Map(files));
});

const withoutOpenssl = spawnSync('openssl', ['version']).error === undefined ? false : 'there is no openssl';
test('the commands of deploy/RELEASES.md verify a release, and refuse a changed one', { skip: withoutOpenssl }, () => {
  const page = readFileSync(join(checkout, 'deploy/RELEASES.md'), 'utf8');
  const [, commands = ''] = /```sh verify\n([\s\S]*?)```/.exec(page) ?? [];
  assert.match(commands, /sha256sum -c SHA256SUMS/);
  const folder = join(scratch, 'download');
  run('022', scratch, 'cp', '-r', made, folder);
  run('022', scratch, 'cp', publicKey, folder);
  assert.match(run('022', folder, 'sh', '-euc', commands), /Signature Verified Successfully/);
  for (const name of ['SHA256SUMS', `${top}.tar.gz`]) {
    const bytes = readFileSync(join(folder, name));
    writeFileSync(join(folder, name), Buffer.concat([bytes, Buffer.from('\n')]));
    assert.throws(() => run('022', folder, 'sh', '-euc', commands), { status: 1 });
    writeFileSync(join(folder, name), bytes);
  }
});

test('an archive holds what the installation from its checkout has, its own key and the lists of third parties', () => {
  const target = join(scratch, 'installed');
  execFileSync('sh', ['deploy/install.sh', '--no-start'], {
    cwd: first.folder,
    env: { ...process.env, DESTDIR: target },
    stdio: 'ignore',
  });
  const all = contents(join(target, 'opt/boxgate', version));
  // The installer has started the program, which caches its code.
  const installed = new Map([...all].filter(([name]) => !name.startsWith('dist/cache/')));
  const unpacked = contents(join(scratch, top));
  for (const name of ['THIRD-PARTY-LICENSES.txt', 'sbom.cdx.json']) assert(unpacked.delete(name), name);
  installed.set('src/box/release-key.pem', readFileSync(publicKey));
  assertSame(new Map([...unpacked].sort()), new Map([...installed].sort()));
});

test('an unpacked archive runs with nothing of Node on PATH', () => {
  const bin = join(scratch, 'bin');
  mkdirSync(bin);
  for (const name of ['dirname', 'readlink']) {
    symlinkSync(run('022', scratch, 'sh', '-c', `command -v ${name}`).trim(), join(bin, name));
  }
  const program = join(scratch, top, 'bin/boxgate');
  const printed = execFileSync(program, ['--version'], { env: { PATH: bin }, encoding: 'utf8' });
  assert.equal(printed.trim(), version);
});

test('a key is in no output and in no file of a release', () => {
  const secret = readFileSync(key, 'utf8').split('\n')[1] ?? '';
  assert(secret.length > 40);
  const seed = Buffer.from(secret, 'base64').subarray(-32);
  for (const [name, bytes] of [...contents(made), ...contents(join(scratch, top))]) {
    assert(!bytes.includes(secret) && !bytes.includes(seed), name);
  }
});
