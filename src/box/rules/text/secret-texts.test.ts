import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskedTexts, maskSecrets } from './mask-secrets.ts';
import { secretTexts } from './secret-texts.ts';

const mask = (env: string, text: string) => maskSecrets(text, maskedTexts(secretTexts(env, new Set(['PW']))).own);

test('finds a secret in every way that it is read', () => {
  assert.equal(mask('PW="a\\$b c"\n', 'it is a$b c'), 'it is •••');
  assert.equal(mask('PW=earlier\nexport PW=later\n', 'earlier, later'), '•••, •••');
});

test('finds a secret on an unreadable line, because Compose quotes such a line', () => {
  const quoted = {
    'PW="hunter2 x\nA=1\n': 'unterminated quoted value "hunter2 x',
    'PW=hunter2${x\n': 'invalid template: "hunter2${x"',
    'PW hunter2\n': 'unexpected character in variable name "PW hunter2"',
    "PW 'hunter2'\r\n": "unexpected character in variable name near 'hunter2'",
  };
  for (const [env, said] of Object.entries(quoted)) {
    assert.doesNotMatch(mask(env, said), /hunter2/, env);
  }
});

test('finds the parts of a secret around a variable, because Compose quotes them separately', () => {
  const said = {
    'PW=x${hunter22:?pass99}\n': 'required variable hunter22 is missing a value: pass99',
    'PW="x${hunter22?pa-ss-99}"\n': 'required variable hunter22 is missing a value: pa-ss-99',
    'PW=x$hunter22+pass99\n': 'The "hunter22" variable is not set. Defaulting to a blank string: pass99',
    'PW=${hunter22:-${pass99}\n': 'invalid template near pass99 of hunter22',
    'PW hunter22$pass99\n': 'unexpected character near pass99 of hunter22',
  };
  for (const [env, text] of Object.entries(said)) {
    assert.doesNotMatch(mask(env, text), /hunter22|pass99|pa-|-99/, env);
  }
  assert.deepEqual(secretTexts('PW=a:b-c\n', new Set(['PW'])), ['a:b-c']);
});

test("a key with the same beginning is not the secret's key", () => {
  assert.deepEqual(secretTexts('PW_MIN=long\nPWD=home\nPW=\n', new Set(['PW'])), []);
});
