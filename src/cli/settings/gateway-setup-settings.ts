import { isIP } from 'node:net';
import { domainProblem, mailProblem } from '../../gateway/rules/setup/names.ts';
import { tunnelNetworkProblem, usualTunnelNetwork } from '../../gateway/rules/setup/tunnel-network.ts';
import type { SetupRequest } from '../../gateway/setup/setup-ports.ts';
import { httpAddress } from './gateway-values.ts';
import { type GivenFlags, given, isOn, matching, once, type Setting, UsageError, wholeNumber } from './setting.ts';

const letsEncrypt = 'https://acme-v02.api.letsencrypt.org/directory';
const letsEncryptTrial = 'https://acme-staging-v02.api.letsencrypt.org/directory';

/** A value without a problem; the problem is the error. */
const withoutProblem = (problemOf: (text: string) => string | null) =>
  once((text: string) => {
    const problem = problemOf(text);
    if (problem !== null) throw new Error(problem);
    return text;
  });

/** A file of Compose has these without quotes. */
const authorityAddress = once((text: string) => {
  if (/['"$\\\s]/.test(text)) throw new Error('expected an address without quotes, blanks, $ and \\');
  return httpAddress(text);
});

const domain: Setting<string> = {
  flag: '--domain',
  variable: 'GATEWAY_DOMAIN',
  argument: 'NAME',
  help: 'the domain; apps are published as names below it',
  shownDefault: 'asked for',
  parse: (texts) => withoutProblem(domainProblem)(texts).toLowerCase(),
};

const email: Setting<string> = {
  flag: '--email',
  variable: 'ACME_EMAIL',
  argument: 'ADDRESS',
  help: 'the mail address of the account at the certificate authority, which sends no mail about certificates that end',
  shownDefault: 'asked for',
  parse: withoutProblem(mailProblem),
};

const publicHost: Setting<string> = {
  flag: '--public-host',
  variable: 'GATEWAY_PUBLIC_HOST',
  argument: 'HOST',
  help: 'the name or public address of this server, which boxes build their tunnels to',
  shownDefault: 'gateway. and the domain',
  parse: once(matching(/^[A-Za-z0-9][A-Za-z0-9.-]*$|^[0-9a-f:]+$/, 'a host name or an address')),
};

const tunnelNetwork: Setting<string> = {
  flag: '--tunnel-network',
  variable: 'GATEWAY_TUNNEL_NETWORK',
  argument: 'NETWORK',
  help: 'the network of the tunnels, with 256 addresses',
  shownDefault: usualTunnelNetwork,
  parse: withoutProblem(tunnelNetworkProblem),
};

const dnsProvider: Setting<string> = {
  flag: '--dns-provider',
  variable: 'ACME_DNS_PROVIDER',
  argument: 'NAME',
  help: "Traefik's name of the DNS provider, for one wildcard certificate; its credentials are in dns.env",
  shownDefault: 'none: a certificate for each published name',
  parse: once(matching(/^[a-z0-9-]+$/, 'the name of a DNS provider, such as hetzner')),
};

const authority: Setting<string> = {
  flag: '--acme-server',
  variable: 'GATEWAY_ACME_SERVER',
  argument: 'URL',
  help: 'the directory of the certificate authority',
  shownDefault: "Let's Encrypt",
  parse: authorityAddress,
};

const trialAuthority: Setting<string> = {
  flag: '--acme-trial-server',
  variable: 'GATEWAY_ACME_TRIAL_SERVER',
  argument: 'URL',
  help: 'the directory that gives a certificate for trials first',
  shownDefault: "that of Let's Encrypt, or none",
  parse: authorityAddress,
};

const dnsServers: Setting<string[]> = {
  flag: '--dns-server',
  variable: 'GATEWAY_DNS_SERVERS',
  argument: 'ADDRESS',
  help: 'a resolver that is asked for the names; in the variable with commas',
  shownDefault: "1.1.1.1 and 9.9.9.9, or this server's own",
  parse: (texts) => texts.map(resolverAddress),
  repeatable: true,
};

const dnsWait: Setting<number> = {
  flag: '--dns-wait',
  variable: 'GATEWAY_DNS_WAIT',
  argument: 'SECONDS',
  help: 'how long to wait for the DNS records',
  shownDefault: '1800',
  parse: once(wholeNumber(0, 86_400)),
};

const check: Setting<boolean> = {
  flag: '--check',
  variable: 'GATEWAY_SETUP_CHECK',
  argument: null,
  help: 'only look whether this server can become a gateway; change nothing',
  shownDefault: 'no',
  parse: once(isOn),
};

const remove: Setting<boolean> = {
  flag: '--remove',
  variable: 'GATEWAY_SETUP_REMOVE',
  argument: null,
  help: 'take all back but the data and the settings',
  shownDefault: 'no',
  parse: once(isOn),
};

export const setupSettings = {
  domain,
  email,
  publicHost,
  tunnelNetwork,
  dnsProvider,
  authority,
  trialAuthority,
  dnsServers,
  dnsWait,
  check,
  remove,
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
  flags: GivenFlags,
  env: NodeJS.ProcessEnv,
  saved: Readonly<Record<string, string | undefined>>,
  ask: Ask | null,
  hasBoxes: () => Promise<boolean> = async () => true,
): Promise<SetupRequest> {
  const value = <T>(setting: Setting<T>, variables: NodeJS.ProcessEnv = { ...saved, ...env }) =>
    given(setting, flags, variables);
  const needed = async (setting: Setting<string>, question: string, problemOf: (text: string) => string | null) => {
    const known = value(setting);
    if (known !== undefined) return known;
    if (ask === null) throw new UsageError(`${setting.flag} is required (or ${setting.variable})`);
    return setting.parse([await ask(question, problemOf)]);
  };
  const name = await needed(domain, 'The domain, such as example.org: ', domainProblem);
  const network = value(tunnelNetwork) ?? usualTunnelNetwork;
  const before = saved.GATEWAY_DOMAIN ?? name;
  const isRunning = saved.GATEWAY_PUBLIC_HOST !== undefined;
  const networkBefore = isRunning ? (saved.GATEWAY_TUNNEL_NETWORK ?? usualTunnelNetwork) : network;
  const [what, old] =
    name !== before ? [domain.flag, `domain ${before}`] : [tunnelNetwork.flag, `network ${networkBefore}`];
  const beginsAnew = name !== before || network !== networkBefore;
  if (beginsAnew && (await hasBoxes())) {
    throw new UsageError(
      `${what}: this gateway has the ${old}, and boxes have joined it: remove them first (boxgate gateway boxes list)`,
    );
  }
  // The name of the tunnels follows the domain.
  const ownHost = `gateway.${before}`;
  const host = value(publicHost, saved.GATEWAY_PUBLIC_HOST === ownHost ? env : undefined);
  const real = value(authority) ?? letsEncrypt;
  return {
    domain: name,
    email: await needed(email, 'Your mail address, for the certificate authority: ', mailProblem),
    publicHost: host ?? `gateway.${name}`,
    tunnelNetwork: network,
    beginsAnew,
    authority: { real, trial: value(trialAuthority) ?? (real === letsEncrypt ? letsEncryptTrial : null) },
    dnsProvider: value(dnsProvider) ?? null,
    checkOnly: value(check) ?? false,
    dnsWaitMs: (value(dnsWait) ?? 1800) * 1000,
  };
}
