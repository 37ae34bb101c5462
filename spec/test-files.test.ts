import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

test('every test file runs in exactly one script of package.json', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  const runs = ['rules', 'unit:together', 'unit:apart', 'browser', 'proofs:src', 'proofs:suite'].flatMap((name) => {
    const [, command = ''] = (scripts[name] ?? '').split(/node --test/);
    const globs = [...command.matchAll(/'([^']+)'/g)].map(([, glob = '']) => glob);
    return [...new Set(globs.flatMap((glob) => globSync(glob)))];
  });
  assert.deepEqual(runs.sort(), globSync('{bench,conformance,fakes,spec,src}/**/*.test.ts').sort());
});

test('a test that would disturb others in its process runs in one of its own', () => {
  const disturbing = /^(before|beforeEach|afterEach)\(|from '(msw|nock)|process\.env\.[A-Z_]+ =|delete process\.env/m;
  const shared = globSync('{bench,conformance,fakes,spec,src}/**/*.test.ts').filter(
    (file) => !/\.(apart|browser|proof)\.test\.ts$|^src\/box\/apps\//.test(file) && file !== 'spec/test-files.test.ts',
  );
  assert.deepEqual(
    shared.filter((file) => disturbing.test(readFileSync(file, 'utf8'))),
    [],
    'name it *.apart.test.ts',
  );
});
