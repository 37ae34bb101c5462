import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { readTextIfThere } from '../lib/files/read-file.ts';
import type { Ask } from './settings/gateway-setup-settings.ts';
import { UsageError } from './settings/usage-error.ts';

const largestBytes = 64 * 1024;

/** Asks at the terminal; null without one. */
export function terminalAsk(): Ask | null {
  const { stdin, stdout } = process;
  if (!stdin.isTTY) return null;
  return async (question, problemOf) => {
    const lines = createInterface({ input: stdin, output: stdout });
    try {
      for (;;) {
        const answer = (await lines.question(question)).trim();
        const problem = problemOf(answer);
        if (problem === null) return answer;
        stdout.write(`${problem}\n`);
      }
    } finally {
      lines.close();
    }
  };
}

/** Reads the key of backups: the first line of a file, or of standard input. A terminal does not show what is typed. */
export async function readKey(file: string | null): Promise<string> {
  const key = firstLine(file === null ? await typedLine('The key of the backups: ') : readFile(file));
  if (key === '') throw new UsageError(`there is no key ${file === null ? 'on standard input' : `in ${file}`}`);
  return key;
}

function readFile(file: string): string {
  try {
    const text = readTextIfThere(file, largestBytes);
    if (text === null) throw new UsageError(`there is no file ${file}`);
    return text;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(`cannot read ${file}: ${code ?? 'it is not a regular file'}`);
  }
}

/** A line of standard input. A terminal shows the question, and not what is typed. */
export async function typedLine(question: string): Promise<string> {
  const { stdin, stderr } = process;
  if (stdin.isTTY) stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: silent, terminal: stdin.isTTY === true });
  try {
    for await (const line of lines) return line.slice(0, largestBytes);
    return '';
  } finally {
    lines.close();
    if (stdin.isTTY) stderr.write('\n');
  }
}

function firstLine(text: string): string {
  return (text.replace(/^\uFEFF/, '').split('\n', 1)[0] ?? '').trim();
}
