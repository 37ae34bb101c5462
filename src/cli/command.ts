import type { CommandResult } from '../lib/command-result.ts';
import { shownText } from '../lib/shown-text.ts';
import type { Settings, Source } from './settings/setting.ts';

export type Command = {
  /** The words that select the command, then placeholders of words that follow. Those in brackets may be left out. */
  usage: string;
  summary: string;
  settings: Settings;
  /**
   * Whether the environment has all variables already: that of a server, which systemd made, or that of a server's job.
   * For every other command of a box, `run` also gets the variables of the settings file.
   */
  hasVariables(env: NodeJS.ProcessEnv): boolean;
  /** Loads its modules on demand. Returns the exit status, or what to print: lines alone are a success. */
  run(call: Call): Promise<number | string[] | CommandResult>;
};

/** A command as a row of a table. */
export function command(
  usage: string,
  summary: string,
  settings: Settings,
  run: Command['run'],
  hasVariables: Command['hasVariables'] = () => false,
): Command {
  return { usage, summary, settings, run, hasVariables };
}

export type Call = Source & { words: string[] };

export function print(text: string): number {
  return tell({ status: 0, text });
}

/** Prints success on standard output and failure on standard error, with control characters escaped. */
export function tell({ status, text }: CommandResult): number {
  return writeTo(status === 0 ? process.stdout : process.stderr, `${shownText(text)}\n`, status);
}

/** Prints the text of a file as it is. */
export function write(text: string): number {
  return writeTo(process.stdout, text, 0);
}

function writeTo(stream: NodeJS.WriteStream, text: string, status: number): number {
  if (stream.listenerCount('error') === 0) stream.on('error', passOver);
  stream.write(text);
  return status;
}

/** A reader such as `head` may close the pipe early: the command still ends normally. */
function passOver(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
