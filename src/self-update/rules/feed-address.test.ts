import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addressFrom, isFeedAddress, mayBeUnsigned } from './feed-address.ts';

const cases: [string, boolean][] = [
  ['https://example.org/feed.json', true],
  ['file:///srv/feed.json', true],
  ['http://127.0.0.1:9000/feed.json', true],
  ['http://localhost/feed.json', true],
  ['http://[::1]:80/feed.json', true],
  ['http://example.org/feed.json', false],
  ['http://127.0.0.1.example.org/', false],
  ['ftp://example.org/feed.json', false],
  ['feed.json', false],
  ['', false],
];
for (const [address, expected] of cases) {
  test(`${expected ? 'takes' : 'refuses'} ${address || 'an empty text'}`, () =>
    assert.equal(isFeedAddress(address), expected));
}

describe('choice/box/139: without a signed statement', () => {
  for (const [address, expected] of [
    ['file:///srv/feed.json', true],
    ['http://127.0.0.1:9000/feed.json', true],
    ['https://127.0.0.1/feed.json', false],
    ['https://example.org/feed.json', false],
    ['feed.json', false],
  ] as const) {
    test(`${address} ${expected ? 'may' : 'may not'} be`, () => assert.equal(mayBeUnsigned(address), expected));
  }
});

describe('choice/box/137: an address that a feed names', () => {
  const cases: [string, string, string | null][] = [
    ['https://example.org/a/release.json', 'b.tar.gz', 'https://example.org/a/b.tar.gz'],
    ['https://example.org/release.json', 'https://cdn.example.net/b', 'https://cdn.example.net/b'],
    ['https://example.org/release.json', '//cdn.example.net/b', 'https://cdn.example.net/b'],
    ['https://example.org/release.json', 'http://example.org/b', null],
    ['https://example.org/release.json', 'http://127.0.0.1/b', null],
    ['https://example.org/release.json', 'file:///etc/shadow', null],
    ['https://example.org/release.json', 'https://user@example.org/b', null],
    ['https://example.org/release.json', 'https://:secret@example.org/b', null],
    ['https://example.org/release.json', 'https://', null],
    ['http://127.0.0.1:80/release.json', 'b.tar.gz', 'http://127.0.0.1/b.tar.gz'],
    ['http://127.0.0.1/release.json', 'https://example.org/b', 'https://example.org/b'],
    ['http://127.0.0.1/release.json', 'http://example.org/b', null],
    ['http://127.0.0.1/release.json', 'file:///etc/shadow', null],
    ['file:///srv/release.json', 'b.tar.gz', 'file:///srv/b.tar.gz'],
    ['file:///srv/release.json', 'https://example.org/b', 'https://example.org/b'],
    ['file:///srv/release.json', 'http://localhost/b', 'http://localhost/b'],
    ['file:///srv/release.json', 'http://example.org/b', null],
    ['file:///srv/release.json', 'ftp://example.org/b', null],
    ['no address', 'https://example.org/b', null],
  ];
  for (const [from, named, expected] of cases) {
    test(`${named} at ${from} ${expected === null ? 'is refused' : `is ${expected}`}`, () =>
      assert.equal(addressFrom(from, named)?.href ?? null, expected));
  }
});
