import { drawnLine } from '../../rules/text/tool-output.ts';

/**
 * Only this much of a longer line is read: Docker divides it, with a time between the parts, so that a secret behind
 * it could not be recognised.
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
  onLine: (line: string, isCut: boolean) => void,
  onLeftOut: () => void,
) {
  let parts: Buffer[] = [];
  let length = 0;
  const end = (chunk: Buffer, from: number, to: number) => {
    keep(chunk, from, to);
    if (room(Math.min(length, longestRead))) onLine(Buffer.concat(parts).toString('utf8'), length > longestRead);
    else onLeftOut();
    parts = [];
    length = 0;
  };
  const keep = (chunk: Buffer, from: number, to: number) => {
    const kept = chunk.subarray(from, Math.min(to, from + longestRead - length));
    // A copy, because a part would keep the whole chunk in memory.
    if (length < longestRead) parts.push(Buffer.from(kept));
    length += to - from;
  };
  return {
    add(chunk: Buffer) {
      let from = 0;
      for (let to = chunk.indexOf(newline); to !== -1; to = chunk.indexOf(newline, from)) {
        end(chunk, from, to);
        from = to + 1;
      }
      if (from < chunk.length) keep(chunk, from, chunk.length);
    },
    /** A last line without a line end. */
    close() {
      if (length > 0) end(Buffer.alloc(0), 0, 0);
    },
  };
}

const dated = /^(\d{4}-\d\d-\d\dT[\d:.]{8,18}(?:Z|[+-]\d\d:\d\d)) /;

/** A line of a log as Docker prints it: its time, `null` if it has none, and its text as a terminal leaves it. */
export function readLogLine(line: string): { time: string | null; text: string } {
  const time = dated.exec(line)?.[1] ?? null;
  const text = time === null ? line : line.slice(time.length + 1);
  return { time, text: drawnLine(text) };
}

/** Shortens a line after its secrets were masked. `isCut` says that a part of it was not read. */
export function shortenedLine(text: string, isCut: boolean): string {
  if (!isCut && text.length <= longestShown) return text;
  return `${text.slice(0, longestShown).toWellFormed()}… (line shortened)`;
}
