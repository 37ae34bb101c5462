/** The certificate that the proxy shows for a name. */
export type Certificate = {
  /** Whether it is for that name, and not the proxy's own. */
  isForName: boolean;
  /** Why a browser would not trust it; null if it would. */
  distrust: string | null;
};

const failure = /Unable to obtain ACME certificate/;

/** Patterns of an authority's error, each with what to do. */
const reasons: readonly (readonly [RegExp, string])[] = [
  [/rateLimited/, "the authority's weekly limit is reached: wait until the time that it names, then run this again"],
  [/:caa\b|CAA record/i, 'a CAA record of the domain forbids this authority: add its name to that record'],
  [
    /NXDOMAIN|no valid A|error:dns|Could not resolve/i,
    'the authority does not find the name: wait until the record is known everywhere',
  ],
  [
    /error:connection|Failed to connect|Timeout during connect|refused/i,
    "the authority does not reach port 443: look at the records of the name, and open the port in the provider's firewall",
  ],
  [
    /unauthorized|Cannot negotiate ALPN|Incorrect validation/i,
    'another server answers the authority: look at the records of the name, IPv6 included, and at a proxy before this server',
  ],
  [/invalidContact|error:malformed.*contact/i, 'the authority refuses the mail address: give another one with --email'],
  [
    /x509|certificate signed by unknown|no such host|i\/o timeout|connection reset/i,
    'this server does not reach the authority',
  ],
];

/**
 * Why the proxy got no certificate, from its log: a sentence with what to do, and the authority's own words. Null if
 * the log has no failure.
 */
export function certificateFailure(log: string): string | null {
  const line = log.split('\n').findLast((one) => failure.test(one));
  if (line === undefined) return null;
  const words = wordsOf(line);
  const found = reasons.find(([form]) => form.test(words));
  return `${found?.[1] ?? 'the authority gave no certificate'} (${words.slice(0, 300)})`;
}

/** The message of the authority, without colours, time and the fields of the log. */
function wordsOf(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches colours of a terminal.
  const plain = line.replace(/\u001b\[[0-9;]*m/g, '');
  const errorAt = plain.lastIndexOf('acme: error:');
  const start = errorAt === -1 ? plain.search(/error=|error: /) : errorAt;
  const end = plain.search(/ (?:ACME CA|acmeCA|providerName|domains)=/);
  return plain
    .slice(Math.max(start, 0), end > start ? end : undefined)
    .replaceAll('\\"', '"')
    .replace(/^error="?|\]?"$/g, '')
    .trim();
}
