/** A resolver's answer for a name: its A and AAAA records, or the reason why there is none. */
export type Records = { name: string; addresses: readonly string[]; problem: string | null };

export type NameFacts = {
  domain: string;
  /** Those of `gateway.DOMAIN`, and of a name that only the wildcard record has. */
  records: readonly Records[];
  /** The addresses of this server's interfaces, and the one that its operator has named. */
  own: readonly string[];
  /** Addresses at which this server has just answered itself, such as those of a cloud that translates addresses. */
  proven: readonly string[];
  /** Whether the server could ask itself at an address that is not its own. */
  couldProve: boolean;
};

export type NameReport = { problems: string[]; notes: string[]; record: string | null };

/**
 * Whether the names of a gateway lead to this server.
 * @returns `record` is what to add at the DNS provider; null if every name leads here, or if no resolver answers
 */
export function nameReport(facts: NameFacts): NameReport {
  const { domain, records, couldProve } = facts;
  const leadsHere = (address: string) => facts.own.includes(address) || facts.proven.includes(address);
  const problems = records.flatMap(({ name, addresses, problem }) => {
    const shown = shownAs(name, domain);
    if (problem !== null)
      return [
        `the resolver does not answer for ${shown} (${problem}): try again, or name another one with --dns-server`,
      ];
    if (addresses.length === 0) return [`${shown} has no address`];
    const wrong = addresses.filter((address) => !leadsHere(address));
    if (wrong.length === 0 || (!couldProve && !wrong.some(isReserved))) return [];
    const rest = wrong.length < addresses.length ? `, one of its ${addresses.length} addresses` : '';
    return [
      `${shown} leads to ${wrong.join(' and ')}${rest}, which is not this server${serverAddresses(facts.own)}: correct the record, or remove it`,
    ];
  });
  const found = records.flatMap(({ addresses }) => addresses);
  return {
    problems,
    notes: problems.length > 0 ? [] : familyNotes(found, facts),
    // A resolver that fails does not say that a record is missing.
    record:
      records.some(({ problem }) => problem === null) && problems.length > 0 ? recordFor(domain, facts.own) : null,
  };
}

function shownAs(name: string, domain: string): string {
  return name === `gateway.${domain}` ? name : `*.${domain}`;
}

function serverAddresses(own: readonly string[]): string {
  const known = own.filter((address) => !isReserved(address));
  return known.length === 0 ? '' : ` (${known.join(', ')})`;
}

function familyNotes(found: readonly string[], { domain, own, proven, couldProve }: NameFacts): string[] {
  const unknown = found.filter((address) => !own.includes(address) && !proven.includes(address));
  const isIpv6 = (address: string) => address.includes(':');
  const publicOf = (six: boolean) => own.find((address) => isIpv6(address) === six && !isReserved(address));
  return [
    ...(couldProve || unknown.length === 0
      ? []
      : [
          `whether ${[...new Set(unknown)].join(' and ')} leads here is not looked at, because port 80 is in use by this gateway`,
        ]),
    ...(found.every(isIpv6)
      ? [
          `the names have IPv6 addresses only: visitors and boxes without IPv6 do not reach this gateway${publicOf(false) === undefined ? '' : `; add  *.${domain}  A  ${publicOf(false)}`}`,
        ]
      : []),
    ...(!found.some(isIpv6) && publicOf(true) !== undefined
      ? [`the names have no IPv6 address: for visitors with IPv6 only, add  *.${domain}  AAAA  ${publicOf(true)}`]
      : []),
  ];
}

/** One wildcard record is enough: it is valid for `gateway.DOMAIN`, too. */
function recordFor(domain: string, own: readonly string[]): string {
  const four = own.find((address) => !address.includes(':') && !isReserved(address));
  const six = own.find((address) => address.includes(':') && !isReserved(address));
  if (four === undefined && six !== undefined) return `*.${domain}  AAAA  ${six}`;
  return `*.${domain}  A  ${four ?? "(this server's public IPv4 address)"}`;
}

const reserved4 = /^(?:0|10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./;

/** Whether an address is of a private network or of the machine itself, so that the internet does not reach it. */
export function isReserved(address: string): boolean {
  return address.includes(':') ? !/^[23][0-9a-f]{3}:/i.test(address) : reserved4.test(address);
}
