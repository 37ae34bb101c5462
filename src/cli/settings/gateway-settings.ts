import { join } from 'node:path';
import type { GatewaySettings, StoreAddress } from '../../gateway/gateway-settings.ts';
import { domainName, httpAddress, proxyName, storeAddress, subdomain, tunnelNetwork } from './gateway-values.ts';
import {
  defaultStateDir,
  type GivenFlags,
  given,
  givenSecret,
  matching,
  once,
  path,
  type Secret,
  type Setting,
  type Settings,
  UsageError,
  wholeNumber,
} from './setting.ts';
import { serverSettings, stateDirSetting } from './shared-settings.ts';

/** The settings with a flag; secrets have none. */
type FlagSettings = Omit<GatewaySettings, 'boxToken' | 'tunnelPassword'>;

export const gatewaySettings: Settings<FlagSettings> = {
  ...serverSettings('gateway', '8080'),
  mode: {
    flag: '--mode',
    variable: 'GATEWAY_MODE',
    argument: 'MODE',
    help: 'the operating mode; in any other than single nothing is registered',
    shownDefault: 'single',
    parse: once((text) => text),
  },
  store: {
    flag: '--store',
    variable: 'GATEWAY_STORE',
    argument: 'URL',
    help: 'memory:, file:PATH or postgres://…, without a password',
    shownDefault: 'gateway.db in the state directory',
    parse: once((text) => storeAddress(text, { maySayPassword: false })),
  },
  stateDir: stateDirSetting('gateway'),
  tunnelUrl: {
    flag: '--tunnel-url',
    variable: 'GATEWAY_TUNNEL_URL',
    argument: 'URL',
    help: 'the tunnel manager (wg-easy)',
    shownDefault: 'none, it is required',
    parse: once(httpAddress),
  },
  tunnelUsername: {
    flag: '--tunnel-username',
    variable: 'GATEWAY_TUNNEL_USERNAME',
    argument: 'NAME',
    help: 'who logs in to a tunnel manager that asks for a name',
    shownDefault: 'admin',
    parse: once(matching(/./s, 'a user name')),
  },
  tunnelNetwork: {
    flag: '--tunnel-network',
    variable: 'GATEWAY_TUNNEL_NETWORK',
    argument: 'NETWORK',
    help: 'the network of the tunnels in the tunnel manager; a box gets an address of it, or cannot join',
    shownDefault: 'that of wg0 where this machine has it, else 10.8.0.0/24',
    parse: once(tunnelNetwork),
  },
  routesDir: {
    flag: '--routes-dir',
    variable: 'GATEWAY_ROUTES_DIR',
    argument: 'DIR',
    help: 'the directory that the reverse proxy (Traefik) reads',
    shownDefault: 'routes/ in the state directory',
    parse: once(path),
  },
  domain: {
    flag: '--domain',
    variable: 'GATEWAY_DOMAIN',
    argument: 'NAME',
    help: 'published hosts are names below it',
    shownDefault: 'none, it is required',
    parse: once(domainName),
  },
  certResolver: {
    flag: '--cert-resolver',
    variable: 'GATEWAY_CERT_RESOLVER',
    argument: 'NAME',
    help: 'the certificate resolver of the reverse proxy',
    shownDefault: "none: the proxy's own certificate",
    parse: once(proxyName('the name of a certificate resolver')),
  },
  entrypoint: {
    flag: '--entrypoint',
    variable: 'GATEWAY_ENTRYPOINT',
    argument: 'NAME',
    help: 'the entry point of the reverse proxy',
    shownDefault: 'websecure',
    parse: once(proxyName('the name of an entry point')),
  },
  proxyApi: {
    flag: '--proxy-api',
    variable: 'GATEWAY_PROXY_API',
    argument: 'URL',
    help: "where Traefik's API is reached, for the doctor and for the metrics of routes",
    shownDefault: 'http://127.0.0.1:8082',
    parse: once(httpAddress),
  },
  reservedSubdomains: {
    flag: '--reserved-subdomain',
    variable: 'GATEWAY_RESERVED_SUBDOMAINS',
    argument: 'NAME',
    help: 'a subdomain that no box may publish, beside `gateway`; in the variable with commas',
    shownDefault: 'none',
    parse: (names) => names.filter((name) => name !== '').map(subdomain),
    repeatable: true,
  },
  boxLimit: {
    flag: '--box-limit',
    variable: 'GATEWAY_BOX_LIMIT',
    argument: 'N',
    help: 'how many boxes there may be',
    shownDefault: '10',
    parse: once(wholeNumber(0, 1_000_000)),
  },
  routeLimit: {
    flag: '--route-limit',
    variable: 'GATEWAY_ROUTE_LIMIT',
    argument: 'N',
    help: 'how many routes each of them may have',
    shownDefault: '20',
    parse: once(wholeNumber(0, 1_000_000)),
  },
};

/** The variable for a store address that contains a password. */
export const storeSecret: Secret = {
  variable: 'GATEWAY_STORE',
  help: 'the store, in place of --store where its address has a password',
};

const copyEnd = (end: 'from' | 'to', help: string): Setting<StoreAddress> => ({
  ...gatewaySettings.store,
  flag: `--${end}`,
  variable: `GATEWAY_STORE_${end.toUpperCase()}`,
  help: `${help}: file:PATH or postgres://…, without a password`,
  shownDefault: 'none, it is required',
});

/** The two stores of `gateway store copy`. */
export const copySettings = {
  from: copyEnd('from', 'the store that is copied; it stays as it is'),
  to: copyEnd('to', 'the empty store that it is copied to'),
};

export const copySecrets: readonly Secret[] = Object.values(copySettings).map(({ flag, variable }) => ({
  variable,
  help: `in place of ${flag} where that address has a password`,
}));

export function readCopySettings(flags: GivenFlags, env: NodeJS.ProcessEnv): Record<'from' | 'to', StoreAddress> {
  const end = (setting: Setting<StoreAddress>) => {
    const address = givenStore(setting, flags, env);
    if (address === undefined) throw new UsageError(`${setting.flag} is required (or ${setting.variable})`);
    return address;
  };
  return { from: end(copySettings.from), to: end(copySettings.to) };
}

/** The address of the proxy for `gateway doctor`. */
export const proxySetting: Setting<string> = {
  flag: '--proxy',
  variable: 'GATEWAY_PROXY',
  argument: 'URL',
  help: 'where the entry point of the reverse proxy is reached',
  shownDefault: 'https://127.0.0.1',
  parse: once(httpAddress),
};

/** Where notifications of the operator go. The address may have a token, so it has no flag. */
export const gatewayNotifySecret: Secret = {
  variable: 'GATEWAY_NOTIFY',
  help: 'where notifications go: an address of ntfy, Gotify, Discord, Slack or Telegram, or any web-hook that takes text',
};

/** Secrets: each in a variable, or in the file that the variable with the suffix `_FILE` names. */
export const gatewaySecrets: readonly Secret[] = [
  {
    variable: 'GATEWAY_BOX_TOKEN',
    help: 'the registration token; without it every registration is refused',
  },
  { variable: 'GATEWAY_TUNNEL_PASSWORD', help: 'the password of the tunnel manager; it is required' },
  storeSecret,
];

/** Reads all settings of a gateway. A flag takes precedence over its variable, and the variable over the default. */
export function readGatewaySettings(flags: GivenFlags, env: NodeJS.ProcessEnv): GatewaySettings {
  const value = <Key extends keyof FlagSettings>(key: Key) => given(gatewaySettings[key], flags, env);
  const { stateDir, store } = readStoreSettings(flags, env);
  return {
    host: value('host') ?? '127.0.0.1',
    metrics: value('metrics') ?? null,
    port: value('port') ?? 8080,
    mode: value('mode') ?? 'single',
    boxToken: givenSecret('GATEWAY_BOX_TOKEN', env) ?? null,
    store,
    stateDir,
    tunnelUrl: value('tunnelUrl') ?? missing(gatewaySettings.tunnelUrl),
    tunnelUsername: value('tunnelUsername') ?? 'admin',
    tunnelPassword: givenSecret('GATEWAY_TUNNEL_PASSWORD', env) ?? missingSecret('GATEWAY_TUNNEL_PASSWORD'),
    tunnelNetwork: value('tunnelNetwork') ?? null,
    routesDir: value('routesDir') ?? join(stateDir, 'routes'),
    domain: value('domain') ?? missing(gatewaySettings.domain),
    certResolver: value('certResolver') ?? null,
    entrypoint: value('entrypoint') ?? 'websecure',
    proxyApi: value('proxyApi') ?? 'http://127.0.0.1:8082',
    reservedSubdomains: value('reservedSubdomains') ?? [],
    boxLimit: value('boxLimit') ?? 10,
    routeLimit: value('routeLimit') ?? 20,
  };
}

/** The settings of a command that uses the store only. */
export function readStoreSettings(
  flags: GivenFlags,
  env: NodeJS.ProcessEnv,
): { stateDir: string; store: StoreAddress } {
  const stateDir = given(gatewaySettings.stateDir, flags, env) ?? defaultStateDir(env);
  const store = givenStore(gatewaySettings.store, flags, env) ?? { kind: 'file', path: join(stateDir, 'gateway.db') };
  return { stateDir, store };
}

/** The flag must not contain a password; the variable and its file may. */
function givenStore(
  setting: Setting<StoreAddress>,
  flags: GivenFlags,
  env: NodeJS.ProcessEnv,
): StoreAddress | undefined {
  const byFlag = given(setting, flags, {});
  if (byFlag !== undefined) return byFlag;
  const text = givenSecret(setting.variable, env);
  if (text === undefined) return undefined;
  try {
    return storeAddress(text, { maySayPassword: true });
  } catch (error) {
    throw new UsageError(`${setting.variable}: ${(error as Error).message}`);
  }
}

function missing({ flag, variable }: Setting<unknown>): never {
  throw new UsageError(`${variable} is required: set it in /etc/boxgate/gateway.env (or ${flag})`);
}

function missingSecret(variable: string): never {
  throw new UsageError(`${variable} is required: set it, or ${variable}_FILE to the file that holds it`);
}
