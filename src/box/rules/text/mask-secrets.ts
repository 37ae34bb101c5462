import { isCommonText } from './common-words.ts';
import { spellings } from './spellings.ts';

/** Masking shorter secrets would hide ordinary words. */
const shortestMasked = 3;
/** Masking shorter secrets of one app would hide words in the texts of the others. */
const shortestElsewhere = 4;
/** No app needs more. The limits are for a file that is made to keep the box busy. */
const mostParts = 500;
const mostCharacters = 256 * 1024;
const mostComparisons = 2 ** 30;

/** Replace a text that may hold secrets. */
export const unshownText = 'its words are not shown, because the secrets of the apps are too many to look for in them';
export const unshownOwnText =
  "its words are not shown, because the app's .env has more secrets than the box looks for: 500 lines in 128 KiB";

/** The spellings of one app's secrets that are masked. */
export type Masked = {
  /** In the app's own texts. */
  own: readonly string[];
  /** In all other texts: without secrets that other texts contain by chance. */
  elsewhere: readonly string[];
  /** There are more secrets than can be looked for, so that no text about the app can be shown. */
  isCut: boolean;
};

/**
 * All texts to mask for these secrets: each secret and each line of it, in all spellings. Lines also end at `\r` and
 * are trimmed, because `toolLines` splits a text in this way before masking.
 */
export function maskedTexts(secrets: Iterable<string>): Masked {
  const { parts, isCut } = partsOf(secrets);
  const own = parts.map((part) => ({ part, forms: spellings(part).filter(({ length }) => length >= shortestMasked) }));
  const elsewhere = own.filter(({ part }) => part.length >= shortestElsewhere && !isCommonText(part));
  return { own: formsIn(own), elsewhere: formsIn(elsewhere), isCut };
}

function formsIn(all: readonly { forms: readonly string[] }[]): string[] {
  return [...new Set(all.flatMap(({ forms }) => forms))];
}

function partsOf(secrets: Iterable<string>): { parts: string[]; isCut: boolean } {
  const parts = new Set<string>();
  let left = mostCharacters;
  for (const secret of secrets) {
    const lines = secret.length > left ? [] : secret.split(/[\r\n]/).map((line) => line.trim());
    for (const part of [secret, ...lines]) {
      if (parts.has(part) || part === '') continue;
      left -= part.length;
      if (left < 0 || parts.size === mostParts) return { parts: [...parts], isCut: true };
      parts.add(part);
    }
  }
  return { parts: [...parts], isCut: false };
}

/**
 * A text from outside with every secret in it masked, because Compose quotes what it cannot read.
 * should/box/17
 */
export function maskSecrets(text: string, masked: readonly string[]): string {
  if (masked.length * text.length > mostComparisons) return unshownText;
  const found = masked.filter((form) => text.includes(form)).sort((a, b) => b.length - a.length);
  return found.reduce((shown, form) => shown.replaceAll(form, '•••'), text);
}
