// Made where it is used: to know what a letter is would be a part of every start of the box.
const asksForChange = (text: string) =>
  /(?<!\p{L})(?:change|replace)[-_ ]?(?:me|this|it)(?!\p{L})/u.test(text);
const placeholders = [
  /^(?:placeholder|todo|fixme|x{3,})$/,
  /^<.+>$/s,
  /^\{\{.+\}\}$/s,
  /^__.+__$/s,
  /^your[-_].+$/s,
];

/**
 * Whether a value is what packagers write where the owner has to put a secret.
 * choice/box/93
 */
export function isPlaceholder(value: string): boolean {
  const text = value.trim().toLowerCase();
  return asksForChange(text) || placeholders.some((pattern) => pattern.test(text));
}

/**
 * The keys that still hold a placeholder, in their order; every key of `.env` counts.
 * choice/box/94
 */
export function placeholderKeys(env: ReadonlyMap<string, string>): string[] {
  return [...env].filter(([, value]) => isPlaceholder(value)).map(([key]) => key);
}
