/** The A and AAAA records of a name, or the reason why they are not known. */
export type Records = {
  name: string;
  addresses: readonly string[];
  problem: string | null;
  /** How long resolvers may remember that there was no record; `null` if unknown. Absent if none remembers it. */
  rememberedSeconds?: number | null;
};

export type NameFacts = {
  domain: string;
  /** Those of `gateway.DOMAIN`, and of a name that only the wildcard record has. */
  records: readonly Records[];
  /** The addresses of this server's interfaces, and the one that its operator has named. */
  own: readonly string[];
  /** Addresses at which this server has just answered itself, such as those of a cloud that translates addresses. */
  proven: readonly string[];
  /** Addresses at which a proxy has just answered with what this server had told it. */
  proxied?: readonly string[];
  /** Whether the server could ask itself at an address that is not its own. */
  couldProve: boolean;
};

/**
 * Whether the names of a gateway lead to this server.
 * @returns `record` is what to add at the DNS provider; null if no record is missing, or if no resolver answers
 */
export function nameReport(facts: NameFacts): { problems: string[]; notes: string[]; record: string | null } {
  const problems = facts.records.flatMap((one) => nameProblems(one, facts));
  const found = facts.records.flatMap(({ addresses }) => addresses);
  return { problems, notes: problems.length > 0 ? [] : familyNotes(found, facts), record: neededRecord(facts) };
}

function nameProblems({ name, addresses, problem, rememberedSeconds }: Records, facts: NameFacts): string[] {
  const shown = shownAs(name, facts.domain);
  if (problem !== null)
    return [`the resolver does not answer for ${shown} (${problem}): try again, or name another one with --dns-server`];
  if (addresses.length === 0) return [`${shown} has no address${memoryOf(rememberedSeconds)}`];
  const rest = addresses.length > 1 ? `, one of its ${addresses.length} addresses` : '';
  return addresses.flatMap((address) => {
    const fault = faultOf(address, facts);
    return fault === null ? [] : [`${shown} leads to ${address}${rest}, ${advice(address, fault, facts.own)}`];
  });
}

function memoryOf(seconds: number | null | undefined): string {
  if (seconds === undefined) return '';
  const time = seconds === null ? 'for an hour or more' : `for ${Math.ceil(seconds / 60)} minutes`;
  return `; once the record is made, resolvers may remember ${time} that there was none`;
}

type Fault = 'private' | 'proxied' | 'not reached' | 'another server';

/** A private address is wrong even if it is this server's own: the internet does not reach it. */
function faultOf(address: string, { own, proven, proxied = [], couldProve }: NameFacts): Fault | null {
  if (isReserved(address)) return 'private';
  if (own.includes(address) || proven.includes(address)) return null;
  if (proxied.includes(address)) return 'proxied';
  if (!couldProve) return null;
  // On a cloud that translates addresses no interface has the public one.
  return recordType(address) === 'A' && publicOf(own, 'A') === undefined ? 'not reached' : 'another server';
}

function advice(address: string, fault: Fault, own: readonly string[]): string {
  const known = own.filter((one) => !isReserved(one));
  const shown = known.length === 0 ? '' : ` (${known.join(', ')})`;
  const correct = `correct the ${recordType(address)} record, or remove it`;
  return {
    private: `which is an address of no public network: ${correct}`,
    proxied:
      'where a proxy stands before this server, and neither certificates nor tunnels pass it: switch it off for this name at the DNS provider',
    'not reached': `where this server did not reach itself: open 80/tcp in your provider's firewall, or say that the address is this server's with --public-host ${address}`,
    'another server': `which is not this server${shown}: ${correct}`,
  }[fault];
}

const recordType = (address: string) => (address.includes(':') ? 'AAAA' : 'A');

function shownAs(name: string, domain: string): string {
  return name === `gateway.${domain}` ? name : `*.${domain}`;
}

function familyNotes(found: readonly string[], { domain, own, proven, couldProve }: NameFacts): string[] {
  const unknown = found.filter((address) => !own.includes(address) && !proven.includes(address));
  const four = publicOf(own, 'A');
  const six = publicOf(own, 'AAAA');
  const isSix = (address: string) => recordType(address) === 'AAAA';
  return [
    ...(couldProve || unknown.length === 0
      ? []
      : [
          `whether ${[...new Set(unknown)].join(' and ')} leads here is not looked at, because another program uses port 80`,
        ]),
    ...(found.every(isSix)
      ? [
          `the names have IPv6 addresses only: visitors and boxes without IPv6 do not reach this gateway${four === undefined ? '' : `; add  *.${domain}  A  ${four}`}`,
        ]
      : []),
    ...(!found.some(isSix) && six !== undefined
      ? [
          `the names have no IPv6 address: for visitors with IPv6 only, add  *.${domain}  AAAA  ${six}  (an app published with --allow then needs the IPv6 networks of its visitors, too)`,
        ]
      : []),
  ];
}

function publicOf(own: readonly string[], type: 'A' | 'AAAA'): string | undefined {
  return own.find((address) => recordType(address) === type && !isReserved(address));
}

/**
 * The record that is missing or leads elsewhere. One wildcard record is enough, unless `gateway.DOMAIN` has a record of
 * its own. A resolver that fails does not say that a record is missing.
 */
function neededRecord(facts: NameFacts): string | null {
  const { domain, own } = facts;
  const hasWildcard = facts.records.some(({ name, addresses }) => name !== `gateway.${domain}` && addresses.length > 0);
  const lacking = facts.records
    .filter(({ problem }) => problem === null)
    // The resolver only remembers the absence of a name that the wildcard record has.
    .filter(
      ({ addresses, rememberedSeconds }) => !(hasWildcard && addresses.length === 0 && rememberedSeconds !== undefined),
    )
    .map(({ name, addresses }) => {
      const wrong = addresses.filter((one) => ['private', 'another server'].includes(faultOf(one, facts) ?? ''));
      return { shown: shownAs(name, domain), wrong, isMissing: wrong.length === addresses.length };
    })
    .filter(({ wrong, isMissing }) => isMissing || wrong.length > 0);
  const { shown } = lacking.find((one) => one.shown.startsWith('*')) ?? lacking[0] ?? {};
  if (shown === undefined) return null;
  const four = publicOf(own, 'A');
  const six = publicOf(own, 'AAAA');
  const isMissing = lacking.some((one) => one.isMissing) && (four !== undefined || six === undefined);
  if (isMissing || lacking.some(({ wrong }) => wrong.some((address) => recordType(address) === 'A')))
    return `${shown}  A  ${four ?? "(this server's public IPv4 address)"}`;
  // A wrong AAAA record beside a right A record is only to be removed where the server has no IPv6.
  return six === undefined ? null : `${shown}  AAAA  ${six}`;
}

const reserved4 =
  /^(?:0|10|127|169\.254|192\.0\.0|192\.168|198\.1[89]|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])|22[4-9]|2[3-5]\d)\./;

/** Whether an address is of no public network, so that the internet does not reach it. */
export function isReserved(address: string): boolean {
  return address.includes(':') ? !/^[23][0-9a-f]{3}:/i.test(address) : reserved4.test(address);
}
