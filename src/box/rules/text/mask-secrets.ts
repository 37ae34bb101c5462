/** Masking shorter secrets would hide ordinary words. */
const shortestMasked = 3;
/** An app can have a password of 100 000 lines, so the number of comparisons is limited. */
const mostComparisons = 2 ** 28;

/** Replaces a text that may hold secrets. */
export const unshownText = 'its words are not shown, because the secrets of the apps are too many to look for in them';

/**
 * A text from outside with every secret in it masked, because Compose quotes what it cannot read. Also finds a secret
 * that is quoted with escapes, and each line of a secret of several lines. Lines also end at `\r` and are trimmed,
 * because `toolLines` splits a text in this way before masking.
 * should/box/17
 */
export function maskSecrets(text: string, secrets: Iterable<string>): string {
  const parts = new Set<string>();
  for (const secret of secrets) {
    const lines = secret.split(/[\r\n]/).map((line) => line.trim());
    for (const part of [secret, ...lines]) if (part.length <= text.length) parts.add(part);
  }
  if (parts.size * text.length > mostComparisons) return unshownText;
  const longestFirst = [...new Set([...parts].flatMap(formsOf))]
    .filter((form) => form.length >= shortestMasked)
    .sort((a, b) => b.length - a.length);
  return longestFirst.reduce((masked, form) => masked.replaceAll(form, '•••'), text);
}

/**
 * A secret in all its spellings: plain, quoted as in JSON (also as `failureText` shows that), `.env`, a shell and a
 * URL, and in base64.
 */
function formsOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  return [
    secret,
    json,
    json.replaceAll('\\"', '"'),
    secret.replace(/[\\"$]/g, '\\$&'),
    secret.replaceAll("'", "'\\''"),
    encodeURIComponent(secret.toWellFormed()),
    Buffer.from(secret).toString('base64').replaceAll('=', ''),
  ];
}
