import type { Command } from './command.ts';
import type { Setting } from './settings/setting.ts';

/** The words that select a command, then the placeholders of words that follow, and of those that may follow. */
export function usageParts({ usage }: Command) {
  const words = usage.split(' ');
  return {
    selecting: words.filter((word) => /^[a-z]/.test(word)),
    takes: words.filter((word) => /^[A-Z]/.test(word)),
    mayTake: words.filter((word) => word.startsWith('[')),
  };
}

export function overview(listed: readonly Command[]): string {
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
