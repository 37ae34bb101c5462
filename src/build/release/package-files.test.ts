import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../lib/testing/temporary-folder.ts';
import { isPackaged, packageFiles } from './package-files.ts';

const patterns = [
  'README.md',
  'dist/*.cjs',
  'deploy',
  'spec/*.json',
  'spec/*.openapi.d.ts',
  'conformance/examples/*.py',
];
const packaged: [path: string, expected: boolean][] = [
  ['README.md', true],
  ['docs/README.md', false],
  ['dist/main.cjs', true],
  ['dist/main.sources.json', false],
  ['dist/cache/main.cjs', false],
  ['deploy/proxy/nginx.conf', true],
  ['deployed', false],
  ['conformance/examples/box.py', true],
  ['conformance/examples/box.pyc', false],
  ['deploy/.env', false],
  ['deploy/.env.local', false],
  ['deploy/.env.example', true],
  ['deploy/box.env.example', true],
];
for (const [path, expected] of packaged) {
  test(`${path} is ${expected ? '' : 'not '}in a package`, () => {
    assert.equal(isPackaged(path, patterns), expected);
  });
}

function makeRoot(): string {
  const root = temporaryFolder();
  for (const folder of ['dist/cache', 'deploy', 'spec', 'conformance/examples'])
    mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, 'package.json'), JSON.stringify({ files: patterns }));
  const made = ['dist/main.cjs', 'spec/box.openapi.json', 'spec/box.openapi.d.ts', 'conformance/examples/box.py'];
  for (const name of [...made, 'deploy/run.sh', 'deploy/notes', 'spec/notes.json'])
    writeFileSync(join(root, name), name);
  return root;
}

test('includes files of the commit and those of the build, and no other file of the checkout', () => {
  const files = packageFiles(makeRoot(), { time: 0, files: new Map([['deploy/run.sh', '100755']]) });
  assert.deepEqual(
    files.map(({ path, bytes, executable }) => [path, bytes.toString(), executable]),
    [
      ['deploy/run.sh', 'deploy/run.sh', true],
      ['dist/main.cjs', 'dist/main.cjs', false],
      ['spec/box.openapi.d.ts', 'spec/box.openapi.d.ts', false],
      ['spec/box.openapi.json', 'spec/box.openapi.json', false],
      ['conformance/examples/box.py', 'conformance/examples/box.py', false],
    ],
  );
});

test('refuses a build without the examples', () => {
  const root = makeRoot();
  rmSync(join(root, 'conformance/examples/box.py'));
  assert.throws(() => packageFiles(root, { time: 0, files: new Map() }), {
    message: /^conformance\/examples is empty/,
  });
});

test('refuses a link', () => {
  const root = makeRoot();
  symlinkSync('run.sh', join(root, 'deploy/link'));
  assert.throws(() => packageFiles(root, { time: 0, files: new Map([['deploy/link', '120000']]) }), {
    message: 'deploy/link is not a regular file: a release has no links',
  });
});
