import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../lib/testing/temporary-folder.ts';
import { operatorVariables, unitVariables } from './operator-variables.ts';

test('choice/gateway/394: a command by hand has the variables of the settings file, and its own before them', () => {
  const folder = temporaryFolder();
  const file = join(folder, 'gateway.env');
  const env = { GATEWAY_UNIT: 'mine.service' };
  assert.deepEqual(operatorVariables(env, file), env);
  writeFileSync(file, '# Ours\nGATEWAY_RELEASE_FEED=https://example.org/a.json\nGATEWAY_UNIT="other.service"\n');
  const variables = operatorVariables(env, file);
  assert.deepEqual({ ...variables }, { ...env, GATEWAY_RELEASE_FEED: 'https://example.org/a.json' });
});

test('choice/gateway/394: a settings file that cannot be read is named', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'gateway.env'));
  const file = join(folder, 'gateway.env');
  assert.throws(() => operatorVariables({}, file), {
    message: `cannot read ${file}: it is not a regular file`,
  });
});

test("a command by hand has the password's file of the unit, unless it has a password of its own", () => {
  const folder = temporaryFolder();
  assert.deepEqual({ ...unitVariables({}, folder) }, {});
  const file = join(folder, 'tunnel-password');
  writeFileSync(file, 'secret\n');
  assert.deepEqual({ ...unitVariables({}, folder) }, { GATEWAY_TUNNEL_PASSWORD_FILE: file });
  for (const own of [{ GATEWAY_TUNNEL_PASSWORD: 'x' }, { GATEWAY_TUNNEL_PASSWORD_FILE: '/x' }]) {
    assert.deepEqual({ ...unitVariables(own, folder) }, own);
  }
});
