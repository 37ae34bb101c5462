import type { Setting } from '../manifest/manifest.ts';

/** Words that are also part of other words (`MONKEY`, `COMPASS`) count only as a whole word of a name. */
const secretWord = /^(?:pass|key|apikey)s?$/;
const secretEnding = /(?:password|passwd|passphrase|passcode|secret|token|credential|pwd)s?$/;

const wholeValue = /^(?:placeholder|todo|fixme|x{3,}|secret|password)$/;
const beginning = /^(?:change|replace)[-_ ]?(?:me|this|it)/;
const forms = [/^<.+>$/s, /^\{\{.+\}\}$/s, /^__.+__$/s, /^your[-_]./s];

/** Whether a value is a packager's placeholder for a secret. choice/box/94 */
export function isPlaceholder(value: string): boolean {
  const text = value.trim().toLowerCase();
  return wholeValue.test(text) || beginning.test(text) || forms.some((form) => form.test(text));
}

/**
 * Whether a key's name marks its value as a secret. Words end at `_`, and between lower and upper case. choice/box/94
 */
export function namesSecret(key: string): boolean {
  const words = key
    .replace(/([a-z0-9])(?=[A-Z])/g, '$1_')
    .toLowerCase()
    .split(/[_\d]+/);
  return words.some((word) => secretWord.test(word) || secretEnding.test(word));
}

/** The keys of secrets that hold a placeholder, in order. choice/box/94 */
export function placeholderKeys(
  values: ReadonlyMap<string, string>,
  settings: readonly Pick<Setting, 'name' | 'type'>[],
): string[] {
  const isSecret = secretKeys(settings);
  return [...values].filter(([key, value]) => isSecret(key) && isPlaceholder(value)).map(([key]) => key);
}

/** Returns a function that recognizes keys of secrets: password settings, and names that mark a secret. */
export function secretKeys(settings: readonly Pick<Setting, 'name' | 'type'>[]): (key: string) => boolean {
  const passwords = new Set(settings.filter(({ type }) => type === 'password').map(({ name }) => name));
  return (key) => passwords.has(key) || namesSecret(key);
}
