/** Shorter ones would black out ordinary words, and say little themselves. */
const shortestMasked = 3;

/**
 * A text from outside (Compose quotes what it cannot read) with every secret in it replaced, also where the secret
 * is written in quotes with escapes, and each line of one that has several.
 * choice/box/17
 */
export function maskSecrets(text: string, secrets: Iterable<string>): string {
  const forms = new Set<string>();
  for (const secret of secrets) {
    for (const part of [secret, ...secret.split(/\r?\n/)]) {
      forms.add(part);
      forms.add(JSON.stringify(part).slice(1, -1));
      forms.add(part.replace(/[\\"$]/g, '\\$&'));
    }
  }
  const longestFirst = [...forms]
    .filter((form) => form.length >= shortestMasked)
    .sort((a, b) => b.length - a.length);
  return longestFirst.reduce((masked, form) => masked.replaceAll(form, '•••'), text);
}
