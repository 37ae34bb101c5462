import assert from 'node:assert/strict';
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { sweepTemporaryFiles, writeFileAtomic } from './write-file.ts';

const root = await mkdtemp(join(tmpdir(), 'write-file-'));
after(() => rm(root, { recursive: true }));

let count = 0;
async function folder(): Promise<string> {
  const path = join(root, String(count++));
  await mkdir(path);
  return path;
}

const modeOf = async (path: string) => ((await lstat(path)).mode & 0o7777).toString(8);

test('makes a file with exactly the given bytes and mode, and nothing beside it', async () => {
  const directory = await folder();
  const path = join(directory, '.env');
  const umask = process.umask(0o077);
  assert.equal(await writeFileAtomic(path, 'A=ü\n', 0o644), true);
  process.umask(umask);
  assert.equal(await readFile(path, 'utf8'), 'A=ü\n');
  assert.equal(await modeOf(path), '644');
  assert.deepEqual(await readdir(directory), ['.env']);
});

test('takes bytes as well as text', async () => {
  const path = join(await folder(), 'f');
  await writeFileAtomic(path, Uint8Array.of(0, 255, 10), 0o600);
  assert.deepEqual([...(await readFile(path))], [0, 255, 10]);
});

test('writes nothing when bytes and mode are already right', async () => {
  const path = join(await folder(), 'f');
  await writeFileAtomic(path, 'same', 0o600);
  const before = await lstat(path);
  assert.equal(await writeFileAtomic(path, 'same', 0o600), false);
  const now = await lstat(path);
  assert.equal(now.ino, before.ino);
  assert.equal(now.mtimeMs, before.mtimeMs);
});

test('writes when only the mode differs, and when bytes of the same length differ', async () => {
  const path = join(await folder(), 'f');
  await writeFile(path, 'same', { mode: 0o644 });
  await chmod(path, 0o644);
  assert.equal(await writeFileAtomic(path, 'same', 0o600), true);
  assert.equal(await modeOf(path), '600');
  assert.equal(await writeFileAtomic(path, 'some', 0o600), true);
  assert.equal(await readFile(path, 'utf8'), 'some');
});

test('replaces a link and leaves what it points to alone', async () => {
  const directory = await folder();
  const path = join(directory, 'f');
  await writeFile(join(directory, 'target'), 'same', { mode: 0o600 });
  await symlink('target', path);
  assert.equal(await writeFileAtomic(path, 'same', 0o600), true);
  assert.equal((await lstat(path)).isFile(), true);
  assert.equal(await readFile(join(directory, 'target'), 'utf8'), 'same');
});

test('leaves neither a temporary file nor a change after a write that failed', async () => {
  const directory = await folder();
  const path = join(directory, 'taken');
  await mkdir(join(path, 'inside'), { recursive: true });
  await assert.rejects(writeFileAtomic(path, 'x', 0o600), { code: 'EISDIR' });
  assert.deepEqual(await readdir(directory), ['taken']);
});

test('leaves neither a temporary file nor a change on a full disk', async () => {
  // The kernel's own full device cannot be a directory, so the write is made to fail by the file size limit.
  const { runCommand } = await import('../process/run-command.ts');
  const directory = await folder();
  const path = join(directory, 'f');
  await writeFile(path, 'old');
  const program = `
    import { writeFileAtomic } from ${JSON.stringify(new URL('./write-file.ts', import.meta.url).href)};
    process.on('SIGXFSZ', () => {});
    await writeFileAtomic(${JSON.stringify(path)}, 'x'.repeat(1_000_000), 0o600).catch((error) => console.log(error.code));
  `;
  const argv = [
    'sh',
    '-c',
    'unset NODE_V8_COVERAGE; ulimit -f 8; exec "$0" "$@"',
    process.execPath,
    '--input-type=module',
    '-e',
    program,
  ];
  const { stdout } = await runCommand(argv, { timeoutMs: 30_000 });
  assert.equal(stdout, 'EFBIG\n');
  assert.equal(await readFile(path, 'utf8'), 'old');
  assert.deepEqual(await readdir(directory), ['f']);
});

test('fails where the directory is not there', async () => {
  await assert.rejects(writeFileAtomic(join(root, 'gone', 'f'), 'x', 0o600), { code: 'ENOENT' });
});

test('shows a reader whole files only while two writers write', async () => {
  const path = join(await folder(), 'f');
  const texts = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(50_000));
  await writeFileAtomic(path, texts[0] ?? '', 0o600);
  const writes = Promise.all(texts.map((text) => writeFileAtomic(path, text, 0o600)));
  let writing = true;
  writes.finally(() => {
    writing = false;
  });
  while (writing) assert.ok(texts.includes(await readFile(path, 'utf8')));
  await writes;
});

test('sweeps the temporary files of killed writes, and only those', async () => {
  const directory = await folder();
  for (const name of ['.boxgate-write-0123', '.env', '.boxgate-staging']) await writeFile(join(directory, name), '');
  await sweepTemporaryFiles(directory);
  assert.deepEqual((await readdir(directory)).sort(), ['.boxgate-staging', '.env']);
});
