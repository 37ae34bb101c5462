import type { Setting } from '../manifest/manifest.ts';

/** Words that are also part of other words (`MONKEY`, `COMPASS`) count only as a whole word of a name. */
const secretWord = /^(?:pass|key|apikey)s?$/;
const secretEnding = /(?:password|passwd|passphrase|passcode|secret|token|credential|pwd)s?$/;

const wholeValue = /^(?:placeholder|todo|fixme|x{3,}|secret|password|(?:please )?(?:change|replace) (?:me|this|it))$/;
/** A list in JSON is a value. */
const forms = [/^<.+>$/s, /^\[\s*[^\s"'{].*\]$/s, /^\{\{.+\}\}$/s, /^__.+__$/s, /^your[-_]./s];

const noun = 'pass|password|passwd|passphrase|passcode|pwd|secret|token|key|credentials?|salt|value|string';
const adjective = 'an?|the|my|new|own|api|random|long|strong|secure|unique';
const object = `me|this|it|in|with|your|here|${noun}`;
/** No two series of these words make the same text, so a failed match takes linear time. */
const order = new RegExp(
  '^(?:please[-_]*)?(?:change|replace|insert|enter|generate|set|put|fill)[-_]*' +
    `(?:(?:${adjective})[-_]*)*(?:${object})(?:${object}|${adjective}|to|now|please)*(?![a-z])`,
);

/** Whether a value is an order to the owner instead of a secret. Takes linear time. choice/box/94 */
export function isPlaceholder(value: string): boolean {
  const text = value.trim();
  const lower = text.toLowerCase();
  if (wholeValue.test(lower) || forms.some((form) => form.test(lower))) return true;
  // An owner may choose a sentence.
  if (/\s/.test(text)) return false;
  return order.test(lower) || order.test(text.replace(/[a-z](?=[A-Z])/g, '$&-').toLowerCase());
}

/** Whether a key marks its value as a secret. Words end at `_` and where lower case becomes upper. choice/box/94 */
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
