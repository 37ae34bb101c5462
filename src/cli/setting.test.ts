import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { givenSecret, UsageError } from './setting.ts';

const inFile = (t: { after(end: () => void): void }, text: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'boxgate-secret-'));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'secret'), text);
  return join(folder, 'secret');
};

test('takes a secret from its variable', () => {
  assert.equal(givenSecret('X', { X: ' a b ' }), ' a b ');
});

test('choice/gateway/105: takes a secret from the file that the variable names, without the last line break', (t) => {
  assert.equal(givenSecret('X', { X_FILE: inFile(t, 'a\nb\r\n') }), 'a\nb');
});

test('an empty variable, an empty file and none are no secret', (t) => {
  for (const env of [{}, { X: '' }, { X_FILE: '' }, { X_FILE: inFile(t, '\n') }]) {
    assert.equal(givenSecret('X', env), undefined);
  }
});

test('a file that cannot be read is a wrong setting, named by its variable', () => {
  assert.throws(
    () => givenSecret('X', { X_FILE: '/nowhere/at all' }),
    (error) =>
      error instanceof UsageError && /^X_FILE: cannot read \/nowhere\/at all: ENOENT$/.test(error.message),
  );
});

test('of two places neither wins: that is a mistake to be told', () => {
  assert.throws(() => givenSecret('X', { X: 'secret', X_FILE: '/f' }), {
    message: 'X and X_FILE are both set',
  });
});
