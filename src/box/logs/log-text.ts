import { followAppLog, type LogPart, readAppLog } from './app-log.ts';
import type { LogsBox } from './ports.ts';

/** Prints the log of an app, and with `isFollowed` its later lines for ever. */
export async function printAppLog(
  box: LogsBox,
  { name, lines, isFollowed }: { name: string; lines: number; isFollowed: boolean },
  print: (text: string) => void,
): Promise<void> {
  if (!isFollowed) return printPart(await readAppLog(box, name, lines), print);
  for await (const part of followAppLog(box, name, lines)) printPart(part, print);
}

function printPart({ lines, left_out: leftOut, notes }: LogPart, print: (text: string) => void): void {
  const texts = [
    ...lines.map(({ time, source, text }) => `${time === null ? '' : `${time.slice(0, 19)}Z `}${source} | ${text}`),
    ...(leftOut === 0 ? [] : [`(${leftOut} lines left out)`]),
    ...notes.map((note) => `(${note})`),
  ];
  if (texts.length > 0) print(texts.join('\n'));
}
