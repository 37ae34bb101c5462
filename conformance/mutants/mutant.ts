/**
 * One small change that the instrumenter made possible in the source of a server: while it is switched on, the server
 * does `to` where its source says `from`.
 */
export type Mutant = {
  /** Its number in this build of the program. */
  id: string;
  /** Names it as long as its line stays: see `keyOf`. */
  key: string;
  /** Relative to the root of the repository. */
  file: string;
  line: number;
  /** The sort of change, in the instrumenter's words. */
  kind: string;
};

/** Where a change is made, in numbers that start at 0, as the instrumenter counts. */
export type Place = { start: Position; end: Position };
type Position = { line: number; column: number };

/** What makes a key: nothing in it moves when other lines of the file do. */
export type KeyParts = { file: string; at: string; from: string; to: string };

/** `file | line of source | from → to`, each on one line. A second one of the same words ends with `(2)`. */
export function keyOf({ file, at, from, to }: KeyParts, before: ReadonlySet<string> = new Set()): string {
  const words = [file, oneLine(at), `${oneLine(from)} → ${oneLine(to)}`].join(' | ');
  if (!before.has(words)) return words;
  let count = 2;
  while (before.has(`${words} (${count})`)) count += 1;
  return `${words} (${count})`;
}

/** The text of a place, and the line of source that it starts on. */
export function textAt(source: string, { start, end }: Place): { at: string; from: string } {
  const lines = source.split('\n').slice(start.line, end.line + 1);
  const at = lines[0] ?? '';
  const last = lines.length - 1;
  const cut = lines.map((line, index) =>
    line.slice(index === 0 ? start.column : 0, index === last ? end.column : undefined),
  );
  return { at, from: cut.join('\n') };
}

const longest = 90;

/** Blanks folded; of a long text its beginning and its end. */
function oneLine(text: string): string {
  const folded = text.replaceAll(/\s+/g, ' ').trim();
  if (folded.length <= longest) return folded;
  return `${folded.slice(0, 60)} … ${folded.slice(-25)}`;
}
