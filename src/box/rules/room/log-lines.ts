/**
 * A longer line is left out: Docker divides it, with a time between the parts, so that a secret in it could not be
 * recognised.
 */
const longestRead = 16 * 1024;
/** Characters of a line that are shown. */
const longestShown = 4096;

const newline = 10;

/**
 * Splits the bytes of a log into lines. `room` says, before each line, whether it may be kept; the bytes of the others
 * are only counted, so that a fast log costs little.
 */
export function makeLineSplitter(
  room: (bytes: number) => boolean,
  onLine: (line: string) => void,
  onLeftOut: () => void,
) {
  let parts: Buffer[] = [];
  let length = 0;
  const end = (chunk: Buffer, from: number, to: number) => {
    const isKept = length + to - from <= longestRead && room(length + to - from);
    if (isKept) onLine(Buffer.concat([...parts, chunk.subarray(from, to)]).toString('utf8'));
    else onLeftOut();
    parts = [];
    length = 0;
  };
  return {
    add(chunk: Buffer) {
      let from = 0;
      for (let to = chunk.indexOf(newline); to !== -1; to = chunk.indexOf(newline, from)) {
        end(chunk, from, to);
        from = to + 1;
      }
      length += chunk.length - from;
      if (length > longestRead) parts = [];
      // A copy, because a part would keep the whole chunk in memory.
      else if (from < chunk.length) parts.push(Buffer.from(chunk.subarray(from)));
    },
    /** A last line without a line end. */
    close() {
      if (length > 0) end(Buffer.alloc(0), 0, 0);
    },
  };
}

const dated = /^(\d{4}-\d\d-\d\dT[\d:.]{8,18}(?:Z|[+-]\d\d:\d\d)) /;
/** Colours and other changes of the type, which most programs print. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters.
const typeface = /\x1b\[[\d;:]{0,64}m/g;

/** A line of a log as Docker prints it: its time, `null` if it has none, and its text without colours. */
export function readLogLine(line: string): { time: string | null; text: string } {
  const time = dated.exec(line)?.[1] ?? null;
  const text = time === null ? line : line.slice(time.length + 1);
  return { time, text: text.replace(/\r$/, '').replaceAll(typeface, '') };
}

/** Shortens a line after its secrets were masked. */
export function shortenedLine(text: string): string {
  return text.length > longestShown ? `${text.slice(0, longestShown).toWellFormed()}… (line shortened)` : text;
}
