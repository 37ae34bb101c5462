/** A version as an app's author writes it: numbers, then perhaps a word such as `rc` with numbers of its own. */
type Version = { numbers: string[]; word: string; wordNumbers: string[] };

/** Words of versions that come before their release, in their order. */
const beforeRelease = ['dev', 'snapshot', 'nightly', 'a', 'alpha', 'b', 'beta', 'pre', 'preview', 'c', 'rc'];
const form = /^v?(\d+(?:[._-]\d+)*)(?:[._-]?([a-z]+)[._-]?(\d+(?:[._-]\d+)*)?)?$/;

/**
 * Whether one version of an app is newer than another. Numbers are compared as numbers, part by part, so that dates are
 * compared too; a version with a word such as `beta` or `rc` comes before the same one without. With any other word,
 * such as `alpine`, versions are compared only if both have it. Versions that cannot be compared are not newer.
 * choice/box/302
 */
export function isNewerVersion(version: string, installed: string): boolean {
  const a = parse(version);
  const b = parse(installed);
  if (a === null || b === null) return false;
  const [rankA, rankB] = [rankOf(a), rankOf(b)];
  if ((rankA === null || rankB === null) && a.word !== b.word) return false;
  const difference =
    compare(a.numbers, b.numbers) || (rankA ?? 0) - (rankB ?? 0) || compare(a.wordNumbers, b.wordNumbers);
  return difference > 0;
}

function parse(text: string): Version | null {
  const match = form.exec(text.trim().toLowerCase().split('+', 1).join(''));
  if (match === null) return null;
  const [, numbers = '', word = '', wordNumbers = '0'] = match;
  return { numbers: numbers.split(/[._-]/), word, wordNumbers: wordNumbers.split(/[._-]/) };
}

/** The place of a version's word among those before a release; a release is behind them, and any other word has none. */
function rankOf({ word }: Version): number | null {
  if (word === '') return beforeRelease.length;
  const rank = beforeRelease.indexOf(word);
  return rank === -1 ? null : rank;
}

/** Positive if `a` is larger; parts that are missing are 0. */
function compare(a: readonly string[], b: readonly string[]): number {
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    const difference = compareNumbers(a[index] ?? '0', b[index] ?? '0');
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Compares digits of any length: a number of JavaScript is exact for 15 of them. */
function compareNumbers(a: string, b: string): number {
  const [x, y] = [a, b].map((digits) => digits.replace(/^0+/, '')) as [string, string];
  if (x.length !== y.length) return x.length - y.length;
  if (x === y) return 0;
  return x > y ? 1 : -1;
}
