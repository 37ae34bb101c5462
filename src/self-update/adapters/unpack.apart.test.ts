import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { beforeEach, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { type Headers, pack } from 'tar-stream';
import { temporaryFolder } from '../../lib/testing/temporary-folder.ts';
import { archives } from './archives.ts';

let place = '';
let archive = '';
let folder = '';
beforeEach(async () => {
  place = temporaryFolder();
  archive = join(place, 'archive.tar.gz');
  folder = join(place, 'staging');
});

type Header = Headers & { pax?: Record<string, string> };
type Entry = [header: Header | string, text?: string | Buffer];

async function tarOf(entries: readonly Entry[]): Promise<Buffer> {
  const tar = pack();
  for (const [header, text = ''] of entries) {
    const headers: Header = typeof header === 'string' ? { name: header } : header;
    if (headers.type === undefined || headers.type === 'file') tar.entry(headers, text);
    else tar.entry(headers);
  }
  tar.finalize();
  return buffer(tar);
}

async function unpack(entries: readonly Entry[] | Buffer, maxBytes = 1000) {
  const bytes = Buffer.isBuffer(entries) ? entries : gzipSync(await tarOf(entries));
  await writeFile(archive, bytes);
  await archives.unpack(archive, folder, maxBytes);
}

describe('choice/box/139: unpacking an archive', () => {
  test('writes its files and folders without the top folder', async () => {
    const long = `t/${'long'.repeat(60)}/${'name'.repeat(60)}`;
    await unpack([
      [{ name: 't/', type: 'directory', mode: 0o700 }],
      [{ name: 't/empty', type: 'directory' }],
      [{ name: 't/bin/run', mode: 0o4755 }, '#!/bin/sh\n'],
      [{ name: 't/Grüße.txt', mode: 0o600 }, 'hello'],
      ['t/nothing'],
      [long, 'a long name'],
    ]);
    assert.deepEqual((await readdir(folder)).sort(), ['Grüße.txt', 'bin', 'empty', 'long'.repeat(60), 'nothing']);
    assert.equal(await readFile(join(folder, 'Grüße.txt'), 'utf8'), 'hello');
    assert.equal(await readFile(join(folder, long.slice(2)), 'utf8'), 'a long name');
    assert.equal((await stat(join(folder, 'nothing'))).size, 0);
    const modes = ['bin/run', 'Grüße.txt', 'bin'].map(async (name) => (await stat(join(folder, name))).mode & 0o7777);
    assert.deepEqual(await Promise.all(modes), [0o755, 0o644, 0o755]);
  });

  test('gives every user access, whatever the umask is', async (t) => {
    const umask = process.umask(0o077);
    t.after(() => process.umask(umask));
    await unpack([['t/bin/run', 'x']]);
    const modes = ['.', 'bin', 'bin/run'].map(async (name) => (await stat(join(folder, name))).mode & 0o777);
    assert.deepEqual(await Promise.all(modes), [0o755, 0o755, 0o644]);
  });

  test('takes files of many chunks', async () => {
    const big = Buffer.alloc(3_000_000, 'abc');
    await unpack([['t/big', big]], big.length);
    assert.ok(big.equals(await readFile(join(folder, 'big'))));
  });

  const link = { name: 't/link', linkname: '../../outside' };
  const device = { name: 't/d', devmajor: 1, devminor: 3 };
  const files = (...names: string[]): Entry[] => names.map((name) => [name, 'x']);
  const small = Array.from({ length: 40 }, (_, at): Entry => [`t/${at}`, 'x'.repeat(100)]);
  const entry = /below one top folder/;
  const size = /bytes that its publisher has signed/;
  const attacks: [string, RegExp, Entry[]][] = [
    ['a path that climbs out', entry, files('t/a', '../outside')],
    ['a long path that climbs out', entry, files(`t/${'x'.repeat(200)}/../../../outside`)],
    ['an absolute path', entry, files(`${tmpdir()}/boxgate-outside`)],
    ['a symbolic link', entry, [[{ ...link, type: 'symlink' }], ...files('t/link/x')]],
    ['a block device', entry, [[{ ...device, type: 'block-device' }]]],
    ['four times the size', size, [['t/a', 'x'.repeat(4000)]]],
    ['four times the size in small files', size, small],
    ['an archive without files', /it holds no files/, []],
    ['an archive of folders only', /it holds no files/, [[{ name: 't', type: 'directory' }]]],
  ];
  for (const [title, message, entries] of attacks) {
    test(`attack: ${title} ends with a reason, and nothing is outside of the folder`, async () => {
      await assert.rejects(unpack(entries), { name: 'UpdateFailed', message });
      const made = await readdir(place);
      assert.deepEqual(new Set([...made, 'staging']), new Set(['archive.tar.gz', 'staging']));
      await assert.rejects(access(`${tmpdir()}/boxgate-outside`, constants.F_OK));
    });
  }

  test('attack: a file that claims to be small is refused before the rest is written', async () => {
    const entries: Entry[] = [...files('t/a'), ['t/b', 'x'.repeat(1000)]];
    await assert.rejects(unpack(entries), { message: /bytes that its publisher has signed/ });
    assert.deepEqual(await readdir(folder), ['a']);
  });

  const good = () => tarOf([['t/a', 'x'.repeat(900)]]);
  const damaged: [string, () => Promise<Buffer>, RegExp][] = [
    ['truncated', async () => gzipSync(await good()).subarray(0, 60), /unexpected end of file/],
    ['truncated before it was packed', async () => gzipSync((await good()).subarray(0, 1000)), /end of data/],
    ['not packed', good, /incorrect header check/],
    ['empty', async () => Buffer.alloc(0), /it holds no files|unexpected end of file/],
    ['no tar', async () => gzipSync(Buffer.alloc(2048, 'x')), /Invalid tar header/],
    ['changed in its middle', async () => gzipSync(await good()).fill(0xff, 20, 30), /./],
  ];
  for (const [title, make, problem] of damaged) {
    test(`an archive that is ${title} ends with a reason`, async () => {
      const message = new RegExp(`^the archive cannot be unpacked: .*(?:${problem.source})`);
      await assert.rejects(unpack(await make()), { message });
    });
  }

  test('attack: a gzip bomb of empty blocks ends at the limit', { timeout: 120_000 }, async () => {
    const bomb = gzipSync(Buffer.alloc(100 * 1024 * 1024));
    await assert.rejects(unpack(bomb), { message: /bytes that its publisher has signed/ });
  });

  test('attack: a gzip bomb in the name of an entry ends at the limit', { timeout: 120_000 }, async () => {
    const tar = await tarOf([[{ name: 't/a', pax: { comment: 'x'.repeat(100 * 1024 * 1024) } }, 'a']]);
    await assert.rejects(unpack(gzipSync(tar, { level: 1 })), { message: /bytes that its publisher has signed/ });
  });

  test('attack: a size in an extended header that differs does not change how much is written', async () => {
    await assert.rejects(unpack([[{ name: 't/a', pax: { size: '5000' } }, 'x'.repeat(100)]]), {
      message: /bytes that its publisher has signed/,
    });
    await rm(folder, { recursive: true });
    await assert.rejects(unpack([[{ name: 't/a', pax: { size: '-5' } }, 'x']]), { message: /below one top folder/ });
  });

  test('is refused where something stands already, which is named', async () => {
    await mkdir(folder);
    await assert.rejects(unpack([['t/a', 'a']]), {
      message: /staging: it exists already/,
    });
  });

  test('names the archive that is missing', async () => {
    await assert.rejects(archives.unpack(archive, folder, 1000), { message: /archive\.tar\.gz/ });
  });

  test('a name that the disk does not take is a sentence', async () => {
    await assert.rejects(unpack([[`t/${'x'.repeat(300)}`, 'a']]), { message: /the name is too long/ });
  });
});

/** Files of this process may have at most 200 blocks of 512 bytes, as on a disk that is nearly full. */
test('a full disk in the middle of a file is a sentence', async () => {
  const entries: Entry[] = [
    ['t/a', 'a'],
    ['t/b', Buffer.alloc(1_000_000, 'x')],
  ];
  await writeFile(archive, gzipSync(await tarOf(entries)));
  const script = `
    const { archives } = await import(${JSON.stringify(join(import.meta.dirname, 'archives.ts'))});
    const error = await archives.unpack(process.argv[1], process.argv[2], 2e6).catch((error) => error);
    console.log(error.message);`;
  const { stdout } = await promisify(execFile)('sh', [
    '-c',
    'ulimit -f 200; exec "$0" --input-type=module --eval "$1" "$2" "$3"',
    process.execPath,
    script,
    archive,
    folder,
  ]);
  assert.match(stdout, /^cannot unpack the archive into .*staging: EFBIG \(.*staging\/b\)/);
});

describe('the digest of a file', () => {
  test('is its SHA-256', async () => {
    await writeFile(archive, 'abc');
    const sha256 = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
    assert.equal(await archives.digest(archive), sha256);
  });

  test('of a missing one is a reason', async () => {
    await assert.rejects(archives.digest(archive), { message: /^cannot read .*archive\.tar\.gz/ });
  });
});
