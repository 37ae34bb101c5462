import { isUtf8 } from 'node:buffer';
import { homedir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { parseArgs } from 'node:util';
import { readRegularFile } from '../../lib/files/read-file.ts';

const largestSecretBytes = 64 * 1024;

/** A wrong command line or variable: one line on standard error, exit status 2. */
export class UsageError extends Error {}

/** One setting of a command: its row defines the parsing, the line of `--help` and the name in errors. */
export type Setting<T> = {
  flag: string;
  /** Empty if only the flag sets it. */
  variable: string;
  /** The placeholder for the value in `--help`; null for a switch. */
  argument: string | null;
  help: string;
  /** The default as `--help` shows it. */
  shownDefault: string;
  /**
   * Parses the values, one for each use of the flag; several only if it is repeatable. Throws an error with the
   * expected form.
   */
  parse(texts: string[]): T;
  repeatable?: boolean;
  /** Separates values in the variable; a comma if it is left out. */
  separator?: string;
};

export type Settings<Values> = { [Key in keyof Values]: Setting<Values[Key]> };

export type GivenFlags = Readonly<Record<string, string[] | undefined>>;

/** Reads the flags and the other words of a command line. Refuses unknown flags and missing values. */
export function readFlags(
  args: readonly string[],
  settings: Readonly<Record<string, Setting<unknown>>>,
): { flags: GivenFlags; words: string[]; help: boolean } {
  // Most servers have no flags, so Node's parser is loaded on demand.
  if (args.length === 0) return { flags: {}, words: [], help: false };
  const options = Object.fromEntries(
    Object.values(settings).map(({ flag, argument }) => [
      flag.slice(2),
      { type: argument === null ? ('boolean' as const) : ('string' as const), multiple: true },
    ]),
  );
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { ...options, help: { type: 'boolean', short: 'h' } },
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

/**
 * The value of the flag, else of the variable; undefined if neither is set. An empty variable counts
 * as unset.
 */
export function given<T>(setting: Setting<T>, flags: GivenFlags, env: NodeJS.ProcessEnv): T | undefined {
  const { flag, variable, repeatable, separator = ',' } = setting;
  const byFlag = flags[flag];
  const text = env[variable];
  if (byFlag !== undefined) return parseNamed(flag, setting, byFlag);
  if (text === undefined || text === '') return undefined;
  return parseNamed(variable, setting, repeatable ? text.split(separator).map((part) => part.trim()) : [text]);
}

/**
 * A secret has no flag, because every user of a machine sees the arguments of processes. Reads the variable, or the
 * file that the variable `…_FILE` names, without the file's last line break. Undefined if neither variable is
 * set. Throws UsageError if the file contains something else than a secret.
 */
export function givenSecret(variable: string, env: NodeJS.ProcessEnv): string | undefined {
  const { [variable]: text = '', [`${variable}_FILE`]: file = '' } = env;
  if (text !== '' && file !== '')
    throw new UsageError(`${variable} and ${variable}_FILE are both set; set only one of them`);
  if (file === '') return text === '' ? undefined : text;
  return secretIn(file, (problem) => new UsageError(`${variable}_FILE: ${problem}`));
}

function secretIn(file: string, failed: (problem: string) => UsageError): string {
  const bytes = secretBytes(file, failed);
  if (bytes === 'nothing') throw failed(`there is no file ${file}`);
  if (bytes === 'no file') throw failed(`${file} is not a regular file`);
  if (bytes.length > largestSecretBytes) throw failed(`${file} is larger than 64 KiB`);
  if (!isUtf8(bytes)) throw failed(`${file} is not UTF-8 text`);
  const secret = bytes.toString('utf8').replace(/\r?\n$/, '');
  const problem = secretProblem(secret);
  if (problem !== null) throw failed(`${file} ${problem}`);
  return secret;
}

/** Editors leave these in a file beside the secret; nobody would see why the secret is refused. */
function secretProblem(secret: string): string | null {
  if (secret === '') return 'is empty';
  if (secret.includes('\0')) return 'has a NUL byte';
  const found = beside.find(([form]) => form.test(secret));
  return found === undefined ? null : `has ${found[1]}: write the secret alone into it, on one line`;
}

const beside: readonly (readonly [RegExp, string])[] = [
  [/^\ufeff/, 'a byte-order mark before the secret'],
  [/[\r\n]$/, 'more than one line end after the secret'],
  [/[\r\n\u2028\u2029]/, 'more than one line'],
  [/^\s/, 'a blank before the secret'],
  [/\s$/, 'a blank after the secret'],
  [/(?![\u200c\u200d])[\p{Cc}\p{Cf}]/u, 'an invisible character in the secret'],
];

function secretBytes(file: string, failed: (problem: string) => UsageError) {
  try {
    return readRegularFile(file, largestSecretBytes + 1, 'followed');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EACCES') throw failed(`cannot read ${file}: ${code}`);
    const { username, gid } = userInfo();
    throw failed(`the user ${username} may not read ${file}: chgrp ${gid} ${file} && chmod 640 ${file}`);
  }
}

function parseNamed<T>(name: string, setting: Setting<T>, texts: string[]): T {
  try {
    return setting.parse(texts);
  } catch (error) {
    throw new UsageError(`${name}: ${(error as Error).message}`);
  }
}

/** Makes the parser of a setting with one value. If the flag is repeated, the last value counts. */
export function once<T>(parse: (text: string) => T): (texts: string[]) => T {
  return (texts) => parse(texts.at(-1) ?? '');
}

export function expected(what: string, found: string): Error {
  return new Error(`expected ${what}, found ${JSON.stringify(found)}`);
}

export function wholeNumber(from: number, to: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d{1,10}$/.test(text) || value < from || value > to) {
      throw expected(`a whole number from ${from} to ${to}`, text);
    }
    return value;
  };
}

/** A parser that accepts only texts of this form. */
export function matching(form: RegExp, what: string): (text: string) => string {
  return (text) => {
    if (!form.test(text)) throw expected(what, text);
    return text;
  };
}

export const path = matching(/^[^\0]+$/, 'a path');

/** The parser of a switch. */
export const isOn = (text: string): boolean => text === 'true' || text === '1';

/** `HOST:PORT`, an IPv6 address in brackets. */
export function listenAddress(text: string): { host: string; port: number } {
  const [, address, name, port = ''] = /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9_.-]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = address ?? name;
  if (host === undefined || Number(port) > 65535) {
    throw expected('HOST:PORT, such as 127.0.0.1:9100 or [::1]:9100', text);
  }
  return { host, port: Number(port) };
}

export function defaultStateDir(env: NodeJS.ProcessEnv): string {
  if (process.getuid?.() === 0) return '/var/lib/boxgate';
  const { XDG_STATE_HOME: state = '' } = env;
  // The XDG specification ignores relative paths.
  return join(isAbsolute(state) ? state : join(homedir(), '.local/state'), 'boxgate');
}

/** A setting without a flag: its variable, and the line of `--help`. */
export type Secret = { variable: string; help: string };

export function secretLines(secrets: readonly Secret[]): string[] {
  if (secrets.length === 0) return [];
  const rows = secrets.map(({ variable, help }) => ({ left: `  ${variable}`, right: help }));
  const width = Math.max(...rows.map(({ left }) => left.length)) + 2;
  return [
    '',
    'Secrets, each in a variable or in a file that the variable with _FILE after its name names:',
    ...rows.map(({ left, right }) => left.padEnd(width) + right),
  ];
}

export function helpLines(settings: readonly Setting<unknown>[]): string[] {
  const rows = settings.map(({ flag, argument, variable, help, shownDefault, repeatable }) => ({
    left: `  ${argument === null ? flag : `${flag} ${argument}`}`,
    right: `${help}${repeatable ? ' (repeatable)' : ''} [${variable === '' ? '' : `${variable}; `}default: ${shownDefault}]`,
  }));
  const width = Math.max(...rows.map(({ left }) => left.length), '  --help'.length) + 2;
  return [...rows, { left: '  --help', right: 'this text' }].map(({ left, right }) => left.padEnd(width) + right);
}
