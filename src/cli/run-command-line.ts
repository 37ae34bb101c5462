import { join } from 'node:path';
import packageFile from '../../package.json' with { type: 'json' };
import { logLine } from '../lib/log-line.ts';
import { type Command, print } from './command.ts';
import { operatorVariables } from './settings/operator-variables.ts';
import { helpLines, readFlags, secretLines, UsageError } from './settings/setting.ts';

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
  const command = group.find(({ words }) => startsWith(args, words));
  if (command === undefined) return withoutCommand(groups, args);
  const { flags, words, help } = readFlags(args.slice(command.words.split(' ').length), command.settings);
  if (help) return print(commandHelp(command));
  const { takes = [], mayTake = [] } = command;
  const most = takes.length + mayTake.length;
  if (words.length > most) {
    throw new UsageError(`${command.words}: unexpected argument ${JSON.stringify(words[most])}`);
  }
  if (words.length < takes.length) {
    throw new UsageError(`${command.words}: ${takes[words.length]} is missing`);
  }
  const file = settingsFiles[args[0] ?? ''];
  // In the environment itself, as systemd does it: a program such as `docker` inherits them.
  if (file !== undefined && command.hasVariables?.(env) !== true) {
    Object.assign(env, operatorVariables(env, join(folder, file)));
  }
  return command.run(flags, words, env);
}

function startsWith(args: readonly string[], words: string): boolean {
  return words.split(' ').every((word, i) => args[i] === word);
}

async function withoutCommand(groups: Groups, args: readonly string[]): Promise<number> {
  if (args.length === 1 && args[0] === '--version') return print(packageFile.version);
  const words = args.filter((arg) => !arg.startsWith('-'));
  const commands = await Promise.all(Object.values(groups).map((load) => load()));
  const listed = commands
    .flat()
    .filter((command) => startsWith(command.words.split(' '), words.join(' ').trim() || command.words));
  const asksForHelp = args.length === 0 || args.includes('--help') || args.includes('-h');
  if (asksForHelp && listed.length > 0) return print(overview(listed));
  const found = words.length === 0 ? args[0] : words.join(' ');
  throw new UsageError(`expected a command, found ${JSON.stringify(found)}; boxgate --help lists them`);
}

function overview(listed: readonly Command[]): string {
  const rows = listed.map((command) => [usageOf(command), command.summary]);
  const width = Math.max(...rows.map(([usage = '']) => usage.length)) + 2;
  const lines = rows.map(([usage = '', summary]) => `  ${usage.padEnd(width)}${summary}`);
  return ['Commands:', ...lines, '', 'Each command has --help. boxgate --version prints the version.'].join('\n');
}

function usageOf({ words, takes = [], mayTake = [] }: Command): string {
  return ['boxgate', words, ...takes, ...mayTake.map((word) => `[${word}]`)].join(' ');
}

function commandHelp(command: Command): string {
  const { summary, settings, secrets = [] } = command;
  return [
    `${usageOf(command)} [flags]: ${summary}`,
    '',
    ...helpLines(Object.values(settings)),
    ...secretLines(secrets),
  ].join('\n');
}
