import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFeedAddress } from './feed-address.ts';

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
