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

const secret = `it's "a/b"?&é$<k> 7!`;
const bytes = Buffer.from(secret);
const json = (text: string) => JSON.stringify(text).slice(1, -1);
const base64 = (prefix: string, suffix: string) => Buffer.from(`${prefix}${secret}${suffix}`).toString('base64');

const texts: Record<string, string> = {
  plain: secret,
  'small letters': secret.toLowerCase(),
  capitals: secret.toUpperCase(),
  JSON: json(secret),
  'JSON without the escapes of quotes': json(secret).replaceAll('\\"', '"'),
  'JSON of PHP': json(secret).replaceAll('/', '\\/'),
  'JSON of Go': json(secret).replace('&', '\\u0026').replace('<', '\\u003c').replace('>', '\\u003e'),
  'JSON of Python': json(secret).replace('é', '\\u00e9'),
  '.env': secret.replace(/[\\"$]/g, '\\$&'),
  Compose: secret.replaceAll('$', '$$$$'),
  'a shell': `it'\\''s ${secret.slice(5)}`,
  'a shell with both quotes': `it'"'"'s ${secret.slice(5)}`,
  'YAML and SQL': secret.replaceAll("'", "''"),
  'a URL': encodeURIComponent(secret),
  'a URL in small letters': encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase()),
  'a query': encodeURIComponent(secret).replaceAll('%20', '+'),
  'a URL of Python': 'it%27s%20%22a%2Fb%22%3F%26%C3%A9%24%3Ck%3E%207%21',
  'HTML text': secret.replace('&', '&amp;').replace('<', '&lt;').replace('>', '&gt;'),
  'HTML of Go': 'it&#39;s &#34;a/b&#34;?&amp;é$&lt;k&gt; 7!',
  'HTML of Python': 'it&#x27;s &quot;a/b&quot;?&amp;é$&lt;k&gt; 7!',
  hex: bytes.toString('hex'),
  'hex in capitals': bytes.toString('hex').toUpperCase(),
  base64: base64('', ''),
  'base64 after a name': base64('me:', ''),
  'base64 after one byte': base64('a', ''),
  'base64 after two bytes': base64('ab', ''),
  'base64 before a text': base64('user:', ':rest'),
  base64url: bytes.toString('base64url'),
  'base64url after a name': Buffer.from(`admin:${secret}`).toString('base64url'),
};

for (const [name, text] of Object.entries(texts)) {
  test(`masks a secret written as ${name}`, () => {
    const shown = maskSecrets(`<<${text}>>`, maskedTexts([secret]).own);
    // In unaligned base64 the bytes beside the secret change a character at each end.
    assert.match(shown, /^<<[\w+/=-]{0,10}•••[\w+/=-]{0,10}>>$/, shown);
  });
}

test('masks no code that is too short to be found by chance only', () => {
  const masked = maskedTexts(['abc', 'abcd']).own;
  assert.deepEqual([...masked].sort(), ['616263', '61626364', 'ABC', 'ABCD', 'YWJjZA', 'abc', 'abcd']);
});

test('finds a secret that is no well-formed text', () => {
  const broken = 'a\ud800b/c';
  assert.equal(maskSecrets('x/?p=a%EF%BF%BDb%2Fc', maskedTexts([broken]).own), 'x/?p=•••');
});
