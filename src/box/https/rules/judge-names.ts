export type Lookup = { host: string; found: readonly string[] };

/** What is wrong with the names; empty if they lead to this machine. */
export function lookupProblems(lookups: readonly Lookup[], own: readonly string[]): string[] {
  return lookups.flatMap(({ host, found }) => {
    if (found.length === 0) return [`${host} has no address`];
    const others = found.filter((address) => !own.includes(address));
    return others.length === 0 ? [] : [`${host} leads to ${others.slice(0, 3).join(', ')}, which is not this machine`];
  });
}

/** Which records to make, and where. */
export function recordLines(domain: string, home: readonly string[]): string[] {
  const address = home[0] ?? 'ADDRESS-OF-THIS-BOX';
  const kind = address.includes(':') ? 'AAAA' : 'A';
  return [
    `make these records, at the provider of the domain or at the name server of your network:`,
    `  ${domain}    ${kind}  ${address}`,
    `  *.${domain}  ${kind}  ${address}`,
    `in the app Pi-hole that is one line in Settings, All settings, Miscellaneous, misc.dnsmasq_lines:`,
    `  address=/${domain}/${address}`,
    'if your devices ask another name server than this box does, name it (--resolver ADDRESS)',
    'a router that hides private addresses (rebind protection) needs an exception for the domain',
  ];
}
