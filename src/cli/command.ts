import { shownText } from '../lib/shown-text.ts';
import type { GivenFlags, Secret, Setting } from './settings/setting.ts';

/** One command, whole: how it is called, what it can be told, what it does. */
export type Command = {
  /** The words that name it. */
  words: string;
  /** What stands for the words that it takes after them. */
  takes: string[];
  summary: string;
  settings: Readonly<Record<string, Setting<unknown>>>;
  secrets?: readonly Secret[];
  /** Its modules are loaded here and not before. The number is the exit status. */
  run(flags: GivenFlags, words: string[], env: NodeJS.ProcessEnv): Promise<number>;
};

/** What `main` prints as its answer; the number is the exit status. */
export function print(text: string): number {
  return tell({ status: 0, text });
}

/** Success goes to standard output, failure to standard error. Names in the text reach no terminal raw. */
export function tell({ status, text }: { status: number; text: string }): number {
  const stream = status === 0 ? process.stdout : process.stderr;
  if (stream.listenerCount('error') === 0) stream.on('error', passOver);
  stream.write(`${shownText(text)}\n`);
  return status;
}

/** Whoever reads may stop before the end, as `head` does: what was to be done is done all the same. */
function passOver(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
