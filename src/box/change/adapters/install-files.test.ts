import assert from 'node:assert/strict';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { useTestBox } from '../../testing/test-box.ts';

const testBox = useTestBox();
const at = (...path: string[]) => join(testBox.directories.installed, ...path);

test('writes an .env for its owner only, keeps the one before, and does not write the same bytes', async () => {
  testBox.installed('a', { '.env': 'A=1\n' });
  assert.equal(await testBox.box.installFiles.writeEnv('a', 'A=1\n'), false);
  assert.ok(!existsSync(at('a', '.env.bak')));
  assert.equal(await testBox.box.installFiles.writeEnv('a', 'A=2\n'), true);
  assert.deepEqual([testBox.file('a/.env'), testBox.file('a/.env.bak')], ['A=2\n', 'A=1\n']);
  assert.deepEqual(
    ['.env', '.env.bak'].map((file) => statSync(at('a', file)).mode & 0o777),
    [0o600, 0o600],
  );
});

test('a write that fails says why in a sentence', async () => {
  testBox.installed('a');
  mkdirSync(at('a', '.env'));
  await assert.rejects(testBox.box.installFiles.writeEnv('a', 'A=1\n'), {
    name: 'StorageFailed',
    message: /^cannot write .*\/a\/\.env: /,
  });
  await assert.rejects(testBox.box.installFiles.writeEnv('absent', 'A=1\n'), { name: 'StorageFailed' });
});
