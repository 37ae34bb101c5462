import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

export type Address = { port: number; secret: string };

const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;

/** A `docker` that starts a Node for each call. */
export function plainLauncher(words: readonly string[]): string {
  return `#!/bin/sh\nexec ${words.map(quoted).join(' ')} "$@"\n`;
}

/** What the first line of a script can name: the kernel takes no blank in it and not every length. */
const nameable = /^\/\S{1,119}$/;

/** Where this machine's bash is, which can speak to a port without another program; null when there is none. */
export function findBash(path = process.env.PATH ?? ''): string | null {
  const places = path.split(delimiter).map((folder) => join(folder, 'bash'));
  return places.find((place) => nameable.test(place) && isProgram(place)) ?? null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * A `docker` that hands each call on to the resident, and does what that says. Where that is not possible (another
 * network, a bash of long ago, a directory that is gone, something to be read from its input) it starts a Node, as the
 * plain one does.
 *
 * What was given to it is read from the kernel, because a shell has changed its variables by then; with `-p` it takes
 * no start-up file and no functions from them. The connection gets a number that nobody had: an implementation may hand
 * on open files of its own, which have to stay open.
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
