import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { makeArchive } from './release-archive.ts';

const folder = mkdtempSync(join(tmpdir(), 'boxgate-archive-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('an archive has one folder with the files of a version, and their sizes add up to the unpacked size', () => {
  const { bytes, unpackedSize } = makeArchive('9.8.7', 'linux-x64');
  execFileSync('tar', ['-xzf', '-', '-C', folder], { input: bytes });
  assert.deepEqual(readdirSync(folder), ['boxgate-9.8.7-linux-x64']);
  const place = join(folder, 'boxgate-9.8.7-linux-x64');
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
  assert.equal(execFileSync(join(place, 'bin/boxgate'), { encoding: 'utf8' }), '9.8.7\n');
});
