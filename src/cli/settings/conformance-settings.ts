import type { ConformanceOptions } from '../../../conformance/options.ts';
import {
  expected,
  type GivenFlags,
  given,
  givenSecret,
  isOn,
  once,
  path,
  type Secret,
  type Setting,
  UsageError,
  wholeNumber,
} from './setting.ts';

const text = (flag: string, argument: string, help: string, shownDefault = 'none'): Setting<string> => ({
  flag,
  variable: `CONFORMANCE_${flag.slice(2).replaceAll('-', '_').toUpperCase()}`,
  argument,
  help,
  shownDefault,
  parse: once((value) => value),
});

const flag = (name: string, help: string): Setting<boolean> => ({
  ...text(name, '', help, 'no'),
  argument: null,
  parse: once(isOn),
});

const file = (name: string, argument: string, help: string, shownDefault?: string): Setting<string> => ({
  ...text(name, argument, help, shownDefault),
  parse: once(path),
});

const number = (flag: string, help: string, from: number, to: number, shownDefault: string): Setting<number> => ({
  ...text(flag, 'N', help, shownDefault),
  parse: once(wholeNumber(from, to)),
});

const several = (flag: string, argument: string, help: string, shownDefault: string): Setting<string[]> => ({
  ...text(flag, argument, help, shownDefault),
  parse: (texts) => texts,
  repeatable: true,
});

export const conformanceSettings = {
  exec: text('--exec', 'CMD', 'the command line that starts the implementation'),
  strict: flag('--strict', 'a failed should fails the run too'),
  requirements: text(
    '--requirements',
    'VERSION',
    'the checks of this version count, or all',
    'the newest, in a checkout all',
  ),
  noLate: flag('--no-late', 'a check that passes only with more time fails the run too'),
  profile: text(
    '--profile',
    'NAME',
    'boxgate: check the choices of boxgate too, and fail for any of them and any should',
  ),
  only: several('--only', 'ID', 'run the checks of an id, or of all ids that begin so', 'all'),
  rerunFailed: file('--rerun-failed', 'REPORT', 'run the checks that failed in this JSON report', 'all'),
  bail: flag('--bail', 'end the run after the first failure'),
  keep: flag('--keep', 'leave the files of the environments of failures'),
  compare: file('--compare', 'REPORT', 'print new and fixed failures since this JSON report'),
  list: flag('--list', 'print the checks as a specification and run none'),
  coverage: flag('--coverage', 'with the profile: fail when the run leaves out a part of the API'),
  shard: text('--shard', 'I/N', 'run the I-th of N parts', 'all'),
  seed: number('--seed', 'the seed of the random checks', 0, 2 ** 31 - 1, 'random'),
  deviations: file('--deviations', 'FILE', 'the known deviations of the implementation'),
  without: several('--without', 'NAME', 'what the implementation declares to lack', 'nothing'),
  jobs: number('--jobs', 'how many checks run at a time', 1, 64, 'two a core, and 4 more'),
  report: several('--report', 'FORMAT[=FILE]', 'text, json, junit or html', 'text'),
};

const part = (flag: string, help: string): Setting<'stand-in' | 'real'> => ({
  ...text(flag, 'PART', `stand-in or real: ${help}`, 'stand-in'),
  parse: once((value) => {
    if (value !== 'stand-in' && value !== 'real') throw expected('stand-in or real', value);
    return value;
  }),
});

/** Settings of the box's suite: the programs that a box calls can be real ones. */
export const boxConformanceSettings = {
  ...conformanceSettings,
  browser: file('--browser', 'PATH', 'a Chromium or Chrome, for the checks of the management page'),
  docker: part('--docker', 'the container tool and the engine that it reaches'),
  systemd: part('--systemd', 'the service manager, as root'),
};

/** Settings of the gateway's suite; an address with a password has to be in the variable. */
export const gatewayConformanceSettings = {
  ...conformanceSettings,
  tunnel: {
    ...text('--tunnel', 'URL', 'a wg-easy that is there already', 'a stand-in'),
    parse: once(httpUrl),
  } satisfies Setting<string>,
  tunnelUsername: {
    ...text('--tunnel-username', 'NAME', 'who logs in there', 'admin'),
    variable: 'CONFORMANCE_TUNNEL_USERNAME',
  } satisfies Setting<string>,
  store: {
    ...text('--store', 'URL', 'memory: or postgres://…, a database for each environment', 'its own'),
    parse: once(store),
  } satisfies Setting<string>,
};

function store(address: string): string {
  if (!/^(memory:$|postgres(ql)?:\/\/)/.test(address)) throw new Error('expected memory: or postgres://…');
  return address;
}

function httpUrl(address: string): string {
  const protocol = URL.canParse(address) ? new URL(address).protocol : '';
  if (holdsPassword(address)) throw new Error('the password belongs into CONFORMANCE_TUNNEL_PASSWORD');
  if (!/^https?:$/.test(protocol)) throw expected('http://… or https://…', address);
  return address;
}

const holdsPassword = (address: string) => URL.canParse(address) && new URL(address).password !== '';

/** The variables of the gateway's suite that have no flag. */
export const gatewayConformanceSecrets: readonly Secret[] = [
  { variable: 'CONFORMANCE_TUNNEL_PASSWORD', help: 'the password of the wg-easy of --tunnel' },
];

export function readConformanceOptions(
  settings: Readonly<Record<string, Setting<unknown>>>,
  flags: GivenFlags,
  env: NodeJS.ProcessEnv,
): Omit<ConformanceOptions, 'api'> {
  const values = Object.entries(settings).map(([key, setting]) => [key, given<unknown>(setting, flags, env)]);
  const options = Object.fromEntries(values.filter(([, value]) => value !== undefined));
  // Everybody on a machine sees its processes' arguments.
  if (flags['--store']?.some(holdsPassword))
    throw new UsageError('--store: an address with a password belongs into CONFORMANCE_STORE');
  if (options.tunnel === undefined) return options;
  const tunnelPassword = givenSecret('CONFORMANCE_TUNNEL_PASSWORD', env);
  if (tunnelPassword === undefined) throw new UsageError('CONFORMANCE_TUNNEL_PASSWORD is not set');
  return { ...options, tunnelPassword };
}
