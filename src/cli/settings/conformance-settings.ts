import type { ConformanceOptions } from '../../../conformance/options.ts';
import { expected, isOn, path, text, wholeNumber } from './parsers.ts';
import { given, listRow, read, required, row, type Settings, type Source, said, secretRow } from './setting.ts';

/** A default in words; the suite knows the value. */
const option = <T>(usage: string, parse: (text: string, isVariable: boolean) => T, usual: string, help: string) =>
  row(usage, `CONFORMANCE_${variablePart(usage)}`, parse, said(usual), help);

const several = (usage: string, usual: string, help: string) =>
  listRow(usage, `CONFORMANCE_${variablePart(usage)}`, (texts) => texts, said(usual), help);

function variablePart(usage: string): string {
  return (usage.split(' ')[0] ?? '').slice(2).replaceAll('-', '_').toUpperCase();
}

// biome-ignore format: a setting is a row
const suiteSettings = {
  exec: option('--exec CMD', text, 'none', 'the command line that starts the implementation'),
  strict: option('--strict', isOn, 'no', 'a failed should fails the run too'),
  requirements: option('--requirements VERSION', text, 'the newest, in a checkout all',
    'the checks of this version count, or all'),
  noLate: option('--no-late', isOn, 'no', 'a check that passes only with more time fails the run too'),
  profile: option('--profile NAME', text, 'none',
    'boxgate: check the choices of boxgate too, and fail for any of them and any should'),
  only: several('--only ID', 'all', 'run the checks of an id, or of all ids that begin so'),
  rerunFailed: option('--rerun-failed REPORT', path, 'all', 'run the checks that failed in this JSON report'),
  bail: option('--bail', isOn, 'no', 'end the run after the first failure'),
  keep: option('--keep', isOn, 'no', 'leave the files of the environments of failures'),
  compare: option('--compare REPORT', path, 'none', 'print new and fixed failures since this JSON report'),
  list: option('--list', isOn, 'no', 'print the checks as a specification and run none'),
  coverage: option('--coverage', isOn, 'no', 'with the profile: fail when the run leaves out a part of the API'),
  shard: option('--shard I/N', text, 'all', 'run the I-th of N parts'),
  seed: option('--seed N', wholeNumber(0, 2 ** 31 - 1), 'random', 'the seed of the random checks'),
  deviations: option('--deviations FILE', path, 'none', 'the known deviations of the implementation'),
  without: several('--without NAME', 'nothing', 'what the implementation declares to lack'),
  jobs: option('--jobs N', wholeNumber(1, 64), 'two a core, and 4 more', 'how many checks run at a time'),
  report: several('--report FORMAT[=FILE]', 'text', 'text, json, junit or html'),
};

/** Settings of the box's suite: the programs that a box calls can be real ones. */
// biome-ignore format: a setting is a row
export const boxConformanceSettings = {
  ...suiteSettings,
  browser: option('--browser PATH', path, 'none', 'a Chromium or Chrome, for the checks of the management page'),
  docker: option('--docker PART', part, 'stand-in',
    'stand-in or real: the container tool and the engine that it reaches'),
  systemd: option('--systemd PART', part, 'stand-in', 'stand-in or real: the service manager, as root'),
};

const neededPassword = required(({ variable }) => `${variable} is not set`);

// biome-ignore format: a setting is a row
export const gatewayConformanceSettings = {
  ...suiteSettings,
  tunnel: option('--tunnel URL', httpUrl, 'a stand-in', 'a wg-easy that is there already'),
  tunnelUsername: option('--tunnel-username NAME', text, 'admin', 'who logs in there'),
  store: option('--store URL', store, 'its own', 'memory: or postgres://…, a database for each environment'),
  tunnelPassword: secretRow('CONFORMANCE_TUNNEL_PASSWORD', text, neededPassword,
    'the password of the wg-easy of --tunnel'),
};

function part(value: string): 'stand-in' | 'real' {
  if (value !== 'stand-in' && value !== 'real') throw expected('stand-in or real', value);
  return value;
}

/** Everybody on a machine sees its processes' arguments, so only the variable may have a password. */
function store(address: string, isVariable: boolean): string {
  if (!/^(memory:$|postgres(ql)?:\/\/)/.test(address)) throw new Error('expected memory: or postgres://…');
  if (!isVariable && holdsPassword(address))
    throw new Error('an address with a password belongs into CONFORMANCE_STORE');
  return address;
}

function httpUrl(address: string): string {
  if (holdsPassword(address)) throw new Error('the password belongs into CONFORMANCE_TUNNEL_PASSWORD');
  if (!/^https?:$/.test(URL.parse(address)?.protocol ?? '')) throw expected('http://… or https://…', address);
  return address;
}

function holdsPassword(address: string): boolean {
  return (URL.parse(address)?.password ?? '') !== '';
}

/** Only what is given. The suite has the defaults. */
export function readConformanceOptions(settings: Settings, source: Source): Omit<ConformanceOptions, 'api'> {
  const values = Object.entries(settings)
    .filter(([, { flag }]) => flag !== '')
    .map(([key, setting]) => [key, given(setting, source)]);
  const options = Object.fromEntries(values.filter(([, value]) => value !== undefined));
  if (options.tunnel === undefined) return options;
  return { ...options, tunnelPassword: read(gatewayConformanceSettings.tunnelPassword, source) };
}
