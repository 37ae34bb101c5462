import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const examples = new URL('../examples/', import.meta.url);
const skip = !existsSync(new URL('box.py', examples)) && 'the build has no Python 3.11';

test('the examples, which the build makes of the implementations, have no fault', { skip }, () => {
  const names = globSync('*.py', { cwd: examples });
  assert.ok(names.includes('gateway.py'));
  assert.deepEqual(
    names.filter((name) => /\b(wrong|pick|faulty_\w+)\(|FAULT/.test(readFileSync(new URL(name, examples), 'utf8'))),
    [],
  );
});
