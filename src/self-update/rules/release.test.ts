import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isNewer, parseRelease } from './release.ts';

const archive = { url: 'https://example.org/a.tar.gz', sha256: '00', signature: 'AA==' };

describe('parseRelease', () => {
  test('gives version and archives', () => {
    const text = JSON.stringify({ version: '1.2.0', archives: { 'linux-x64': archive }, notes: 'more' });
    assert.deepEqual(parseRelease(text), {
      ok: true,
      release: { version: '1.2.0', archives: { 'linux-x64': archive } },
    });
  });

  test('takes a feed that announces a version before its archives', () => {
    assert.equal(parseRelease('{"version": "1.2.0"}').ok, true);
  });

  const broken: [string, RegExp][] = [
    ['', /not a JSON object/],
    ['<html>', /not a JSON object/],
    ['[]', /not a JSON object/],
    ['null', /not a JSON object/],
    ['{}', /no semantic version/],
    ['{"version": 2}', /no semantic version/],
    ['{"version": "new"}', /no semantic version/],
    ['{"version": "1.0.0", "archives": []}', /an archive without/],
    ['{"version": "1.0.0", "archives": {"linux-x64": {"url": "x"}}}', /an archive without/],
    ['{"version": "1.0.0", "archives": {"linux-x64": null}}', /an archive without/],
  ];
  for (const [text, problem] of broken) {
    test(`says what is wrong with ${text || 'an empty feed'}`, () => {
      const verdict = parseRelease(text);
      assert.ok(!verdict.ok);
      assert.match(verdict.problem, problem);
    });
  }
});

describe('isNewer', () => {
  const cases: [string, string, boolean][] = [
    ['1.0.1', '1.0.0', true],
    ['1.0.0', '1.0.0', false],
    ['0.9.9', '1.0.0', false],
    ['1.10.0', '1.9.0', true],
    ['1.0.0-rc.1', '1.0.0', false],
    ['1.0.0', '1.0.0-rc.1', true],
  ];
  for (const [version, running, expected] of cases) {
    test(`${version} over ${running}: ${expected}`, () => assert.equal(isNewer(version, running), expected));
  }
});
