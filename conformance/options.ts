import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { PartOptions, RealParts } from './environments/parts.ts';
import { InvalidOption } from './invalid-option.ts';
import type { AnyCheck, Check } from './kernel/check.ts';
import { type Level, levels } from './kernel/rules.ts';
import { reports } from './report/reports.ts';
import type { ApiName } from './run/api.ts';
import { splitCommandLine } from './run/command-line.ts';

export type ConformanceOptions = PartOptions & {
  api: ApiName;
  /** The command line that starts the implementation. Not needed for a list. */
  exec?: string;
  /** The run also fails for a should. */
  strict?: boolean;
  /** The version of a set of checks that count, or `all`. Defaults to the newest set in a release, else to all. */
  requirements?: string;
  /** A late pass fails the run too. */
  noLate?: boolean;
  /** `boxgate`: the run also has the checks of choices, and fails for a should or a choice. */
  profile?: string;
  /** Ids, or prefixes of ids. */
  only?: string[];
  /** A JSON report. Runs only the checks that failed in it and have a required level. */
  rerunFailed?: string;
  /** Ends the run after the first failure of a required level. */
  bail?: boolean;
  /** Leaves the files of the environments of failures of a required level. */
  keep?: boolean;
  /** A JSON report. Prints how this run differs from it. */
  compare?: string;
  list?: boolean;
  /** `i/n`: the i-th of n parts, counted from 1. */
  shard?: string;
  seed?: number;
  deviations?: string;
  /** Fails the run if its traffic does not cover the whole OpenAPI document. Needs all checks, with the profile. */
  coverage?: boolean;
  /** The address of the gateway's store, instead of its own default. */
  store?: string;
  /** The path of a Chromium or Chrome, for the checks of the box's page. */
  browser?: string;
  jobs?: number;
  /** `format` or `format=FILE`. Defaults to text on standard output. */
  report?: string[];
  /** What the implementation declares to lack. Checks that need it do not apply. */
  without?: string[];
  /** Replaces the suite's checks, for tests of the framework. */
  checks?: readonly Check<never>[];
  timeoutMs?: number;
  startTimeoutMs?: number;
  stopTimeoutMs?: number;
  write?: (text: string) => void;
};

/** The levels of the checks and rules of a run. */
export const runLevels = ({ profile }: Pick<ConformanceOptions, 'profile'>): readonly Level[] =>
  profile === undefined ? levels.filter((level) => level !== 'choice') : levels;

/** The levels whose failures make the run fail. */
export function requiredLevels({ strict, profile }: Pick<ConformanceOptions, 'strict' | 'profile'>): Level[] {
  if (profile !== undefined && profile !== 'boxgate')
    throw new InvalidOption(`--profile: only boxgate, found ${profile}`);
  return ['must', ...(strict || profile ? ['should' as const] : []), ...(profile ? ['choice' as const] : [])];
}

/** Whether real parts or a store on a network make every step slower. */
export const isReal = (parts: RealParts, { store }: ConformanceOptions) =>
  Object.keys(parts).length > 0 || store?.startsWith('postgres') === true;

/** The words of the command line that starts the implementation. */
export function readExec(exec: string | undefined): string[] {
  const argv = splitCommandLine(exec ?? '');
  if (argv === null) throw new InvalidOption(`--exec: a quote is not closed: ${exec}`);
  if (argv.length === 0) throw new InvalidOption('--exec: the command that starts the implementation is missing');
  return argv;
}

/** A report that cannot be written must not be noticed only after the run. */
export function refuseUnwritable(file: string): void {
  const place = existsSync(file) ? file : dirname(file);
  try {
    accessSync(place, constants.W_OK);
  } catch (error) {
    throw new InvalidOption(`--report: ${file}: ${(error as Error).message}`);
  }
  if (place === file && statSync(file).isDirectory()) throw new InvalidOption(`--report: ${file} is a folder`);
}

/** Where a report goes. Standard output without a file. */
export type Output = { format: string; file?: string };

/** Parses a value of `--report`. */
export function readReport(text: string): Output {
  const [format = '', ...rest] = text.split('=');
  if (reports[format] === undefined) {
    throw new InvalidOption(`--report: expected ${Object.keys(reports).join(', ')}, found ${text}`);
  }
  return rest.length === 0 ? { format } : { format, file: rest.join('=') };
}

/** What the implementation declares to lack. Each is something that a check of this suite needs. */
export function readWithout(without: readonly string[] = [], all: readonly AnyCheck[]): readonly string[] {
  const known = new Set(all.flatMap(({ options }) => options.needs ?? []));
  const unknown = without.find((name) => !known.has(name));
  if (unknown === undefined) return [...new Set(without)].sort();
  throw new InvalidOption(`--without: expected ${[...known].join(' or ')}, found ${unknown}`);
}

/** The deviations of a file. Each is a check of this suite. */
export function readDeviations(file: string | undefined, all: readonly AnyCheck[]): Map<string, string> {
  if (file === undefined) return new Map();
  try {
    const deviations = parseDeviations(readFileSync(file, 'utf8'));
    const unknown = [...deviations.keys()].find((id) => !all.some((check) => check.id === id));
    if (unknown !== undefined) throw new Error(`no check has the id ${unknown}`);
    return deviations;
  } catch (error) {
    throw new InvalidOption(`--deviations: ${(error as Error).message}`);
  }
}

/** Parses a deviations file, which lists the checks that an implementation is known to fail: `id: reason` per line. */
function parseDeviations(text: string): Map<string, string> {
  const deviations = new Map<string, string>();
  for (const [index, line] of text.split('\n').entries()) {
    const content = line.replace(/(^|\s)#.*$/, '').trim();
    if (content === '') continue;
    const [, id, reason] = /^(\S+):\s+(\S.*)$/.exec(content) ?? [];
    if (id === undefined || reason === undefined) {
      throw new Error(`deviations line ${index + 1}: expected "id: reason", found "${line}"`);
    }
    deviations.set(id, reason);
  }
  return deviations;
}
