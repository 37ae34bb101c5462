import type { GivenFlags, Secret, Setting } from './setting.ts';

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
  process.stdout.write(`${text}\n`);
  return 0;
}

/** Success goes to standard output, failure to standard error. */
export function tell({ status, text }: { status: number; text: string }): number {
  (status === 0 ? process.stdout : process.stderr).write(`${text}\n`);
  return status;
}
