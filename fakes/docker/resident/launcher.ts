import { delimiter, join } from 'node:path';
import { isExecutable } from '../../is-executable.ts';

export type Address = { port: number; secret: string };

const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;

/** A launcher that starts a Node process for each call. */
export function plainLauncher(words: readonly string[]): string {
  return `#!/bin/sh\nexec ${words.map(quoted).join(' ')} "$@"\n`;
}

/** A path that a shebang can contain: no whitespace, limited length. */
const nameable = /^\/\S{1,119}$/;

/** The path of bash, which can open TCP connections by itself; `null` without bash. */
export function findBash(path = process.env.PATH ?? ''): string | null {
  const places = path.split(delimiter).map((folder) => join(folder, 'bash'));
  return places.find((place) => nameable.test(place) && isExecutable(place)) ?? null;
}

/**
 * A launcher that passes each call to the resident thread. It starts a Node process if that is impossible: another
 * network namespace, an old bash, a missing working directory, or input from standard input.
 *
 * Arguments and variables come from /proc, because the shell has changed its variables by then. `-p` ignores start-up
 * files and exported functions. The connection uses a new descriptor number, because inherited descriptors must stay
 * open.
 */
export function residentLauncher(
  bash: string,
  { port, secret }: Address,
  folder: string,
  words: readonly string[],
): string {
  return `#!${bash} -p
LC_ALL=C
if ((BASH_VERSINFO[0] >= 5)) && [[ " $* " != *' - '* && "$*" != */dev/stdin* && "$*" != */dev/fd/* ]] && {
  cd -P . && mapfile -d '' -t given <"/proc/$$/environ" && exec {wire}<>/dev/tcp/127.0.0.1/${port}
} 2>/dev/null; then
  trap '' PIPE
  printf '%s\\0' ${secret} ${quoted(folder)} "$$" "$PWD" "$#" "$@" "\${#given[@]}" "\${given[@]}" >&"$wire"
  while IFS=' ' read -r -u "$wire" kind size; do
    [ "$kind" = end ] && exit "$size"
    IFS= read -r -u "$wire" -N "$size" text
    printf '%s' "$text" >&"$kind" 2>/dev/null
  done
  exit 125
fi
exec ${words.map(quoted).join(' ')} "$@"
`;
}
