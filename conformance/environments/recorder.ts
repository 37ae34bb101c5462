import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A recorded call of a program: its arguments and the names of its environment variables. */
export type RecordedCall = { argv: string[]; names: string[] };

/** Quotes a word for a shell. */
export const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;

/**
 * A launcher script that records each call before it runs the real program. Each call is written atomically to a
 * private file. The lines of `before` run in between and may change the arguments.
 */
export function recordingLauncher(program: string, folder: string, before = ''): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return [
    '#!/bin/sh',
    `call=${quoted(folder)}/$(date +%s%N)-$$`,
    `{ printf '%s\\0' "$#" "$@"; env -0; } >"$call.new" && mv "$call.new" "$call.call"`,
    'unset call',
    ...(before === '' ? [] : [before]),
    `exec ${quoted(program)} "$@"`,
    '',
  ].join('\n');
}

/** The recorded calls, oldest first. */
export function recordedCalls(folder: string): RecordedCall[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.call'));
  return files.sort().map((name) => readCall(readFileSync(join(folder, name), 'utf8')));
}

function readCall(text: string): RecordedCall {
  const [count = '0', ...rest] = text.split('\0').slice(0, -1);
  const variables = rest.slice(Number(count));
  return {
    argv: rest.slice(0, Number(count)),
    names: variables.map((entry) => entry.slice(0, entry.indexOf('='))),
  };
}
