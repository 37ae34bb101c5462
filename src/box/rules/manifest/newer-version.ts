/** A version: numbers, optionally followed by a word such as `rc` and further numbers. */
type Version = { numbers: string[]; word: string; wordNumbers: string[] };

const beforeRelease = ['dev', 'snapshot', 'nightly', 'a', 'alpha', 'b', 'beta', 'pre', 'preview', 'c', 'rc'];
const form = /^v?(\d+(?:[._-]\d+)*)(?:[._-]?([a-z]+)[._-]?(\d+(?:[._-]\d+)*)?)?$/;

type Known = { manifest: { version: string } | null };

/** The bundled version if it is newer than the installed one, else `null`. choice/box/302 */
export function newerVersion(installed: Known, bundled: Known | null | undefined): string | null {
  const version = bundled?.manifest?.version;
  if (version === undefined || installed.manifest === null) return null;
  return isNewerVersion(version, installed.manifest.version) ? version : null;
}

/**
 * Whether one version of an app is newer than another. Numbers are compared part by part, so dates are compared too. A
 * version with a word such as `beta` or `rc` precedes the same one without it. With any other word, such as `alpine`,
 * versions are compared only if both have it. Versions that cannot be compared are not newer. choice/box/302
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

/** The position among the words before a release, which comes last; `null` for any other word. */
function rankOf({ word }: Version): number | null {
  if (word === '') return beforeRelease.length;
  const rank = beforeRelease.indexOf(word);
  return rank === -1 ? null : rank;
}

/** Positive if `a` is larger; missing parts count as 0. */
function compare(a: readonly string[], b: readonly string[]): number {
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    const [x, y] = [BigInt(a[index] ?? 0), BigInt(b[index] ?? 0)];
    if (x !== y) return x > y ? 1 : -1;
  }
  return 0;
}
