import packageFile from '../../package.json' with { type: 'json' };
import { conformanceSettings, readConformanceOptions } from './conformance-settings.ts';
import { type GivenFlags, helpLines, readFlags, type Setting, UsageError } from './setting.ts';
import { boxSettings, readBoxSettings } from './settings.ts';

type Command = {
  /** The words that name it. */
  words: string;
  /** What stands for the words that it takes after them. */
  takes: string[];
  summary: string;
  settings: Readonly<Record<string, Setting<unknown>>>;
  /** Its modules are loaded here and not before. The number is the exit status. */
  run(flags: GivenFlags, words: string[], env: NodeJS.ProcessEnv): Promise<number>;
};

const { installedApps, stateDir, releaseFeed, releaseKey, softwareDir } = boxSettings;
const trashSettings = { installedApps, stateDir };
const updateSettings = { installedApps, stateDir, releaseFeed, releaseKey, softwareDir };

const commands: readonly Command[] = [
  {
    words: 'box serve',
    takes: [],
    summary: 'run the app manager of a box',
    settings: boxSettings,
    async run(flags, _words, env) {
      const settings = readBoxSettings(flags, env);
      const { serveBox } = await import('../box/server.ts');
      await serveBox(settings);
      return 0;
    },
  },
  {
    words: 'box update check',
    takes: [],
    summary: 'ask the release feed for a newer version of the box software',
    settings: updateSettings,
    async run(flags, _words, env) {
      const settings = readBoxSettings(flags, env);
      const { updateCheckCommand } = await import('../box/update-commands.ts');
      return tell(await updateCheckCommand(settings, packageFile.version));
    },
  },
  {
    words: 'box update apply',
    takes: [],
    summary: 'update the box software',
    settings: updateSettings,
    async run(flags, _words, env) {
      const settings = readBoxSettings(flags, env);
      const { updateApplyCommand } = await import('../box/update-commands.ts');
      return tell(await updateApplyCommand(settings, packageFile.version));
    },
  },
  {
    words: 'box trash list',
    takes: [],
    summary: 'list the removed apps that are still kept',
    settings: trashSettings,
    async run(flags, _words, env) {
      const { makeBox, trashLines } = await import('./box-commands.ts');
      for (const line of trashLines(makeBox(readBoxSettings(flags, env)))) process.stdout.write(`${line}\n`);
      return 0;
    },
  },
  {
    words: 'box trash restore',
    takes: ['NAME'],
    summary: 'bring a removed app back',
    settings: trashSettings,
    async run(flags, [name = ''], env) {
      const { makeBox, restoreApp } = await import('./box-commands.ts');
      const restored = await restoreApp(makeBox(readBoxSettings(flags, env)), name);
      const text = restored
        ? `${name} is back`
        : `no removed app of the name ${JSON.stringify(name)} is kept`;
      return tell({ status: restored ? 0 : 1, text });
    },
  },
  {
    words: 'demo',
    takes: [],
    summary: 'run a box on stand-ins, with sample apps, on a machine without Docker',
    settings: {},
    async run() {
      const { runDemo } = await import('./demo.ts');
      await runDemo();
      return Number(process.exitCode ?? 0);
    },
  },
  {
    words: 'conformance box',
    takes: [],
    summary: 'run the conformance suite of the box against any implementation',
    settings: conformanceSettings,
    async run(flags, _words, env) {
      const options = readConformanceOptions(flags, env);
      const { runConformance } = await import('../../conformance/main.ts');
      return runConformance({ api: 'box', ...options });
    },
  },
];

/** Runs the command that the arguments name; the process ends with its exit status when nothing is left to do. */
export async function main(args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  try {
    process.exitCode = await runCommandLine(args, env);
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    process.stderr.write(`boxgate: ${text.replaceAll(/\s*\n\s*/g, ' ')}\n`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}

async function runCommandLine(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const command = commands.find(({ words }) => startsWith(args, words));
  if (command === undefined) return withoutCommand(args);
  const { flags, words, help } = readFlags(args.slice(command.words.split(' ').length), command.settings);
  if (help) return print(commandHelp(command));
  if (words.length > command.takes.length) {
    throw new UsageError(
      `${command.words}: unexpected argument ${JSON.stringify(words[command.takes.length])}`,
    );
  }
  if (words.length < command.takes.length) {
    throw new UsageError(`${command.words}: ${command.takes[words.length]} is missing`);
  }
  return command.run(flags, words, env);
}

function startsWith(args: readonly string[], words: string): boolean {
  return words.split(' ').every((word, i) => args[i] === word);
}

function withoutCommand(args: readonly string[]): number {
  if (args.length === 1 && args[0] === '--version') return print(packageFile.version);
  const words = args.filter((arg) => !arg.startsWith('-'));
  const listed = commands.filter((command) =>
    startsWith(command.words.split(' '), words.join(' ').trim() || command.words),
  );
  const asksForHelp = args.includes('--help') || args.includes('-h');
  if (asksForHelp && listed.length > 0) return print(overview(listed));
  const found = words.length === 0 ? (args[0] ?? 'none') : words.join(' ');
  throw new UsageError(`expected a command, found ${JSON.stringify(found)}; boxgate --help lists them`);
}

function overview(listed: readonly Command[]): string {
  const rows = listed.map(({ words, takes, summary }) => [['boxgate', words, ...takes].join(' '), summary]);
  const width = Math.max(...rows.map(([usage = '']) => usage.length)) + 2;
  const lines = rows.map(([usage = '', summary]) => `  ${usage.padEnd(width)}${summary}`);
  return ['Commands:', ...lines, '', 'Each command has --help. boxgate --version prints the version.'].join(
    '\n',
  );
}

function commandHelp({ words, takes, summary, settings }: Command): string {
  const usage = ['boxgate', words, ...takes, '[flags]'].join(' ');
  return [`${usage}: ${summary}`, '', ...helpLines(Object.values(settings))].join('\n');
}

function print(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}

function tell({ status, text }: { status: number; text: string }): number {
  (status === 0 ? process.stdout : process.stderr).write(`${text}\n`);
  return status;
}
