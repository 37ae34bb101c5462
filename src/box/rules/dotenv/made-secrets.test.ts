import assert from 'node:assert/strict';
import { test } from 'node:test';
import { madeSecrets } from './made-secrets.ts';

const hex = [{ name: 'KEY', generate: { length: 9, encoding: 'hex' as const } }];
const made = (
  present: string | undefined,
  wanted: string | undefined,
  settings: Parameters<typeof madeSecrets>[0] = hex,
) => {
  const values = (value: string | undefined) => new Map(value === undefined ? [] : [['KEY', value]]);
  return madeSecrets(settings, values(present), values(wanted), (bytes) => crypto.getRandomValues(bytes)).get('KEY');
};

test('makes as many characters in hex, or bytes in base64', () => {
  assert.match(made(undefined, '') ?? '', /^[\da-f]{9}$/);
  const base64 = made(undefined, '', [{ name: 'KEY', generate: { length: 32, encoding: 'base64' } }]);
  assert.equal(Buffer.from(base64 ?? '', 'base64').length, 32);
});

test('makes only what is asked for and still open', () => {
  for (const [present, wanted] of [
    [undefined, undefined],
    [undefined, ' '],
    [undefined, 'change-me'],
    ['change-me', ''],
    ['change-me', 'change-me'],
  ]) {
    assert.equal(made(present, wanted)?.length, 9, `${present}, ${wanted}`);
  }
  for (const [present, wanted] of [
    [undefined, 'mine'],
    ['change-me', 'mine'],
    ['', ''],
    ['old', 'old'],
    ['old', ''],
    ['old', 'change-me'],
  ]) {
    assert.equal(made(present, wanted), undefined, `${present}, ${wanted}`);
  }
  assert.equal(made(undefined, '', [{ name: 'KEY' }]), undefined);
});
