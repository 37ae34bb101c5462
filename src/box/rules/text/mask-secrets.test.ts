import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskedTexts, maskSecrets, unshownText } from './mask-secrets.ts';
import { failureText } from './tool-output.ts';

const mask = (text: string, secrets: string[]) => maskSecrets(text, maskedTexts(secrets).own);
const maskElsewhere = (text: string, secret: string) => maskSecrets(text, maskedTexts([secret]).elsewhere);

test('replaces every secret, the longest first', () => {
  assert.equal(mask('a hunter2 and hunter2-long', ['hunter2', 'hunter2-long']), 'a ••• and •••');
});

test('finds each line of a secret of several lines', () => {
  assert.equal(mask('line: second', ['first\nsecond']), 'line: •••');
  assert.equal(mask('it has line', ['line\n'.repeat(1000)]), 'it has •••');
});

test('finds a secret in a failure text, which leaves out parts of lines and some escapes', () => {
  const shown = (secret: string, output: string) => mask(failureText(output), [secret]);
  assert.equal(shown('first\rsecond', 'near <first\rsecond>\n'), '•••>');
  assert.equal(shown('hunter2 \t', 'near hunter2 \t\n'), 'near •••');
  for (const secret of ['p\\"w', 'p"\tw', 'p\\w\t', 'first\n\\"w']) {
    const message = JSON.stringify(`near ${secret} x`);
    assert.equal(shown(secret, `time="2026-11-23T01:21:28Z" level=error msg=${message}\n`), 'near ••• x');
  }
});

test('masks no secret of one or two characters', () => {
  assert.equal(mask('a boat', ['a', '']), 'a boat');
});

test("masks short secrets and common words in the app's own texts only", () => {
  const text = 'Error response from daemon: port 8080 is already allocated, no such image: abc';
  for (const secret of ['error', 'port', 'Already', 'no such image', 'is already allocated', '8080', 'abc']) {
    assert.equal(maskElsewhere(text, secret), text, secret);
    assert.match(mask(text.toLowerCase(), [secret.toLowerCase()]), /•••/, secret);
  }
  for (const secret of ['hunter', 'port7', 'no such moon', '80 80', '123456', 'größe', 'abcd', 'the-kraken']) {
    assert.equal(maskElsewhere(`a ${secret} b`, secret), 'a ••• b');
  }
});

test('looks for a limited number of secrets, lines and characters', () => {
  const few = maskedTexts(Array.from({ length: 200 }, (_, index) => `secret${index}`));
  assert.equal(few.isCut, false);
  const lines = Array.from({ length: 200_000 }, (_, index) => `line ${index}`);
  for (const secrets of [lines, [lines.join('\n')], ['x'.repeat(300_000)], ['a'.repeat(200_000), 'b'.repeat(99_999)]]) {
    const { own, isCut } = maskedTexts(secrets);
    assert.equal(isCut, true);
    assert.ok(own.length < 20_000 && own.join('').length < 12_000_000);
  }
  const long = 'x'.repeat(2 ** 30 / few.own.length + 1);
  assert.ok(maskSecrets(long, few.own) === unshownText);
});
