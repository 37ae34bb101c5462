// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of Compose, not of JavaScript.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { holds } from '../../../lib/testing/holds.ts';
import { changedKeys, formatDotenvValue, ignoredKeysText, mergeDotenv, readDotenv } from './dotenv.ts';

const read = (text: string) => Object.fromEntries(readDotenv(text));
const merge = (text: string, values: Record<string, string>) => mergeDotenv(text, new Map(Object.entries(values)));

/** Rows: title, text, the values that Compose's own parser reads. */
const readings: [string, string, Record<string, string>][] = [
  ['an empty file', '', {}],
  ['plain values', 'A=1\nB=two words\nC=a=b=c\n', { A: '1', B: 'two words', C: 'a=b=c' }],
  ['an empty value is a value', 'A=\nB=""\nC=\'\'\nD= \n', { A: '', B: '', C: '', D: '' }],
  ['no final newline', 'A=1', { A: '1' }],
  ['comments and blank lines', '# c\n\n  # d\nA=1\n#B=2\n', { A: '1' }],
  [
    'a comment after a value needs a blank before it',
    'A=1 # c\nB=1#c\nC="1"#c\nD= #c\n',
    { A: '1', B: '1#c', C: '1', D: '#c' },
  ],
  ['blanks around key and value', '  A = 1 \n\tB=\t2\t\n', { A: '1', B: '2' }],
  ['export', 'export A=1\nexport  B=2\nexported=3\nexport=4\n', { A: '1', B: '2', exported: '3', export: '4' }],
  ['YAML style', 'A: 1\nB: "2"\nC:3\nD:a=b\n', { A: '1', B: '2', C: '3', D: 'a=b' }],
  ['a key alone has no value of its own', 'A\nB=1\nexport C\nD', { B: '1' }],
  ['a key alone leaves an earlier value', 'A=1\nA\n', { A: '1' }],
  ['double quotes', 'A="x y"\nB="#"\nC="a\'b"\n', { A: 'x y', B: '#', C: "a'b" }],
  ['escapes in double quotes', `${String.raw`A="a\nb\tc\rd\"e\\f\$g"`}\n`, { A: 'a\nb\tc\rd"e\\f$g' }],
  ['rare escapes', `${String.raw`A="\a\b\f\v\c\x\0101\012\0\0777"`}\n`, { A: '\u0007\b\f\v\\c\\xA\\12\\\\777' }],
  ['several lines in quotes', 'A="a\nb"\nB=\'c\nd\'\n', { A: 'a\nb', B: 'c\nd' }],
  ['single quotes are literal', `${String.raw`A='a\nb$C\\"'`}\n`, { A: String.raw`a\nb$C\\"` }],
  ['an escaped quote in single quotes', `${String.raw`A='it\'s'`}\n`, { A: "it's" }],
  ['no escapes in plain values', `${String.raw`A=a\nb\"`}\n`, { A: String.raw`a\nb\"` }],
  ['quotes inside a plain value', 'A=a"b"\n', { A: 'a"b"' }],
  ['two statements on a line', 'A="1" B=2\n', { A: '1', B: '2' }],
  ['CRLF', 'A=1\r\nB="2"\r\nC=\r\n', { A: '1', B: '2', C: '' }],
  ['a byte-order mark', '\uFEFFA=1\n', { A: '1' }],
  ['of duplicates the last', 'A=1\nA=2\n', { A: '2' }],
  ['odd keys', 'a.b=1\nc-d=2\nü=3\nx[0]=4\n1=5\n', { 'a.b': '1', 'c-d': '2', ü: '3', 'x[0]': '4', 1: '5' }],
  ['Unicode', 'A=größe 日本\n', { A: 'größe 日本' }],
  [
    'a key named like a property of every object',
    '__proto__=1\nconstructor=2\n',
    JSON.parse('{"__proto__":"1","constructor":"2"}'),
  ],
  ['variables of the same file', 'A=1\nB=$A\nC="${A}2"\nD=\'$A\'\n', { A: '1', B: '1', C: '12', D: '$A' }],
  ['a variable that is not there, or later', 'A=[$B]\nB=1\n', { A: '[]', B: '1' }],
  [
    'dollars that are no variables',
    'A=$$B\nB=$1\nC=5$\nD="\\$A"\nE=a$ b\n',
    { A: '$B', B: '$1', C: '5$', D: '$A', E: 'a$ b' },
  ],
  ['defaults', 'E=\nA=${X-1}${X:-2}${E-3}${E:-4}\n', { E: '', A: '124' }],
  ['replacements', 'E=\nY=y\nA=${X+1}${E+2}${E:+3}${Y:+4}\n', { E: '', Y: 'y', A: '24' }],
  ['demands that are met', 'Y=y\nE=\nA=${Y?no}${Y:?no}${E?no}\n', { Y: 'y', E: '', A: 'yy' }],
  ['nested defaults', 'Y=y\nA=${X:-${Y}-${Z-z}}!\n', { Y: 'y', A: 'y-z!' }],
  ['a brace that never closes before one that does', 'A=1\nB=${A-]${C}2\n', { A: '1', B: '12' }],
  ['braces inside a default', 'A=${X-{}y}z}\n', { A: '{}y}z' }],
  ['several on a line', 'A=${X:-a} and ${Y:-b} and ${Z}\n', { A: 'a and b and ' }],
];

for (const [title, text, values] of readings) {
  test(`choice/box/78: reads ${title}`, () => assert.deepEqual(read(text), values));
}

/** Compose refuses each of these files. The box ignores the faulty line and reads the others. */
const misfits: [string, string][] = [
  ['words', 'this is not a line\n'],
  ['a key with a blank', 'A B=1\n'],
  ['a character that no key has', 'A!=1\n'],
  ['JSON', '{"a": 1}\n'],
  ['a quote that never ends', 'A="1\n'],
  ['a single quote that ends in a backslash', "A='1\\'\n"],
  ['a variable that is none', 'A=${}\n'],
  ['a brace that never closes', 'A=${B\n'],
  ['a default that never closes', 'A=${B:-c\n'],
  ['a default that never closes before one that does', 'A=${B:-${C}\n'],
  ['defaults that nest too deeply', `A=${'${B:-'.repeat(60)}${'}'.repeat(60)}\n`],
  ['a demand that is not met', 'A=${B?}\n'],
  ['a demand inside a default that is not met', 'A=${B:-${C:?}}\n'],
  ['a demand after a variable that is not met', 'A=${B:-x}${C:?}\n'],
];

for (const [title, line] of misfits) {
  test(`choice/box/78: ignores and keeps ${title}`, () => {
    const text = `Y=1\n${line}Z=2\n`;
    assert.deepEqual(read(text), { Y: '1', Z: '2' });
    assert.equal(merge(text, { Z: '3' }), `Y=1\n${line}Z=3\n`);
  });
}

/** Rows: title, text, merged values, resulting text. */
const merges: [string, string, Record<string, string>, string][] = [
  ['an empty file', '', { A: '1' }, 'A=1\n'],
  ['nothing', '# c\nA=1', {}, '# c\nA=1'],
  ['keeps keys it was not given', 'A=1\nB=2\n', { B: '3' }, 'A=1\nB=3\n'],
  [
    'keeps comments, blank lines and order',
    '# a\n\nB=1 # b\n# c\nA=2\n',
    { A: '3', B: '4' },
    '# a\n\nB="4" # b\n# c\nA=3\n',
  ],
  ['puts new keys at the end', 'A=1\n', { C: '3', B: '2' }, 'A=1\nC=3\nB=2\n'],
  ['ends a last line first', 'A=1', { B: '2' }, 'A=1\nB=2\n'],
  ['keeps CRLF', '# c\r\nA=1\r\n', { A: '2', B: '3' }, '# c\r\nA=2\r\nB=3\r\n'],
  [
    'keeps CRLF behind empty values',
    'A=\r\nB: \r\nC= \t\r\nD=',
    { A: '1', B: '2', C: 'x y', D: '4' },
    'A=1\r\nB: 2\r\nC= \t"x y"\r\nD=4',
  ],
  ['keeps a byte-order mark', '\uFEFFA=1\n', { A: '2' }, '\uFEFFA=2\n'],
  ['keeps export and YAML style', 'export A=1\nB: 2\nC = 3\n', { A: 'x', B: 'y', C: 'z' }, 'export A=x\nB: y\nC = z\n'],
  ['leaves a line that says so already', "A='1'\nB=${A}\n", { A: '1', B: '1' }, "A='1'\nB=${A}\n"],
  ['changes the last of duplicates', 'A=1\nA=2\n', { A: '3' }, 'A=1\nA=3\n'],
  ['gives a key alone its value', 'export A\nB', { A: '1', B: '2' }, 'export A=1\nB=2'],
  ['replaces a value of several lines', 'A="a\nb"\nB=1\n', { A: 'c' }, 'A=c\nB=1\n'],
  ['replaces one of two statements on a line', 'A="1" B=2\n', { A: '', B: '3' }, 'A="" B=3\n'],
  ['empties a value', 'A=1\nB=1 # c\n', { A: '', B: '' }, 'A=\nB="" # c\n'],
  ['repairs the line of a key that was given', 'A="1\nB=2\n', { A: '3' }, 'A=3\nB=2\n'],
  ['writes a value that another change would alter', 'A=1\nB=$A\n', { A: '2', B: '1' }, 'A=2\nB=1\n'],
  ['makes a comment of a quote that would swallow a value', 'A="1\nB=2\n', { B: 'x y' }, '# A="1\nB="x y"\n'],
];

for (const [title, text, values, merged] of merges) {
  test(`should/box/76: merge: ${title}`, () => {
    assert.equal(merge(text, values), merged);
    assert.equal(merge(merged, values), merged);
  });
}

test("choice/box/78: a variable of Compose's own environment comes before a key of the file", () => {
  const environment = new Map([
    ['HOME', '/root'],
    ['PWD', '/apps/notes'],
    ['EMPTY', ''],
  ]);
  const text = 'HOME=/mine\nEMPTY=x\nA=${HOME}/a\nB="$PWD/b"\nC=[${EMPTY}]\nD=\'$HOME\'\nE=${EMPTY:-e}\n';
  const values = readDotenv(text, environment);
  const seen = { A: '/root/a', B: '/apps/notes/b', C: '[]', D: '$HOME', E: 'e' };
  assert.deepEqual(Object.fromEntries(values), { HOME: '/mine', EMPTY: 'x', ...seen });
  assert.equal(mergeDotenv(text, values, environment), text);
  assert.match(mergeDotenv(text, new Map([['A', '/a']]), environment), /\nA=\/a\nB="\$PWD\/b"\n/);
});

test('choice/box/78: writes a value plain when it needs no quotes, else in double quotes', () => {
  assert.equal(formatDotenvValue(''), '');
  assert.equal(formatDotenvValue('https://a.b:8080/c?d&e'), 'https://a.b:8080/c?d&e');
  assert.equal(formatDotenvValue('p@ss!w\u00f6rd'), 'p@ss!w\u00f6rd');
  assert.equal(formatDotenvValue('a`b'), '"a`b"');
  assert.equal(formatDotenvValue('a_b-c.d/e:f@g%h+i,j=k'), 'a_b-c.d/e:f@g%h+i,j=k');
  assert.equal(formatDotenvValue('a b#c'), '"a b#c"');
  assert.equal(formatDotenvValue('"\\$x\n\r\t'), '"\\"\\\\\\$x\\n\\r\t"');
  assert.equal(formatDotenvValue("it's"), '"it\'s"');
});

test('ignores a value that its variables make too large, and reads the others', () => {
  const doubling = Array.from({ length: 40 }, (_, index) => `K${index + 1}=$K${index}$K${index}\n`);
  const { K1, K40, Z } = read(`K0=x\n${doubling.join('')}Z=1\n`);
  assert.deepEqual([K1, K40, Z], ['xx', undefined, '1']);
});

test('refuses a key that would be read as another key', () => {
  for (const key of ['', 'A B', 'A=B', 'A\n', '#A']) assert.throws(() => merge('', { [key]: '1' }), /no key/);
});

const writable = fc.string({ unit: 'grapheme' }).filter((value) => value.isWellFormed());
const awkward = fc
  .array(
    fc.constantFrom(
      '\\',
      '"',
      "'",
      '$',
      '$$',
      '${A}',
      '\n',
      '\r',
      ' ',
      '#',
      ' #',
      '=',
      'a',
      '\t',
      '\\n',
      '\u2028',
      '}',
      '😀',
    ),
  )
  .map((parts) => parts.join(''));
const value = fc.oneof(writable, awkward);
const key = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,3}$/);
const entries = fc.array(fc.tuple(key, value), { maxLength: 5 }).map((pairs) => new Map(pairs));
const line = fc.oneof(
  fc.tuple(key, value).map(([name, text]) => `${name}=${text}`),
  fc.tuple(key, value).map(([name, text]) => `${name}=${formatDotenvValue(text)}`),
  awkward,
  fc.constantFrom('# a comment', '', 'A="', "B='", 'export C=1', 'D: 2', 'E', '"', "'", 'F="1" G=2'),
);
const file = fc
  .tuple(fc.array(line, { maxLength: 8 }), fc.constantFrom('\n', '\r\n'))
  .map(([lines, end]) => lines.join(end));

test('choice/box/78: any values are read back exactly', () => {
  holds(fc.property(entries, (values) => assert.deepEqual(readDotenv(mergeDotenv('', values)), values)));
});

test('should/box/76: with any file, merged values are read back exactly and a second merge changes nothing', () => {
  holds(
    fc.property(file, entries, (text, values) => {
      const merged = mergeDotenv(text, values);
      const found = readDotenv(merged);
      for (const [name, expected] of values) assert.equal(found.get(name), expected);
      assert.equal(mergeDotenv(merged, values), merged);
    }),
    { numRuns: 1000 },
  );
});

test('should/box/76: keeps every unchanged line, in order', () => {
  const plain = fc.oneof(
    fc.tuple(key, value).map(([name, text]) => `${name}=${formatDotenvValue(text)}`),
    fc.constantFrom('# a comment', '', '  # indented', 'not a line!', 'export X1=1 # c'),
  );
  holds(
    fc.property(fc.array(plain, { maxLength: 8 }), entries, (lines, values) => {
      const merged = mergeDotenv(lines.map((text) => `${text}\n`).join(''), values).split('\n');
      const others = lines.filter((text) => !values.has(/^(?:export )?([A-Za-z0-9_]+)=/.exec(text)?.[1] ?? ''));
      let from = 0;
      for (const text of others) from = merged.indexOf(text, from) + 1 || assert.fail(`lost: ${text}`);
    }),
  );
});

test('reads and writes a megabyte of blanks, and very many keys, in time', () => {
  const blanks = ' '.repeat(1_000_000);
  assert.equal(readDotenv(`A=a${blanks}b`).get('A'), `a${blanks}b`);
  assert.equal(readDotenv(`A${'\t'.repeat(1_000_000)}\u0001=1\nB=2`).get('B'), '2');
  const all = (value: string) => new Map(Array.from({ length: 60_000 }, (_, index) => [`K${index}`, value]));
  assert.deepEqual(readDotenv(mergeDotenv(mergeDotenv('', all('1')), all('a b'))), all('a b'));
});

test('names the keys that would choose other files', () => {
  const text = (env: string) => ignoredKeysText(readDotenv(env), '.env');
  assert.equal(
    text('COMPOSE_FILE=a.yaml:b.yaml\n'),
    'COMPOSE_FILE in .env has no effect: the box uses compose.yaml, its override and .env',
  );
  assert.match(text('COMPOSE_ENV_FILES=x\nCOMPOSE_FILE=y\n') ?? '', /^COMPOSE_FILE, COMPOSE_ENV_FILES in \.env has /);
  assert.equal(text('COMPOSE_FILE=\nCOMPOSE_PROFILES=x\nCOMPOSE_PROJECT_NAME=y\n'), null);
});

test('names the keys whose values differ, without values', () => {
  const before = 'A=1\nB=2\nGONE=3\nALSO_GONE=4\nSAME=5\n';
  const after = '# other words\nSAME="5"\nB=22\nA=11\nNEW=6\n';
  assert.equal(changedKeys(before, after), 'changed B, A; added NEW; removed GONE, ALSO_GONE');
  assert.equal(changedKeys('A=1\n', 'A=2\n'), 'changed A');
});

test('is empty if only comments and order differ', () => {
  assert.equal(changedKeys('A=1\nB=2\n', '# new\nB=2\nA=1\n'), '');
});
