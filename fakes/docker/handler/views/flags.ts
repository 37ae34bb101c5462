import { unknown } from '../../model/failure.ts';

/** Parsed flags by long name, and the remaining arguments. */
export type Flags = {
  has(name: string): boolean;
  text(name: string): string | undefined;
  list(name: string): string[];
  rest: string[];
};

type Kind = 'switch' | 'text' | 'list';
type Named = { name: string; kind: Kind };

/**
 * Parses flags like Docker. In `form`, `d/detach` is a switch with a short name, `t/timeout=` takes a value, `f/file*`
 * can be repeated. With `leading`, the first non-flag ends the flags. Unlisted flags throw `unknown`.
 */
export function readFlags(command: string, form: string, argv: readonly string[], leading = false): Flags {
  const known = readForm(form);
  const values = new Map<string, string[]>();
  const rest: string[] = [];
  const words = [...argv];
  while (words.length > 0) {
    const word = words.shift() ?? '';
    if (word === '--') return flagsOf(values, [...rest, ...words]);
    if (!word.startsWith('-') || word === '-') {
      if (leading) return flagsOf(values, [word, ...words]);
      rest.push(word);
      continue;
    }
    if (word.startsWith('--')) readLong(command, known, word, words, values);
    else readShort(command, known, word, words, values);
  }
  return flagsOf(values, rest);
}

function readForm(form: string): Map<string, Named> {
  const known = new Map<string, Named>();
  for (const entry of form.split(' ').filter(Boolean)) {
    const kind: Kind = entry.endsWith('=') ? 'text' : entry.endsWith('*') ? 'list' : 'switch';
    const names = (kind === 'switch' ? entry : entry.slice(0, -1)).split('/');
    const name = names.at(-1) ?? '';
    for (const one of names) known.set(one, { name, kind });
  }
  return known;
}

function readLong(
  command: string,
  known: Map<string, Named>,
  word: string,
  words: string[],
  values: Map<string, string[]>,
): void {
  const equals = word.indexOf('=');
  const given = known.get(equals < 0 ? word.slice(2) : word.slice(2, equals));
  if (!given || word.length === 3) throw unknown(`the flag ${word} of "${command}"`);
  const inline = equals < 0 ? undefined : word.slice(equals + 1);
  if (given.kind === 'switch') add(values, given, inline ?? 'true');
  else add(values, given, inline ?? valueAfter(command, word, words));
}

function readShort(
  command: string,
  known: Map<string, Named>,
  word: string,
  words: string[],
  values: Map<string, string[]>,
): void {
  for (let index = 1; index < word.length; index += 1) {
    const given = known.get(word[index] ?? '');
    if (!given) throw unknown(`the flag -${word[index]} of "${command}"`);
    if (given.kind === 'switch') {
      add(values, given, 'true');
      continue;
    }
    const inline = word.slice(index + 1).replace(/^=/, '');
    add(values, given, inline || valueAfter(command, word, words));
    return;
  }
}

function valueAfter(command: string, word: string, words: string[]): string {
  const value = words.shift();
  if (value === undefined) throw unknown(`the flag ${word} of "${command}" without a value`);
  return value;
}

function add(values: Map<string, string[]>, flag: Named, value: string): void {
  const before = flag.kind === 'list' ? (values.get(flag.name) ?? []) : [];
  values.set(flag.name, [...before, value]);
}

function flagsOf(values: Map<string, string[]>, rest: string[]): Flags {
  return {
    has: (name) => ['true', '1', 't'].includes(values.get(name)?.at(-1)?.toLowerCase() ?? ''),
    text: (name) => values.get(name)?.at(-1),
    list: (name) => values.get(name) ?? [],
    rest,
  };
}
