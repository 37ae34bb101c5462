import { isNetwork } from '../../gateway/rules/route-access.ts';
import { boxSettings, readBoxSettings } from './box-settings.ts';
import { httpAddress } from './gateway-values.ts';
import {
  defaultStateDir,
  expected,
  type GivenFlags,
  given,
  givenSecret,
  isOn,
  matching,
  once,
  type Secret,
  type Setting,
  UsageError,
  wholeNumber,
} from './setting.ts';

/** A setting without a default: it is required, or its absence has a meaning. */
const setting = <T>(
  flag: string,
  variable: string,
  argument: string | null,
  help: string,
  parse: (text: string) => T,
  shownDefault = 'none, it is required',
): Setting<T> => ({ flag, variable, argument, help, shownDefault, parse: once(parse) });

const stateDir = { ...boxSettings.stateDir, help: 'where the tunnel is kept: the state directory of the box' };
const json = setting('--json', 'BOX_TUNNEL_JSON', null, 'print the result as JSON', isOn, 'no');
const gateway = setting('--gateway', 'BOX_GATEWAY_URL', 'URL', 'the address of the gateway', gatewayAddress);
const boxName = matching(/^.{1,128}$/s, 'a name of 1 to 128 characters');
const name = setting('--name', 'BOX_NAME', 'NAME', 'what the box is called there, for people', boxName);
const subdomain = setting(
  '--subdomain',
  'BOX_ROUTE_SUBDOMAIN',
  'NAME',
  'the first label of the public host name',
  (text) => text,
);
const port = setting(
  '--port',
  'BOX_ROUTE_PORT',
  'N',
  'the port of the app on this box',
  wholeNumber(1, 65535),
  'the one that it publishes now',
);
const proxy = setting(
  '--proxy',
  'BOX_GATEWAY_PROXY',
  'URL',
  "where to ask the gateway's proxy whether it serves the host",
  httpAddress,
  'the published address',
);

const login = setting(
  '--login',
  'BOX_ROUTE_LOGIN',
  'NAME',
  'ask visitors for a login of this name; its password is made and shown once, and is a new one at each use',
  loginName,
  'none, or the one that there is',
);
const allow: Setting<string[]> = {
  flag: '--allow',
  variable: 'BOX_ROUTE_ALLOW',
  argument: 'NETWORKS',
  help: 'let visitors come only from these addresses and networks, with commas',
  shownDefault: 'all, or those that there are',
  parse: (texts) => listOf(texts, 32, isNetwork, 'addresses or networks such as 203.0.113.0/24'),
  repeatable: true,
};
const openPaths: Setting<string[]> = {
  flag: '--open-path',
  variable: 'BOX_ROUTE_OPEN_PATHS',
  argument: 'PATH',
  help: "a path without login, for the app's own clients; /api/* is everything below /api/",
  shownDefault: 'none, or those that there are',
  parse: (texts) => listOf(texts, 16, isOpenPath, 'a path such as /ping or /api/*'),
  repeatable: true,
};

/** The settings of every tunnel command, then those of `join` and `publish`. */
export const tunnelSettings = { stateDir, json };
export const joinSettings = { gateway, name, ...tunnelSettings };
export const publishSettings = {
  ...{ subdomain, port, login, allow, openPaths, proxy },
  installedApps: boxSettings.installedApps,
  ...tunnelSettings,
};

export type TunnelOptions = { stateDir: string; json: boolean };

export function readTunnelOptions(flags: GivenFlags, env: NodeJS.ProcessEnv): TunnelOptions {
  return { stateDir: given(stateDir, flags, env) ?? defaultStateDir(env), json: given(json, flags, env) ?? false };
}

const tokenVariable = 'BOX_REGISTRATION_TOKEN';

export const joinSecrets: readonly Secret[] = [
  { variable: tokenVariable, help: "the token that the gateway's operator gives out; it is required" },
];

export function readJoinOptions(flags: GivenFlags, env: NodeJS.ProcessEnv) {
  const registrationToken = givenSecret(tokenVariable, env);
  if (registrationToken === undefined) {
    throw new UsageError(`${tokenVariable} or ${tokenVariable}_FILE is required`);
  }
  return {
    ...readTunnelOptions(flags, env),
    gateway: required(gateway, flags, env),
    boxName: required(name, flags, env),
    registrationToken,
  };
}

export function readPublishOptions(flags: GivenFlags, env: NodeJS.ProcessEnv) {
  const { '--state-dir': stateDir, '--installed-apps': installedApps } = flags;
  return {
    ...readTunnelOptions(flags, env),
    // `--port` of this command is the app's port, so it is not passed on as the box's port.
    box: readBoxSettings({ '--state-dir': stateDir, '--installed-apps': installedApps }, env),
    subdomain: required(subdomain, flags, env),
    port: given(port, flags, env) ?? null,
    proxy: given(proxy, flags, env) ?? null,
    login: given(login, flags, env) ?? null,
    allow: given(allow, flags, env) ?? null,
    openPaths: given(openPaths, flags, env) ?? null,
  };
}

/** The access rules of a publication from a form, in the words of the flags. */
export function accessOptions(given: { login: string | null; allow: string | null; openPaths: string | null }) {
  return {
    login: given.login === null ? null : login.parse([given.login]),
    allow: given.allow === null ? null : allow.parse([given.allow]),
    openPaths: given.openPaths === null ? null : openPaths.parse([given.openPaths]),
  };
}

function required<T>(row: Setting<T>, flags: GivenFlags, env: NodeJS.ProcessEnv): T {
  const value = given(row, flags, env);
  if (value === undefined) throw new UsageError(`${row.flag} (${row.variable}) is required`);
  return value;
}

/** A password after the name is refused, and not shown. */
function loginName(text: string): string {
  if (text.includes(':')) {
    throw new Error(
      "expected a name without a password: the gateway's proxy computes its hash at every request, which is fast only for a random one of 128 bits, so boxgate makes it",
    );
  }
  return matching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/, 'a name of 1 to 63 letters, digits, dots, _ and -')(text);
}

function isOpenPath(text: string): boolean {
  return text.length <= 200 && /^(?:\/\.?[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+(?:\/|\/\*)?$/.test(text);
}

function listOf(texts: string[], most: number, isOne: (text: string) => boolean, form: string): string[] {
  const values = texts.flatMap((text) => text.split(',')).map((text) => text.trim());
  const wrong = values.find((value) => !isOne(value));
  if (wrong !== undefined) throw expected(form, wrong);
  if (values.length > most) throw new Error(`expected at most ${most}, got ${values.length}`);
  return values;
}

const loopback = /^(?:127(?:\.\d+){3}|\[::1\]|localhost)$/;

/** Plain HTTP over a network would expose the token. */
export function gatewayAddress(text: string): string {
  const url = URL.parse(text);
  if (url?.username || url?.password) throw new Error('expected an address without a user name or password');
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && loopback.test(url.hostname));
  if (url === null || !isSafe) throw expected('an address that is https: or loopback http:', text);
  if (url.search !== '' || url.hash !== '') throw expected('an address without ? and #', text);
  return url.href.replace(/(?<!\/)\/+$/, '');
}
