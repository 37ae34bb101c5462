import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs, {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { temporaryFolder } from '../../../lib/testing/temporary-folder.ts';
import { type RouteFiles, RouteFilesFailed } from '../../ports.ts';
import { openRouteFiles, viewRouteFiles } from './traefik-files.ts';

function makeDirectory(): string {
  const root = temporaryFolder();
  return join(root, 'routes');
}

async function open() {
  const directory = makeDirectory();
  return { directory, work: join(directory, '.boxgate'), files: await openRouteFiles(directory, 'store-1') };
}

type Call = 'openSync' | 'fchmodSync' | 'writeFileSync';

/** Calls `first` before each call of a function of node:fs until the end of the test. */
function before(t: TestContext, method: Call, first: (path: unknown) => void): void {
  const original = fs[method] as (...args: unknown[]) => unknown;
  const replaced = t.mock.method(fs, method, (...args: unknown[]) => {
    first(args[0]);
    return original(...args);
  });
  syncBuiltinESMExports();
  t.after(() => {
    replaced.mock.restore();
    syncBuiltinESMExports();
  });
}

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

test('choice/gateway/90: a file for each box, readable by the proxy whatever the umask is', async (t) => {
  const umask = process.umask(0o077);
  t.after(() => process.umask(umask));
  const { directory, work, files } = await open();
  await files.put('box_a', 'http: 1\n');
  const path = join(directory, 'boxgate-box_a.yml');
  assert.equal(readFileSync(path, 'utf8'), 'http: 1\n');
  assert.deepEqual([modeOf(path), modeOf(directory), modeOf(work)], ['644', '755', '755']);
});

test('an existing directory keeps its mode', async () => {
  const directory = makeDirectory();
  mkdirSync(directory, { mode: 0o750 });
  await openRouteFiles(directory, 'store-1');
  assert.equal(modeOf(directory), '750');
});

test('writes, replaces, removes, lists and reads files', async () => {
  const { directory, files } = await open();
  await files.put('box_a', 'one');
  await files.put('box_a', 'two');
  await files.put('box_b', 'three');
  writeFileSync(join(directory, 'others.yml'), '');
  writeFileSync(join(directory, 'boxgate-box_c.yaml'), '');
  assert.deepEqual((await files.list()).sort(), ['box_a', 'box_b']);
  assert.equal(await files.read('box_a'), 'two');
  await files.put('box_a', null);
  await files.put('box_a', null);
  assert.deepEqual(await files.list(), ['box_b']);
  assert.equal(await files.read('box_a'), null);
});

test('choice/gateway/90: the same bytes are not written again', async () => {
  const { directory, files } = await open();
  await files.put('box_a', 'same');
  const path = join(directory, 'boxgate-box_a.yml');
  const { ino } = statSync(path);
  await files.put('box_a', 'same');
  assert.equal(statSync(path).ino, ino);
  await files.put('box_a', 'other');
  assert.notEqual(statSync(path).ino, ino);
});

test('choice/gateway/90: each change is one event in the watched directory', async (t) => {
  const { directory, files } = await open();
  const events: string[] = [];
  const watcher = watch(directory, (_kind, name) => events.push(String(name)));
  t.after(() => watcher.close());
  const seen = async (count: number) => {
    const marker = join(directory, `marker-${count}`);
    writeFileSync(marker, ''); // Events are ordered, so all earlier ones have arrived when the marker's does.
    while (!events.includes(`marker-${count}`)) await new Promise((done) => setTimeout(done, 5));
    return events.filter((name) => !name.startsWith('marker')).length;
  };
  await files.put('box_a', 'one');
  assert.equal(await seen(1), 1);
  await files.put('box_a', 'two');
  assert.equal(await seen(2), 2);
  await files.put('box_a', 'two');
  assert.equal(await seen(3), 2);
  await files.put('box_a', null);
  assert.equal(await seen(4), 3);
});

test('choice/gateway/90: nothing in the sub-directory has a name that the proxy reads, also during a write', async (t) => {
  const { work, files } = await open();
  const names = new Set<string>();
  before(t, 'fchmodSync', () => {
    for (const name of readdirSync(work)) names.add(name);
  });
  await Promise.all(['a', 'b', 'c'].map((id) => files.put(`box_${id}`, id)));
  assert.ok(names.size > 1);
  for (const name of names) assert.doesNotMatch(name, /\.(ya?ml|toml)$/i);
  assert.deepEqual(readdirSync(work), ['store-id']);
});

test('simultaneous changes share syncs of the directory', async (t) => {
  const { directory, files } = await open();
  let syncs = 0;
  before(t, 'openSync', (path) => {
    if (path === directory) syncs += 1;
  });
  await Promise.all(Array.from({ length: 32 }, (_, i) => files.put(`box_${i}`, String(i))));
  assert.ok(syncs > 0 && syncs < 24, String(syncs));
  assert.equal((await files.list()).length, 32);
});

test('choice/gateway/102: a directory belongs to one store', async () => {
  const { directory, work, files } = await open();
  await files.put('box_a', 'text');
  await openRouteFiles(directory, 'store-1');
  await assert.rejects(openRouteFiles(directory, 'store-2'), {
    name: 'RouteFilesFailed',
    message: `the routes directory ${directory} belongs to another store; remove ${work} if this one is to take it over`,
  });
  assert.deepEqual(await files.list(), ['box_a']);
  rmSync(work, { recursive: true });
  await openRouteFiles(directory, 'store-2');
});

test('an empty marker, as after a power cut, belongs to no store', async () => {
  const { directory, work } = await open();
  writeFileSync(join(work, 'store-id'), '');
  await openRouteFiles(directory, 'store-2');
  assert.equal(readFileSync(join(work, 'store-id'), 'utf8'), 'store-2\n');
});

test('removes old temporary files of a killed process', async () => {
  const { directory, work } = await open();
  for (const name of ['1-1-box_a.tmp', '1-2-box_b.tmp']) writeFileSync(join(work, name), 'half');
  const old = Date.now() / 1000 - 120;
  utimesSync(join(work, '1-1-box_a.tmp'), old, old);
  await openRouteFiles(directory, 'store-1');
  assert.deepEqual(readdirSync(work).sort(), ['1-2-box_b.tmp', 'store-id']);
});

test('the read-only view changes nothing', async () => {
  const { directory, files } = await open();
  await files.put('box_a', 'text');
  const view = viewRouteFiles(directory);
  assert.deepEqual(await view.list(), ['box_a']);
  assert.equal(await view.read('box_a'), 'text');
  assert.equal(await view.read('box_b'), null);
  assert.deepEqual(await view.invalidFiles(), []);
  const nowhere = viewRouteFiles(join(directory, 'nowhere'));
  await assert.rejects(nowhere.list(), RouteFilesFailed);
  assert.equal(existsSync(join(directory, 'nowhere')), false);
});

test('reports a missing directory or a file in its place; the text for a box contains no path', async () => {
  const { directory, files } = await open();
  await files.put('box_a', 'text');
  rmSync(directory, { recursive: true });
  const failure = (work: Promise<unknown>) =>
    assert.rejects(work, (error) => {
      assert.ok(error instanceof RouteFilesFailed);
      assert.equal(error.forBox, 'the routes directory is not there any more');
      assert.ok(error.message.startsWith(`${error.forBox} (${directory}`), error.message);
      return true;
    });
  await failure(files.put('box_b', 'text'));
  await failure(files.list());
  const place = makeDirectory();
  writeFileSync(place, '');
  await assert.rejects(openRouteFiles(place, 'x'), {
    name: 'RouteFilesFailed',
    message: `the routes directory cannot be used: EEXIST (${place})`,
  });
});

test('a failed write keeps the old file, leaves no temporary file and gives the reason', async (t) => {
  for (const [code, reason] of [
    ['ENOSPC', 'is on a disk that is full'],
    ['EDQUOT', 'is on a disk whose quota is used up'],
    ['EROFS', 'is read-only'],
    ['EACCES', 'cannot be written: no permission'],
    ['EIO', 'cannot be used: EIO'],
  ] as const) {
    const { directory, work, files } = await open();
    await files.put('box_a', 'old');
    before(t, 'writeFileSync', () => {
      throw Object.assign(new Error(`${code}: at ${directory}`), { code, syscall: 'write' });
    });
    await assert.rejects(files.put('box_a', 'new'), (error) => {
      assert.ok(error instanceof RouteFilesFailed);
      assert.equal(error.forBox, `the routes directory ${reason}`);
      assert.ok(error.message.startsWith(`${error.forBox} (${work}/`), error.message);
      return true;
    });
    t.mock.restoreAll();
    syncBuiltinESMExports();
    assert.equal(readFileSync(join(directory, 'boxgate-box_a.yml'), 'utf8'), 'old');
    assert.deepEqual(readdirSync(work), ['store-id']);
  }
});

test('names unmanaged files that stop every reload, at any depth, and no others', async () => {
  const { directory, work, files } = await open();
  await files.put('box_a', 'http: {}');
  mkdirSync(join(directory, 'deep', 'er'), { recursive: true });
  writeFileSync(join(directory, 'deep', 'er', 'boxgate-x.yml'), 'http: {}');
  writeFileSync(join(directory, '.broken.YML'), 'a: [');
  writeFileSync(join(directory, 'fine.yml'), 'http:\n');
  writeFileSync(join(directory, 'notes.txt'), 'a: [');
  symlinkSync('/nowhere/at/all', join(directory, 'link.toml'));
  writeFileSync(join(work, 'half.tmp'), 'a: [');
  execFileSync('mkfifo', [join(directory, 'pipe.yml')]);
  symlinkSync('/dev/null', join(directory, 'off.yml'));
  writeFileSync(join(directory, 'huge.yml'), 'a: [\n'.repeat(100_000));
  const invalidFiles = await files.invalidFiles();
  assert.deepEqual(
    invalidFiles.map(({ name }) => name),
    ['.broken.YML', 'deep/er/boxgate-x.yml', 'link.toml', 'pipe.yml'],
  );
  assert.match(invalidFiles[0]?.reason ?? '', /no valid YAML/);
  assert.equal(invalidFiles[1]?.reason, '"http" has no entries');
  assert.equal(invalidFiles[2]?.reason, 'it cannot be read: ENOENT');
  assert.equal(invalidFiles[3]?.reason, 'it is a named pipe, and reading it never ends');
  writeFileSync(join(directory, '.broken.YML'), 'a:  ');
  rmSync(join(directory, 'deep', 'er', 'boxgate-x.yml'));
  const left = await files.invalidFiles();
  assert.deepEqual(left, invalidFiles.slice(2), 'a corrected or removed file is not named again');
  assert.equal(existsSync(join(directory, '.broken.YML')), true);
});

test('choice/gateway/568: names unmanaged files in the work folder and in a folder named like a route file', async () => {
  const { directory, work } = await open();
  const foreign = ['.boxgate/deep.tmp/b.yml', '.boxgate/mine.yml', 'boxgate-box_b.yml/c.yml'];
  mkdirSync(join(work, 'deep.tmp'));
  mkdirSync(join(directory, 'boxgate-box_b.yml'));
  for (const name of foreign) writeFileSync(join(directory, name), 'a: [');
  const named = async ({ invalidFiles }: RouteFiles) => (await invalidFiles()).map(({ name }) => name);
  const later = await openRouteFiles(directory, 'store-1');
  assert.deepEqual(await named(later), foreign);
  rmSync(join(work, 'mine.yml'));
  rmSync(join(work, 'deep.tmp'), { recursive: true });
  assert.deepEqual(await named(later), foreign.slice(2), 'a removed file is not named');
});

// `contract.proof.test.ts` of the fake shows that the real Traefik rejects invalid UTF-8.
for (const [encoding, bytes, reason] of [
  ['Latin-1', Buffer.from('# B\xfccher\n', 'latin1'), 'it is not encoded in UTF-8'],
  ['UTF-8 that is cut off', Buffer.from('# Bü').subarray(0, -1), 'it is not encoded in UTF-8'],
  ['UTF-8', Buffer.from('# Bücher\n'), null],
  ['UTF-16', Buffer.from('\ufeff# Bücher\n', 'utf16le'), null],
] as const) {
  test(`choice/gateway/568: a file in ${encoding} is ${reason === null ? 'accepted' : 'named'}`, async () => {
    const { directory, files } = await open();
    writeFileSync(join(directory, 'a.yml'), bytes);
    assert.deepEqual(await files.invalidFiles(), reason === null ? [] : [{ name: 'a.yml', reason }]);
  });
}

test('choice/gateway/568: a folder that only root may read hides no other file', async (t) => {
  const { directory, files } = await open();
  writeFileSync(join(directory, 'mine.yml'), 'a: [');
  mkdirSync(join(directory, 'lost+found'), { mode: 0o000 });
  if (process.geteuid?.() === 0) {
    chmodSync(dirname(directory), 0o755);
    process.seteuid?.(65534);
    t.after(() => process.seteuid?.(0));
  }
  assert.deepEqual(
    (await files.invalidFiles()).map(({ name }) => name),
    ['mine.yml'],
  );
});

test('a file is removed before the removal is answered, however many change at once', async () => {
  const { directory, files } = await open();
  const ids = Array.from({ length: 8 }, (_, i) => `box_${i}`);
  await Promise.all(ids.map((id) => files.put(id, 'text')));
  await Promise.all(
    ids.map(async (id) => {
      await files.put(id, null);
      assert.equal(existsSync(join(directory, `boxgate-${id}.yml`)), false);
    }),
  );
});
