const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Common additions to a domain, each with the remedy; the first match counts. */
const additions: readonly (readonly [RegExp, string])[] = [
  [/^[a-z][a-z0-9+.-]*:\/\//i, 'without https:// before it'],
  [/[/?#]/, 'without a path after it'],
  [/^\*\./, 'without the *. before it'],
  [/:\d*$/, 'without a port after it'],
  [/\.$/, 'without the dot at its end'],
  [/@/, 'without the @ of a mail address'],
  [/\s/, 'without blanks'],
];

/** Why this text cannot be the domain of a gateway; `null` if it can. */
export function domainProblem(text: string): string | null {
  const found = additions.find(([form]) => form.test(text));
  if (found !== undefined) return `write the domain alone, such as example.org, ${found[1]}`;
  // `boxgate-check-0123456789ab.` before it has to be a name, too.
  if (text.length > 226) return 'the domain is longer than 226 characters';
  const labels = text.toLowerCase().split('.');
  if (/[^\x21-\x7e]/.test(text)) return 'write the domain in its ASCII form, which begins with xn--';
  if (!labels.every((one) => label.test(one))) return 'a domain has letters, digits, "-" and dots, such as example.org';
  if (labels.length < 2 || !/[a-z]/i.test(text.slice(text.lastIndexOf('.'))))
    return 'a public domain is needed, such as example.org: an authority makes certificates for it';
  return null;
}

/** Why an authority would not take this mail address; `null` if the form is right. */
export function mailProblem(text: string): string | null {
  if (text.length > 254 || !/^[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+$/.test(text)) {
    return 'a mail address is needed, such as you@your-domain: the certificate authority asks for one';
  }
  return /@example\.(?:com|net|org)$/i.test(text) ? 'the certificate authority refuses addresses of example.org' : null;
}
