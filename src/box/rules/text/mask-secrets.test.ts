import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskSecrets, unshownText } from './mask-secrets.ts';
import { failureText } from './tool-output.ts';

test('replaces every secret, the longest first', () => {
  assert.equal(maskSecrets('a hunter2 and hunter2-long', ['hunter2', 'hunter2-long']), 'a ••• and •••');
});

test('finds a secret written with escapes, and each line of a secret of several lines', () => {
  assert.equal(maskSecrets('in "p\\"w$d"', ['p"w$d']), 'in "•••"');
  assert.equal(maskSecrets('PW="p\\"w\\$d"', ['p"w$d']), 'PW="•••"');
  assert.equal(maskSecrets('line: second', ['first\nsecond']), 'line: •••');
});

test('finds a secret in a shell command, in a URL and in base64', () => {
  const secret = "it's a/b?\ud800";
  assert.equal(maskSecrets("run 'it'\\''s a/b?\ud800'", [secret]), "run '•••'");
  assert.equal(maskSecrets("http://x/?p=it's%20a%2Fb%3F%EF%BF%BD", [secret]), 'http://x/?p=•••');
  assert.equal(maskSecrets(`auth ${Buffer.from('hunter2!').toString('base64')}`, ['hunter2!']), 'auth •••=');
});

test('finds a secret in a failure text, which leaves out parts of lines and some escapes', () => {
  const shown = (secret: string, output: string) => maskSecrets(failureText(output), [secret]);
  assert.equal(shown('first\rsecond', 'near <first\rsecond>\n'), '•••>');
  assert.equal(shown('hunter2 \t', 'near hunter2 \t\n'), 'near •••');
  for (const secret of ['p\\"w', 'p"\tw', 'p\\w\t', 'first\n\\"w']) {
    const message = JSON.stringify(`near ${secret} x`);
    assert.equal(shown(secret, `time="2026-11-23T01:21:28Z" level=error msg=${message}\n`), 'near ••• x');
  }
});

test('masks no secret of one or two characters', () => {
  assert.equal(maskSecrets('a boat', ['a', '']), 'a boat');
});

test('hides the whole text if there are too many secrets to search for', () => {
  const lines = Array.from({ length: 110_000 }, (_, index) => `line ${index}`).join('\n');
  assert.equal(maskSecrets('line 7'.padEnd(4000), [lines]), unshownText);
});

test('a secret longer than the text cannot be in it, but its lines can', () => {
  assert.equal(maskSecrets('it has line', ['line\n'.repeat(1000)]), 'it has •••');
});
