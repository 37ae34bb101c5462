import { shownText } from '../../lib/shown-text.ts';
import { refuseNotInstalled } from '../app-files/catalogue.ts';
import { makeMask } from '../app-files/secrets.ts';
import { containersOf } from '../engine/containers-by-app.ts';
import type { Container } from '../engine/rules/container.ts';
import type { LogEnd, LogsBox } from './ports.ts';
import { makeLineSplitter, readLogLine, shortenedLine } from './rules/log-lines.ts';
import { type LogWindow, makeLogWindow } from './rules/log-window.ts';

/** A line of a log. `source` is the service, or the container of a service that has several. */
export type LogLine = { time: string | null; source: string; text: string };

/** Lines in the order of their times. `left_out` lines came with them that are not shown; notes are about the logs. */
export type LogPart = { lines: LogLine[]; left_out: number; notes: string[] };

export const mostLines = 1000;
const gatherMs = 250;
const lookMs = 5000;
/** Lines of Docker about one log. */
const mostSaid = 5;

/** The last lines of all containers of an app, secrets masked. */
export async function readAppLog(box: LogsBox, name: string, lines = mostLines): Promise<LogPart> {
  refuseNotInstalled(box, name);
  const log = openLog(box, name, { lines, isFollowed: false });
  log.open(await containersOf(box, name));
  await log.allEnded();
  return log.take();
}

/**
 * The last lines of all containers of an app, and the later ones as they come: in parts, four times a second at most.
 * If nobody takes a part, later lines are counted and left out. Containers that are started later are read too. The
 * programs that read the logs run until `return` is called.
 * @param mayHaveChanged - asked every few seconds: whether other containers may run now
 */
export function followAppLog(
  box: LogsBox,
  name: string,
  lines = mostLines,
  mayHaveChanged = async () => true,
): AsyncIterableIterator<LogPart> {
  refuseNotInstalled(box, name);
  const log = openLog(box, name, { lines, isFollowed: true });
  let isOver = false;
  let failure = '';
  const look = async () => {
    for (; !isOver; await Promise.race([box.pause(lookMs), log.over])) {
      const isDue = await mayHaveChanged();
      if (!log.hasEnded() && !isDue && failure === '') continue;
      const containers = await containersOf(box, name).catch((error: Error) => {
        if (failure !== error.message) log.note(error.message);
        failure = error.message;
        return [];
      });
      if (containers.length > 0) failure = '';
      if (isOver) return;
      log.open(containers);
    }
  };
  void look();
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      await log.hasMore();
      await Promise.race([box.pause(gatherMs), log.over]);
      return isOver ? { done: true, value: undefined } : { done: false, value: log.take() };
    },
    async return() {
      isOver = true;
      log.close();
      return { done: true, value: undefined };
    },
  };
}

type Output = 'stdout' | 'stderr';
type Options = { lines: number; isFollowed: boolean };
type Source = { name: string; stop(): void; isOpen: boolean; startedAt: number | null; lastTime: string };

function openLog(box: LogsBox, app: string, options: Options) {
  const window = makeLogWindow(options.lines);
  const sources = new Map<string, Source>();
  const ends: Promise<unknown>[] = [];
  const over = Promise.withResolvers<void>();
  let more = Promise.withResolvers<void>();
  let hasEnded = false;
  let notes = new Set<string>();
  const note = (text: string) => {
    notes.add(text);
    more.resolve();
  };

  const open = ({ id, startedAt }: Container, name: string) => {
    const before = sources.get(id);
    // A log that ended is read again when its container was started again.
    if (before !== undefined && (before.isOpen || before.startedAt === startedAt)) return;
    const since = before?.lastTime ?? '';
    const own: Source = { name, stop: () => undefined, isOpen: true, startedAt, lastTime: since };
    sources.set(id, own);
    const read = readContainer(window, own, () => more.resolve());
    const log = box.logs.read(id, { ...options, since: since === '' ? null : since }, read.add);
    own.stop = log.stop;
    const end = async () => {
      const how = await log.ended;
      own.isOpen = false;
      hasEnded = true;
      const problem = read.end(how);
      if (problem !== null) note(`${name}: ${problem}`);
    };
    ends.push(end());
  };

  return {
    over: over.promise,
    hasMore: () => Promise.race([more.promise, over.promise]),
    note,
    open(containers: readonly Container[]) {
      for (const one of containers) {
        const isOnly = containers.filter(({ service }) => service === one.service).length === 1;
        open(one, isOnly ? one.service : one.name);
      }
    },
    allEnded: () => Promise.all(ends),
    /** Whether a log has ended since the last call. */
    hasEnded() {
      const before = hasEnded;
      hasEnded = false;
      return before;
    },
    take(): LogPart {
      const mask = makeMask(box);
      const taken = window.take();
      const part = {
        lines: taken.lines.map(({ source, line, isCut }) => {
          const { time, text } = readLogLine(line);
          return { time, source, text: shownText(shortenedLine(mask(text, app), isCut)) };
        }),
        left_out: taken.leftOut,
        notes: [...notes].map((text) => shownText(mask(text, app))),
      };
      notes = new Set();
      more = Promise.withResolvers();
      return part;
    },
    close() {
      over.resolve();
      for (const { stop } of sources.values()) stop();
    },
  };
}

/** Puts the lines of one container into the window; `onMore` is called after each. */
function readContainer(window: LogWindow, container: Source, onMore: () => void) {
  const { name: source, lastTime: since } = container;
  /** Docker's own words, which have no time, or those of a container if this Docker gives no times. */
  const said: string[] = [];
  const add = (line: string, isCut = false) => window.add({ source, line, isCut, sortedBy: container.lastTime });
  const onLine = (line: string, isCut: boolean, output: Output) => {
    const { time } = readLogLine(line);
    if (time !== null && time <= since) return;
    container.lastTime = time ?? container.lastTime;
    if (time === null && output === 'stderr' && said.length < mostSaid) said.push(line);
    else {
      for (const one of said.splice(0)) add(one);
      add(line, isCut);
    }
    onMore();
  };
  const onLeftOut = () => {
    window.leaveOut();
    onMore();
  };
  const splitterOf = (output: Output) =>
    makeLineSplitter(
      (bytes) => window.hasRoom(source, bytes),
      (line, isCut) => onLine(line, isCut, output),
      onLeftOut,
    );
  const splitters = { stdout: splitterOf('stdout'), stderr: splitterOf('stderr') };
  return {
    add: (chunk: Buffer, output: Output) => splitters[output].add(chunk),
    /** Returns the problem of a log that was not read to its end. */
    end(how: LogEnd): string | null {
      for (const splitter of Object.values(splitters)) splitter.close();
      const problem = problemOf(how, said.join(' / '));
      if (problem === null) for (const one of said) add(one);
      return problem;
    },
  };
}

/** `null` if the log was read to its end. */
function problemOf(how: LogEnd, said: string): string | null {
  if (how === 'ended') return null;
  if (how === 'no docker') return 'the program docker is not on PATH; is Docker installed?';
  if (how === 'too many') return 'its log is not read, because too many logs are followed now; close another one';
  if (/does not support reading/i.test(said)) return 'Docker keeps no log of it that can be read (its log driver)';
  if (/unknown (?:shorthand )?flag|unknown command|not a docker command/i.test(said)) {
    return 'this version of Docker cannot show its log';
  }
  return `its log cannot be read: ${said === '' ? 'Docker says nothing' : said}`;
}

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
