import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

test('every test file runs in exactly one script of package.json', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  const runs = ['rules', 'unit', 'proofs:src', 'proofs:suite'].flatMap((name) => {
    const [, command = ''] = (scripts[name] ?? '').split('node --test');
    const globs = [...command.matchAll(/'([^']+)'/g)].map(([, glob = '']) => glob);
    return [...new Set(globs.flatMap((glob) => globSync(glob)))];
  });
  assert.deepEqual(runs.sort(), globSync('{bench,conformance,fakes,spec,src}/**/*.test.ts').sort());
});
