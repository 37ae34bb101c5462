/** Shorter ones would black out ordinary words, and say little themselves. */
const shortestMasked = 3;
/** An app can bring a password of 100 000 lines; a text is not worth more comparisons than this. */
const mostComparisons = 2 ** 28;

/** Stands in for a text that may hold secrets. */
export const unshownText =
  'its words are not shown, because the secrets of the apps are too many to look for in them';

/**
 * A text from outside (Compose quotes what it cannot read) with every secret in it replaced, also where the secret
 * is written in quotes with escapes, and each line of one that has several. Lines end at `\r`, too, and lack the blanks
 * around them, because `toolLines` cuts a text in that way before it is masked.
 * choice/box/17
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
 * A secret as it is, as JSON quotes it (also as `failureText` shows that), as `.env`, a shell and a URL quote it, and in
 * base64.
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
