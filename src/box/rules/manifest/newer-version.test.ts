import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isNewerVersion, newerVersion } from './newer-version.ts';

const ascending = [
  ['numbers are compared as numbers', '1.9', '1.10', '1.11', '2', '10.0', '10.0.1'],
  ['a v before a version means nothing', 'v1.9.0', '1.9.1', 'V1.10.0', '1.11.0'],
  ['a version before its release', '1.4', '1.5.0-dev', '1.5.0-alpha', '1.5.0-alpha.2', '1.5.0-beta', '1.5.0'],
  ['candidates, joined and with a dot', '2.0.0b2', '2.0.0-rc1', '2.0.0-rc.2', '2.0.0rc10', '2.0.0', '2.0.1rc1'],
  ['dates', '2024-01-15', '2024.01.16', '2024-2-1', '2025.1'],
  ['dates without separators', '20231231', '20240101'],
  ['revisions of a package', '1.36.0', '1.36.0-1', '1.36.0-2', '1.36.0-10', '1.36.1-1'],
  ['the same word', '1.2.3-ls9', '1.2.3-ls45', '1.2.4-ls1'],
  ['the same word with a version of its own', '1.2.3-alpine3.9', '1.2.3-alpine3.19'],
  ['numbers of any length', '1.9007199254740992', '1.9007199254740993', '1.90071992547409930'],
];

for (const [title, ...versions] of ascending) {
  test(`choice/box/302: ${title}`, () => {
    for (const [at, older] of versions.entries()) {
      for (const newer of versions.slice(at + 1)) {
        assert.equal(isNewerVersion(newer, older), true, `${newer} after ${older}`);
        assert.equal(isNewerVersion(older, newer), false, `${older} before ${newer}`);
      }
    }
  });
}

test('choice/box/302: the same version in another spelling is not newer', () => {
  for (const [a, b] of [
    ['1.0', '1.0'],
    ['1.0', '1'],
    ['1.0.0', 'v1'],
    ['1.01', '1.1'],
    ['1.0+build.9', '1.0+build.1'],
    [' 1.0\n', '1.0'],
    ['1.0-rc', '1.0-rc0'],
  ] as const) {
    assert.equal(isNewerVersion(a, b), false, `${a} after ${b}`);
    assert.equal(isNewerVersion(b, a), false, `${b} after ${a}`);
  }
});

test('choice/box/302: versions that cannot be compared are not newer', () => {
  for (const other of [
    '',
    'latest',
    'stable',
    'release-9.9',
    '9.9-alpine',
    '9e1f3c2',
    '9.',
    '9..9',
    '9.9 beta',
    '-9',
    '９',
  ]) {
    assert.equal(isNewerVersion(other, '1.0'), false, other);
    assert.equal(isNewerVersion('1.0', other), false, other);
  }
});

test('compares long texts in time', () => {
  const long = `${'1.'.repeat(30_000)}1`;
  assert.equal(isNewerVersion(`${long}.1`, long), true);
  assert.equal(isNewerVersion(`${long}.`, long), false);
  assert.equal(isNewerVersion(`1${'+'.repeat(60_000)}`, '1'), false);
});

test('choice/box/302: an app has a newer version if both manifests can be read and that of the catalogue is newer', () => {
  const app = (version: string) => ({ manifest: { version } });
  assert.equal(newerVersion(app('1.0'), app('1.1')), '1.1');
  for (const bundled of [app('1.0'), { manifest: null }, null, undefined])
    assert.equal(newerVersion(app('1.0'), bundled), null);
  assert.equal(newerVersion({ manifest: null }, app('1.1')), null);
});
