import { isIP } from 'node:net';
import { domainProblem, mailProblem } from '../../gateway/setup/rules/names.ts';
import { tunnelNetworkProblem, usualTunnelNetwork } from '../../gateway/setup/rules/tunnel-network.ts';
import type { SetupRequest } from '../../gateway/setup/setup-ports.ts';
import { httpAddress, isOn, matching, wholeNumber, withoutProblem } from './parsers.ts';
import { listRow, read, row, type Setting, type Source, said } from './setting.ts';
import { UsageError } from './usage-error.ts';

const letsEncrypt = 'https://acme-v02.api.letsencrypt.org/directory';
const letsEncryptTrial = 'https://acme-staging-v02.api.letsencrypt.org/directory';

/** A file of Compose has these without quotes. */
function authorityAddress(text: string): string {
  if (/['"$\\\s]/.test(text)) throw new Error('expected an address without quotes, blanks, $ and \\');
  return httpAddress(text);
}

const asked = said('asked for');
const publicHost = matching(/^[A-Za-z0-9][A-Za-z0-9.-]*$|^[0-9a-f:]+$/, 'a host name or an address');
const provider = matching(/^[a-z0-9-]+$/, 'the name of a DNS provider, such as hetzner');
const resolvers = (texts: string[]) => texts.map(resolverAddress);

// biome-ignore format: a setting is a row
const authority = row('--acme-server URL', 'GATEWAY_ACME_SERVER', authorityAddress,
  said("Let's Encrypt", () => letsEncrypt), 'the directory of the certificate authority');
const ownTrial = said("that of Let's Encrypt, or none", (source) =>
  read(authority, source) === letsEncrypt ? letsEncryptTrial : null,
);

// biome-ignore format: a setting is a row
export const setupSettings = {
  domain: row('--domain NAME', 'GATEWAY_DOMAIN', withoutProblem(domainProblem), asked,
    'the domain; apps are published as names below it'),
  email: row('--email ADDRESS', 'ACME_EMAIL', withoutProblem(mailProblem), asked,
    'the mail address of the account at the certificate authority, which sends no mail about certificates that end'),
  publicHost: row('--public-host HOST', 'GATEWAY_PUBLIC_HOST', publicHost, said('gateway. and the domain'),
    'the name or public address of this server, which boxes build their tunnels to'),
  tunnelNetwork: row('--tunnel-network NETWORK', 'GATEWAY_TUNNEL_NETWORK', withoutProblem(tunnelNetworkProblem),
    usualTunnelNetwork, 'the network of the tunnels, with 256 addresses'),
  dnsProvider: row('--dns-provider NAME', 'ACME_DNS_PROVIDER', provider,
    said('none: a certificate for each published name', () => null),
    "Traefik's name of the DNS provider, for one wildcard certificate; its credentials are in dns.env"),
  authority,
  trialAuthority: row('--acme-trial-server URL', 'GATEWAY_ACME_TRIAL_SERVER', authorityAddress, ownTrial,
    'the directory that gives a certificate for trials first'),
  dnsServers: listRow('--dns-server ADDRESS', 'GATEWAY_DNS_SERVERS', resolvers,
    said("1.1.1.1 and 9.9.9.9, or this server's own", () => []),
    'a resolver that is asked for the names; in the variable with commas'),
  dnsWait: row('--dns-wait SECONDS', 'GATEWAY_DNS_WAIT', wholeNumber(0, 86_400), 1800,
    'how long to wait for the DNS records'),
  check: row('--check', 'GATEWAY_SETUP_CHECK', isOn, false,
    'only look whether this server can become a gateway; change nothing'),
  remove: row('--remove', 'GATEWAY_SETUP_REMOVE', isOn, false, 'take all back but the data and the settings'),
};

function resolverAddress(text: string): string {
  if (isIP(text.replace(/:\d+$/, '')) === 0 && isIP(text) === 0) throw new Error('expected an IP address');
  return text;
}

/** Asks a person. Asks again while the answer has a problem. */
export type Ask = (question: string, problemOf: (text: string) => string | null) => Promise<string>;

/**
 * @param saved - the variables of an earlier setup of this server
 * @param ask - null if nobody can be asked
 * @param hasBoxes - whether a box has joined this gateway; asked where the request would leave it behind
 */
export async function readSetupRequest(
  own: Source,
  saved: Readonly<Record<string, string | undefined>>,
  ask: Ask | null,
  hasBoxes: () => Promise<boolean> = async () => true,
): Promise<SetupRequest> {
  const source = { flags: own.flags, env: { ...saved, ...own.env } };
  type Problem = Parameters<Ask>[1];
  const needed = async (setting: Setting<string | undefined>, question: string, problemOf: Problem) => {
    const known = read(setting, source);
    if (known !== undefined) return known;
    if (ask === null) throw new UsageError(`${setting.flag} is required (or ${setting.variable})`);
    return ask(question, problemOf);
  };
  const typed = await needed(setupSettings.domain, 'The domain, such as example.org: ', domainProblem);
  const name = typed.toLowerCase();
  const network = read(setupSettings.tunnelNetwork, source);
  const before = saved.GATEWAY_DOMAIN ?? name;
  const isRunning = saved.GATEWAY_PUBLIC_HOST !== undefined;
  const networkBefore = isRunning ? (saved.GATEWAY_TUNNEL_NETWORK ?? usualTunnelNetwork) : network;
  const beginsAnew = name !== before || network !== networkBefore;
  if (beginsAnew && (await hasBoxes())) {
    const what =
      name !== before
        ? `--domain: this gateway has the domain ${before}`
        : `--tunnel-network: this gateway has the network ${networkBefore}`;
    throw new UsageError(`${what}, and boxes have joined it: remove them first (boxgate gateway boxes list)`);
  }
  // The name of the tunnels follows the domain.
  const ownHost = `gateway.${before}`;
  const host = read(setupSettings.publicHost, saved.GATEWAY_PUBLIC_HOST === ownHost ? own : source);
  return {
    domain: name,
    email: await needed(setupSettings.email, 'Your mail address, for the certificate authority: ', mailProblem),
    publicHost: host ?? `gateway.${name}`,
    tunnelNetwork: network,
    beginsAnew,
    authority: { real: read(setupSettings.authority, source), trial: read(setupSettings.trialAuthority, source) },
    dnsProvider: read(setupSettings.dnsProvider, source),
    checkOnly: read(setupSettings.check, source),
    dnsWaitMs: read(setupSettings.dnsWait, source) * 1000,
  };
}
