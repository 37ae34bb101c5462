/** A line as it was read, or its beginning. A line without a time is sorted by that of the line before it. */
export type ReadLine = { source: string; line: string; isCut: boolean; sortedBy: string };

export type LogWindow = ReturnType<typeof makeLogWindow>;

/** Bytes of the past of all containers, and of one. */
const mostFirst = 4 * 1024 * 1024;
const mostFirstOfOne = 1024 * 1024;
/** What is shown of the lines that come between two parts later. */
const mostLater = 128 * 1024;
const linesLater = 250;

/**
 * The lines of several containers that wait to be shown, in bounded memory. It keeps the latest lines of a container's
 * past. After the first `take` it keeps the first lines, so that a fast log costs little.
 */
export function makeLogWindow(most: number) {
  const shown = new Set<string>();
  let bySource = new Map<string, { lines: ReadLine[]; bytes: number }>();
  let later = { lines: 0, bytes: 0 };
  let leftOut = 0;
  return {
    hasRoom: (source: string, length: number) =>
      !shown.has(source) || (later.lines < linesLater && later.bytes + length <= mostLater),
    leaveOut() {
      leftOut += 1;
    },
    add(line: ReadLine) {
      const { source } = line;
      const { length } = line.line;
      const own = bySource.get(source) ?? { lines: [], bytes: 0 };
      bySource.set(source, own);
      own.lines.push(line);
      own.bytes += length;
      if (shown.has(source)) {
        later.lines += 1;
        later.bytes += length;
        return;
      }
      const mostBytes = Math.min(mostFirstOfOne, mostFirst / bySource.size);
      while (own.lines.length > most || own.bytes > mostBytes) {
        for (const oldest of own.lines.splice(0, 1)) own.bytes -= oldest.line.length;
      }
    },
    /** The lines in the order of their times, and how many others came with them. */
    take(): { lines: ReadLine[]; leftOut: number } {
      const lines = [...bySource.values()].flatMap((own) => own.lines);
      lines.sort((a, b) => (a.sortedBy === b.sortedBy ? 0 : a.sortedBy < b.sortedBy ? -1 : 1));
      const taken = { lines: lines.slice(-most), leftOut };
      for (const source of bySource.keys()) shown.add(source);
      bySource = new Map();
      later = { lines: 0, bytes: 0 };
      leftOut = 0;
      return taken;
    },
  };
}
