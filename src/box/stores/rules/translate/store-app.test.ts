import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isNewerVersion } from '../../../rules/manifest/newer-version.ts';
import { storeVersion } from './store-app.ts';

const texts: [version: string, counters: number[], text: string][] = [
  ['3.0.5', [134, 1], '3.0.5-r134.1'],
  ['v0.10.1', [29, 1], 'v0.10.1-r29.1'],
  ['2026.07.2', [1], '2026.07.2-r1'],
  ['33-apache', [35, 1], '33-r35.1+33-apache'],
  ['latest', [6, 1], '0-r6.1+latest'],
  ['0.0.0-version-169e669f', [1], '0.0.0-r1+0.0.0-version-169e669f'],
  ['a b/c', [1], '0-r1+a-b-c'],
  [' ', [1], '0-r1'],
  ['', [0, 1], '0-r0.1'],
];

for (const [version, counters, text] of texts) {
  test(`version ${JSON.stringify(version)} with ${counters.join('.')} becomes ${text}`, () => {
    assert.equal(storeVersion(version, counters), text);
  });
}

const later: [what: string, newer: string, older: string][] = [
  ['a newer version', storeVersion('3.1', [1]), storeVersion('3.0.9', [1])],
  ['the same version, changed in the store', storeVersion('3.0', [135, 1]), storeVersion('3.0', [134, 7])],
  ['the same version, mended in the translation', storeVersion('3.0', [134, 2]), storeVersion('3.0', [134, 1])],
  ['a version that is no number', storeVersion('latest', [7, 1]), storeVersion('latest', [6, 1])],
  ['a number after a word', storeVersion('1.0', [8, 1]), storeVersion('latest', [7, 1])],
  ['a version with another word', storeVersion('34-fpm', [36, 1]), storeVersion('33-apache', [35, 1])],
];

for (const [what, newer, older] of later) {
  test(`${what} arrives as an update: ${newer} after ${older}`, () => {
    assert.ok(isNewerVersion(newer, older));
    assert.ok(!isNewerVersion(older, newer));
  });
}

test('an app of a store never updates one of another kind of catalogue', () => {
  assert.ok(!isNewerVersion(storeVersion('9.0', [1]), '1.0'));
  assert.ok(!isNewerVersion('9.0', storeVersion('1.0', [1])));
});
