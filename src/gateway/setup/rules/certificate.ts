export type Certificate = {
  /** Whether it is for that name, and not the proxy's own. */
  isForName: boolean;
  /** Why a browser would not trust it; null if it would. */
  distrust: string | null;
};

const failure = /Unable to obtain ACME certificate/;

type Reasons = readonly (readonly [RegExp, string])[];

const nameServers =
  'the name servers of the domain do not answer the authority: look at DNSSEC and the name servers, at the registrar and the DNS provider of the domain; a CAA record is looked up there, too';
const challengeRecord =
  'the DNS provider does not publish the TXT record _acme-challenge: look at --dns-provider, and at the credentials in dns.env';
const otherServer =
  'another server answers the authority: look at the records of the name, IPv6 included, and at a proxy before this server';
const later = 'the authority is busy or has a fault: run this again later';

/** Patterns of an error that the authority has sent. The first match counts: what the type means depends on the detail. */
const ofAuthority: Reasons = [
  [/acme: error: 5\d\d |:(?:serverInternal|badNonce)\b|Service busy/, later],
  [/:rateLimited\b/, 'a limit of the authority is reached: wait until the time that it names, then run this again'],
  [/:caa\b.*(?:DNS problem|SERVFAIL|timed out)/, nameServers],
  [/:caa\b/, 'a CAA record of the domain forbids this authority: add its name to that record'],
  [
    /:(?:invalid|unsupported)Contact\b|:malformed\b.*contact/,
    'the authority refuses the mail address: give another one with --email',
  ],
  [/public suffix/, 'the end of the domain is no public one: look whether the domain is written right'],
  [
    /:accountDoesNotExist\b|Account is not valid|\bKey ID\b/,
    'the authority does not know the account that is kept here: run this with --remove, then docker volume rm boxgate-gateway-parts_acme, then this again',
  ],
  [/:rejectedIdentifier\b/, 'the authority makes no certificates for this domain: name another one with --acme-server'],
  [
    /:externalAccountRequired\b/,
    'the authority wants an account that is made on its site: name another one with --acme-server',
  ],
  [/:dns\b.*(?:DNSSEC|SERVFAIL|REFUSED|timed out|networking error|CAA)/, nameServers],
  // The answer of another server follows, which may say anything.
  [/:unauthorized\b.*Invalid response from/, otherServer],
  [/_acme-challenge|\bTXT\b|:dns-01\b/, challengeRecord],
  [
    /no valid (?:A|AAAA|IP)\b/,
    "the name has no public address: a record leads to a private network, or is missing; it has to have this server's public address",
  ],
  [
    /NXDOMAIN|:dns\b|Could not resolve/i,
    'the authority does not find the name: wait until the record is known everywhere',
  ],
  [
    /:connection\b|Failed to connect|Timeout during connect|refused/i,
    "the authority does not reach port 443: look at the records of the name, and open the port in the provider's firewall",
  ],
  [/:(?:unauthorized|tls|incorrectResponse)\b/, otherServer],
];

/** Patterns of an error from which the authority has sent nothing. */
const ofServer: Reasons = [
  [/acme: error: 5\d\d /, later],
  [
    /_acme-challenge|presenting token|cleaning up|credentials|DNS provider|propagation:|find (?:the )?zone/,
    challengeRecord,
  ],
  [
    /\bdial |lookup |x509|tls:|timeout|deadline|request canceled|EOF|connection re/,
    'this server does not reach the authority: look at its resolver, its clock, and a firewall for what it sends',
  ],
  [/acme: error: 4\d\d |invalid character/, 'what answers is no certificate authority: look at --acme-server'],
];

/** Why the proxy got no certificate, from its log, and the authority's words. Null if the log has no failure. */
export function certificateFailure(log: string): string | null {
  const line = log.split('\n').findLast((one) => failure.test(one));
  if (line === undefined) return null;
  const words = wordsOf(line);
  const reasons = words.includes('urn:ietf:params:acme:error:') ? ofAuthority : ofServer;
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
