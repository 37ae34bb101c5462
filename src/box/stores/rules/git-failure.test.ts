import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gitFailure } from './git-failure.ts';

const end = { status: 128, stderrTail: '', notFound: false, timedOut: false, isIdle: false, isCut: false };
const rows: [found: Partial<typeof end>, sentence: RegExp][] = [
  [{ notFound: true }, /install the package git$/],
  [{ status: 127, stderrTail: 'sh: git: not found' }, /install the package git$/],
  [{ isCut: true }, /too many files/],
  [{ timedOut: true }, /takes too long/],
  [{ isIdle: true }, /takes too long/],
  [{ stderrTail: 'fatal: write error: No space left on device\nfatal: index-pack failed' }, /disk .* is full/],
  [{ stderrTail: 'fatal: index-pack died of signal 25' }, /too large/],
  [{ stderrTail: 'The requested URL returned error: 301' }, /leads to another one/],
  [{ stderrTail: "fatal: couldn't find remote ref HEAD" }, /or it is empty/],
  [{ stderrTail: 'remote: \u001b[31mboom\n\nfatal: odd\n' }, /^git says: fatal: odd$/],
  [{ stderrTail: '\n' }, /^git says: git ended with 128$/],
];

for (const [found, sentence] of rows) {
  test(`git that ends with ${JSON.stringify(found)} is told as ${sentence}`, () => {
    assert.match(gitFailure({ ...end, ...found }), sentence);
  });
}

test('git that is ended by a signal is told without a status', () => {
  assert.match(gitFailure({ ...end, status: null }), /ended with a signal$/);
});
