import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const root = new URL('../', import.meta.url);
const page = readFileSync(new URL('deploy/RELEASES.md', root), 'utf8');
const rows = page.split('\n').filter((line) => line.startsWith('| '));

/** The attacks that The Update Framework lists. */
const attacks = [
  'Arbitrary software installation',
  'Rollback attack',
  'Fast-forward attack',
  'Indefinite freeze attack',
  'Endless data attack',
  'Slow retrieval attack',
  'Extraneous dependencies attack',
  'Mix-and-match attack',
  'Wrong software installation',
  'Malicious mirrors preventing updates',
  'Vulnerability to key compromise',
];

for (const attack of attacks) {
  test(`${attack}: deploy/RELEASES.md names tests that exist`, () => {
    const row = rows.find((line) => line.startsWith(`| ${attack} |`)) ?? '';
    const files = [...row.matchAll(/`([^`]+\.test\.ts)`: ("[^"]+"(?:, "[^"]+")*)/g)];
    assert(files.length > 0);
    // Each backquoted test file has titles, so none is left out by the pattern above.
    assert.equal(files.length, row.match(/\.test\.ts`/g)?.length);
    for (const [, file = '', titles = ''] of files) {
      const url = new URL(file, root);
      assert(existsSync(url), file);
      const text = readFileSync(url, 'utf8');
      for (const [, title = ''] of titles.matchAll(/"([^"]+)"/g)) {
        assert(text.includes(title), `${file}: ${title}`);
      }
    }
  });
}
