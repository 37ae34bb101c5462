import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { statementWith } from '../testing/publisher.ts';
import { judgeStatement } from './statement.ts';
import { UpdateFailed } from './update-failed.ts';

const entry = { url: 'a.tar.gz', sha256: 'ab'.repeat(32), signature: '', size: 1000 };
const release = { version: '2.0.0', archives: { 'linux-x64': entry }, keyChanges: [] };
const at = (now: string) => ({ release, platform: 'linux-x64', entry, now: new Date(now) });
const today = at('2026-03-02T10:00:00Z');

describe('choice/box/139: a statement', () => {
  test('says what it vouches for', () => {
    assert.deepEqual(judgeStatement(statementWith({ later: 1 }), today), {
      version: '2.0.0',
      sha256: 'ab'.repeat(32),
      size: 1000,
      unpackedSize: 4000,
      issued: new Date('2026-03-01T10:00:00Z'),
      expires: new Date('2026-09-01T10:00:00Z'),
      changelog: 'https://example.org/changelog',
      storeSchema: 7,
    });
  });

  test('may have no changelog, and then the feed may have no size', () => {
    const { size: _, ...unsized } = entry;
    const statement = statementWith({ changelog: undefined });
    const { changelog } = judgeStatement(statement, { ...today, entry: unsized });
    assert.equal(changelog, null);
  });

  const wrong: [string, Record<string, unknown>, RegExp][] = [
    ['of another kind', { type: 'key' }, /type "key" instead of "release"/],
    ['of a foreign product', { product: 'other' }, /"other" instead of "boxgate"/],
    ['whose product is an object', { product: { toString: 1, valueOf: 1 } }, /product/],
    ['without a product', { product: undefined }, /product/],
    ['for another platform', { platform: 'arm64' }, /"arm64" instead of "linux-x64"/],
    ['of an old version', { version: '1.0.0' }, /differ in version/],
    ['with the digest of another archive', { sha256: 'cd'.repeat(32) }, /differ in sha256/],
    ['with the size of another archive', { size: 999 }, /differ in size/],
  ];
  for (const [title, fields, message] of wrong) {
    test(`is refused ${title}`, () => {
      assert.throws(() => judgeStatement(statementWith(fields), today), { message });
    });
  }

  const malformed: [field: string, title: string, value: unknown][] = [
    ['version', 'without a version', 2],
    ['version', 'with a version that is none', 'new'],
    ['sha256', 'with a short digest', 'ab'],
    ['sha256', 'with a digest that is a number', 7],
    ['size', 'with the size 0', 0],
    ['unpacked_size', 'with half a byte', 1.5],
    ['unpacked_size', 'with a size that is a text', '4000'],
    ['unpacked_size', 'of more than 2 GiB', 2 ** 31 + 1],
    ['issued', 'without a date', undefined],
    ['expires', 'that never expires', null],
    ['changelog', 'with a plain HTTP changelog', 'http://example.org/'],
    ['changelog', 'with a script as changelog', 'javascript:alert(1)'],
    ['changelog', 'with a password in its changelog', 'https://a:b@x.org/'],
    ['changelog', 'with a user in its changelog', 'https://a@x.org/'],
    ['changelog', 'with a letter that addresses escape', 'https://x.org/ü'],
    ['changelog', 'with a relative changelog', 'notes.html'],
    ['changelog', 'with null as changelog', null],
    ['changelog', 'with an endless changelog', `https://x.org/${'x'.repeat(2000)}`],
    ['store_schema', 'without a schema', undefined],
    ['store_schema', 'with a negative schema', -1],
    ['store_schema', 'with a schema beyond reason', 1e7],
  ];
  for (const [field, title, value] of malformed) {
    test(`is refused ${title}`, () => {
      const message = new RegExp(`has no usable field ${field}$`);
      const judge = () => judgeStatement(statementWith({ [field]: value }), today);
      assert.throws(judge, { message });
    });
  }

  for (const text of ['', 'null', '[]', '"release"', '{', '{"type":'.repeat(200)]) {
    test(`is refused when it is no JSON object: ${text.slice(0, 20) || 'empty'}`, () => {
      assert.throws(() => judgeStatement(text, today), { message: /is not a JSON object$/ });
    });
  }

  test('is taken or refused with a reason, whatever its fields are', () => {
    const field = fc.constantFrom(...Object.keys(JSON.parse(statementWith())));
    fc.assert(
      fc.property(field, fc.jsonValue(), (name, value) => {
        try {
          judgeStatement(statementWith({ [name]: value }), today);
        } catch (error) {
          assert.ok(error instanceof UpdateFailed, String(error));
        }
      }),
    );
  });
});

describe('choice/box/139: the dates of a statement', () => {
  const cases: [string, RegExp | null, string][] = [
    ['on the day before the last one', null, '2026-08-31T10:00:00Z'],
    ['in its last second', null, '2026-09-01T10:00:00Z'],
    ['expired a second ago', / expired on /, '2026-09-01T10:00:01Z'],
    ['expired for years, or by a clock that is years ahead', / expired on /, '2036-03-02T10:00:00Z'],
    ['issued less than a day ahead of the clock', null, '2026-02-28T10:00:00Z'],
    ['not yet issued, by more than a day', /clock is wrong/, '2026-02-28T09:59:59Z'],
    ['not yet issued by a clock that begins with 1970', /clock is wrong/, '1970-01-01T00:00:00Z'],
  ];
  for (const [title, message, now] of cases) {
    test(`${message === null ? 'take' : 'refuse'} news ${title}`, () => {
      const judge = () => judgeStatement(statementWith(), at(now));
      if (message === null) assert.equal(judge().version, '2.0.0');
      else assert.throws(judge, { message });
    });
  }
});
