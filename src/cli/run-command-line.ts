import { join } from 'node:path';
import packageFile from '../../package.json' with { type: 'json' };
import { logLine } from '../lib/log-line.ts';
import { type Command, print, tell } from './command.ts';
import { operatorVariables } from './settings/operator-variables.ts';
import { readFlags, type Setting } from './settings/setting.ts';
import { UsageError } from './settings/usage-error.ts';

/** For each first word, a function that loads the commands with this word. Only one group is loaded. */
type Groups = Readonly<Record<string, () => Promise<readonly Command[]>>>;

/** The file from which systemd takes the variables of the units, by the first word of their commands. */
const settingsFiles: Readonly<Record<string, string>> = { box: 'box.env', tunnel: 'box.env' };

/**
 * Makes a program that runs the command that its arguments name. A command that succeeds ends the process when nothing
 * is left to do. A failure ends it at once, even if a failed start left something open.
 */
export function run(groups: Groups): (args: readonly string[], env: NodeJS.ProcessEnv) => Promise<void> {
  return async (args, env) => {
    try {
      process.exitCode = await runCommandLine(groups, args, env, '/etc/boxgate');
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      const lines = text.split('\n').map((line) => line.trim());
      logLine(`boxgate: ${lines.filter((line) => line !== '').join(' ')}`);
      process.exit(error instanceof UsageError ? 2 : 1);
    }
  };
}

/** @param folder - that of the settings files */
export async function runCommandLine(
  groups: Groups,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  folder: string,
): Promise<number> {
  const group = (await groups[args[0] ?? '']?.()) ?? [];
  const command = group.find((one) => startsWith(args, usageParts(one).selecting));
  if (command === undefined) return withoutCommand(groups, args);
  const { selecting, takes, mayTake } = usageParts(command);
  const { flags, words, help } = readFlags(args.slice(selecting.length), command.settings);
  if (help) return print(commandHelp(command));
  const most = takes.length + mayTake.length;
  if (words.length > most) {
    throw new UsageError(`${selecting.join(' ')}: unexpected argument ${JSON.stringify(words[most])}`);
  }
  if (words.length < takes.length) {
    throw new UsageError(`${selecting.join(' ')}: ${takes[words.length]} is missing`);
  }
  const file = settingsFiles[args[0] ?? ''];
  // In the environment itself, as systemd does it: a program such as `docker` inherits them.
  if (file !== undefined && !command.hasVariables(env)) {
    Object.assign(env, operatorVariables(env, join(folder, file)));
  }
  const end = await command.run({ flags, words, env });
  if (typeof end === 'number') return end;
  if (!Array.isArray(end)) return tell(end);
  for (const line of end) print(line);
  return 0;
}

function startsWith(words: readonly string[], start: readonly string[]): boolean {
  return start.every((word, i) => words[i] === word);
}

async function withoutCommand(groups: Groups, args: readonly string[]): Promise<number> {
  if (args.length === 1 && args[0] === '--version') return print(packageFile.version);
  const words = args.filter((arg) => !arg.startsWith('-'));
  const commands = await Promise.all(Object.values(groups).map((load) => load()));
  const listed = commands.flat().filter(({ usage }) => startsWith(usage.split(' '), words));
  const asksForHelp = args.length === 0 || args.includes('--help') || args.includes('-h');
  if (asksForHelp && listed.length > 0) return print(overview(listed));
  const found = words.length === 0 ? args[0] : words.join(' ');
  throw new UsageError(`expected a command, found ${JSON.stringify(found)}; boxgate --help lists them`);
}

/** The words that select a command, then the placeholders of words that follow, and of those that may follow. */
function usageParts({ usage }: Command) {
  const words = usage.split(' ');
  return {
    selecting: words.filter((word) => /^[a-z]/.test(word)),
    takes: words.filter((word) => /^[A-Z]/.test(word)),
    mayTake: words.filter((word) => word.startsWith('[')),
  };
}

function overview(listed: readonly Command[]): string {
  const lines = columns(listed.map(({ usage, summary }) => [`  boxgate ${usage}`, summary]));
  return ['Commands:', ...lines, '', 'Each command has --help. boxgate --version prints the version.'].join('\n');
}

export function commandHelp({ usage, summary, settings }: Command): string {
  const rows = Object.values(settings);
  return [`boxgate ${usage} [flags]: ${summary}`, '', ...flagLines(rows), ...secretLines(rows)].join('\n');
}

function flagLines(settings: readonly Setting<unknown>[]): string[] {
  const rows = settings
    .filter(({ flag }) => flag !== '')
    .map(({ flag, argument, variable, help, usual, separator }): [string, string] => [
      argument === null ? `  ${flag}` : `  ${flag} ${argument}`,
      `${help}${separator === null ? '' : ' (repeatable)'} [${variable === '' ? '' : `${variable}; `}default: ${usual.shown}]`,
    ]);
  return columns([...rows, ['  --help', 'this text']]);
}

function secretLines(settings: readonly Setting<unknown>[]): string[] {
  const secrets = settings.toSorted((a, b) => Number(a.flag !== '') - Number(b.flag !== ''));
  const rows = secrets.flatMap(({ variable, secretHelp }): [string, string][] =>
    secretHelp === null ? [] : [[`  ${variable}`, secretHelp]],
  );
  if (rows.length === 0) return [];
  const title = 'Secrets, each in a variable or in a file that the variable with _FILE after its name names:';
  return ['', title, ...columns(rows)];
}

function columns(rows: readonly [left: string, right: string][]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  return rows.map(([left, right]) => left.padEnd(width) + right);
}
