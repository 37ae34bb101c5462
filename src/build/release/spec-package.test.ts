import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { packagedFiles } from '../../../spec/generate.ts';
import { temporaryFolder } from '../../lib/testing/temporary-folder.ts';
import { makeArchive } from './archive.ts';
import { specPackage } from './spec-package.ts';

const root = join(import.meta.dirname, '..', '..', '..');

const client = `import type { paths } from 'boxgate-spec/box';
export const named: paths['/api/apps/install']['post']['requestBody']['content']['application/json'] = { name: 'notes' };
import box from 'boxgate-spec/box.openapi.json' with { type: 'json' };
export const version: string = box.info.version;
`;

test('a client compiles against the package of the documents', async () => {
  const names = readdirSync(join(root, 'spec'), { withFileTypes: true }).filter((entry) => entry.isFile());
  const committed = ['package.json', 'LICENSE', ...names.map(({ name }) => `spec/${name}`)];
  const made = await packagedFiles();
  const files = committed
    .filter((path) => !made.has(path))
    .map((path) => ({ path, bytes: readFileSync(join(root, path)), executable: false }));
  const documents = [...made].map(([path, text]) => ({ path, bytes: Buffer.from(text), executable: false }));
  const { bytes } = await makeArchive('package', specPackage([...files, ...documents]), 0);
  assert.ok(bytes.length < 100_000, `the package has ${bytes.length} bytes`);

  const project = temporaryFolder();
  const installed = join(project, 'node_modules', 'boxgate-spec');
  mkdirSync(installed, { recursive: true });
  const unpacked = spawnSync('tar', ['-xzf', '-', '-C', installed, '--strip-components=1'], { input: bytes });
  assert.equal(unpacked.status, 0, String(unpacked.stderr));
  assert.deepEqual(readdirSync(installed).sort(), [
    ...['API-CHANGELOG.md', 'LICENSE', 'README.md'],
    ...['box.openapi.d.ts', 'box.openapi.json', 'box.openapi.yaml', 'checks.schema.json'],
    ...['gateway.openapi.d.ts', 'gateway.openapi.json', 'gateway.openapi.yaml'],
    ...['manifest.schema.json', 'package.json', 'report.schema.json'],
  ]);

  writeFileSync(join(project, 'package.json'), '{"type": "module"}');
  writeFileSync(join(project, 'client.ts'), client);
  const tsc = join(root, 'node_modules', 'typescript-check', 'bin', 'tsc');
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', 'client.ts'];
  const compiled = spawnSync(process.execPath, [tsc, ...options], { cwd: project, encoding: 'utf8' });
  assert.equal(compiled.stdout, '');
  assert.equal(compiled.status, 0);
});
