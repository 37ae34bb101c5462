import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDotenv } from './dotenv.ts';
import { dotenvCases, dotenvRefusals } from './dotenv-cases.ts';

const lookup = (name: string) => (name === 'V' ? 'v' : undefined);

for (const { text, values } of dotenvCases) {
  test(`reads ${JSON.stringify(text)} as Compose does`, () => {
    assert.deepEqual(Object.fromEntries(parseDotenv(text, lookup)), values);
  });
}

for (const { text, words } of dotenvRefusals) {
  test(`refuses ${JSON.stringify(text)} in Compose's words`, () => {
    assert.throws(() => parseDotenv(text, lookup), { message: words });
  });
}

test('resolves a bare key by lookup', () => {
  assert.deepEqual(
    [...parseDotenv('V\nW=1\n', lookup)],
    [
      ['V', 'v'],
      ['W', '1'],
    ],
  );
});
