import type { LogEnd, LogsPorts } from '../logs/ports.ts';

type Reader = { container: string; since: string | null; write(text: string, output?: 'stdout' | 'stderr'): void };

/** Logs of containers that the test writes. */
export class MemoryLogs implements Pick<LogsPorts, 'read'> {
  readers: (Reader & { end(how: LogEnd): void; isStopped: boolean })[] = [];
  /** What a log has at its beginning, by container id. */
  past = new Map<string, string>();

  read(
    container: string,
    { isFollowed, since }: { isFollowed: boolean; since: string | null },
    onOutput: Parameters<LogsPorts['read']>[2],
  ): ReturnType<LogsPorts['read']> {
    const { promise: ended, resolve: end } = Promise.withResolvers<LogEnd>();
    const write: Reader['write'] = (text, output = 'stdout') => onOutput(Buffer.from(text), output);
    const reader = { container, since, write, end, isStopped: false };
    this.readers.push(reader);
    setImmediate(() => {
      write(this.past.get(container) ?? '');
      if (!isFollowed) end('ended');
    });
    const stop = () => {
      reader.isStopped = true;
      end('ended');
    };
    return { ended, stop };
  }
}
