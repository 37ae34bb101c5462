import { parseArgs } from 'node:util';
import { givenSecret } from './secret.ts';
import { UsageError } from './usage-error.ts';

/** One setting of a command: its row defines the parsing, the line of `--help`, the name in errors and the default. */
export type Setting<T> = Names & {
  /** The placeholder for the value in `--help`; `null` for a switch. */
  argument: string | null;
  help: string;
  /** Parses the values, one for each use of the flag. Throws an error with the expected form. */
  parse(texts: string[], isVariable: boolean): T;
  /** Separates the values in the variable; `null` if there is only one. */
  separator: string | null;
  usual: Usual<T>;
  /** The line of `--help` about a variable that may have a secret. A file that `…_FILE` names may have it too. */
  secretHelp: string | null;
};

/** The flag is empty if only the variable sets the value, and the variable is empty if only the flag does. */
type Names = { flag: string; variable: string };

/** What counts without flag and variable, and how `--help` shows it. */
type Usual<T> = { shown: string; of(source: Source, names: Names): T };

export type Settings = Readonly<Record<string, Setting<unknown>>>;
export type Values<Rows> = { -readonly [Key in keyof Rows]: Rows[Key] extends Setting<infer Value> ? Value : never };

export type GivenFlags = Readonly<Record<string, string[] | undefined>>;

/** Where settings come from: a flag takes precedence over its variable, and the variable over the default. */
export type Source = { flags: GivenFlags; env: NodeJS.ProcessEnv };

/**
 * A setting with one value. If the flag is repeated, the last value counts.
 * @param usage - the flag, and the placeholder for its value unless it is a switch
 */
export function row<T, U>(
  usage: string,
  variable: string,
  parse: (text: string, isVariable: boolean) => T,
  usual: U | Usual<U>,
  help: string,
): Setting<T | U> {
  const [flag = '', argument = null] = usage.split(' ');
  const last = (texts: string[], isVariable: boolean) => parse(texts.at(-1) ?? '', isVariable);
  const names = { flag, variable, argument, help };
  return { ...names, parse: last, separator: null, usual: usualOf<T | U>(usual), secretHelp: null };
}

/** Each use of the flag adds a value, and the variable has all. */
export function listRow<T, U>(
  usage: string,
  variable: string,
  parse: (texts: string[]) => T[],
  usual: U | Usual<U>,
  help: string,
  separator = ',',
): Setting<T[] | U> {
  return { ...row<T[], U>(usage, variable, () => [], usual, help), parse, separator };
}

/** A secret has no flag, because every user of a machine sees the arguments of processes. */
export function secretRow<T, U>(
  variable: string,
  parse: (text: string) => T,
  usual: U | Usual<U>,
  help: string,
): Setting<T | U> {
  return { ...row('', variable, parse, usual, help), secretHelp: help };
}

/** A default that `--help` tells in words; undefined without `of`. */
export const said = <T = undefined>(shown: string, of: Usual<T>['of'] = () => undefined as T): Usual<T> => ({
  shown,
  of,
});

/** No default: without a value, the reading ends with this problem. */
export const required = (problem: (names: Names) => string): Usual<never> =>
  said('none, it is required', (_source, names): never => {
    throw new UsageError(problem(names));
  });

function usualOf<T>(usual: T | Usual<T>): Usual<T> {
  if (typeof usual === 'object' && usual !== null && 'shown' in usual) return usual;
  const shown = usual === false ? 'no' : String(usual ?? '') || 'none';
  return { shown, of: () => usual };
}

/** Reads the flags and the other words of a command line. Refuses unknown flags and missing values. */
export function readFlags(
  args: readonly string[],
  settings: Settings,
): { flags: GivenFlags; words: string[]; help: boolean } {
  // Most servers have no flags, so Node's parser is loaded on demand.
  if (args.length === 0) return { flags: {}, words: [], help: false };
  const options = Object.values(settings)
    .filter(({ flag }) => flag !== '')
    .map(({ flag, argument }) => [flag.slice(2), { type: argument === null ? 'boolean' : 'string', multiple: true }]);
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { ...Object.fromEntries(options), help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
    });
    const { help = false, ...given } = values as Record<string, (string | boolean)[] | boolean>;
    const flags = Object.entries(given).map(([name, texts]) => [`--${name}`, [texts].flat().map(String)]);
    return { flags: Object.fromEntries(flags), words: positionals, help: help === true };
  } catch (error) {
    // The parser's own message names the flag in its first sentence.
    throw new UsageError((error as Error).message.split(/\.\s|\n/, 1)[0]?.replace(/\.$/, ''));
  }
}

/** Throws UsageError if the text has another form, or if it is missing and required. */
export function read<T>(setting: Setting<T>, source: Source): T {
  const value = given(setting, source);
  return value === undefined ? setting.usual.of(source, setting) : value;
}

export function readAll<Rows extends Settings>(rows: Rows, source: Source): Values<Rows> {
  const values = Object.entries(rows).map(([key, setting]) => [key, read(setting, source)]);
  return Object.fromEntries(values) as Values<Rows>;
}

/** The value without the default; undefined if neither flag nor variable is set. An empty variable counts as unset. */
export function given<T>(setting: Setting<T>, { flags, env }: Source): T | undefined {
  const { flag, variable, separator, secretHelp } = setting;
  const byFlag = flags[flag];
  if (byFlag !== undefined) return parsed(flag, () => setting.parse(byFlag, false));
  const text = secretHelp === null ? env[variable] : givenSecret(variable, env);
  if (text === undefined || text === '') return undefined;
  const texts = separator === null ? [text] : text.split(separator).map((part) => part.trim());
  return parsed(variable, () => setting.parse(texts, true));
}

/** The error names where the text came from. */
export function parsed<T>(name: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new UsageError(`${name}: ${(error as Error).message}`);
  }
}
