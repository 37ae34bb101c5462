/**
 * When files may go from a directory that a proxy reads whole at every event in it. Such a reading lists the directory
 * and then opens what it listed: a file that goes in between is a fault to it, which it writes down and mends only
 * because the removal is the next event. So a removal waits until the readings that our own changes caused are over,
 * and what would cause another one waits behind it.
 *
 * How long a reading takes is a rule of thumb: a little for each file, and some for the proxy to begin, the more the more
 * processes wait for their turn. choice/gateway/118
 */
export type QuietRemovals = {
  /** Puts files in place: at once, or behind the removals that wait. `added` is how many were not there before. */
  change(added: number, work: () => void): Promise<void>;
  /** Takes a file away when it is quiet: at once, or together with all that wait by then. */
  remove(work: () => void): Promise<void>;
};

/** The clock, and how many processes want to run for each processor. */
export type Machine = { now(): number; pause(ms: number): Promise<void>; load(): number };

const beginMs = 20;
const eachFileMs = 0.5;
/** The longest that a removal waits, however many files there are. */
const mostMs = 250;

/** `files`: how many the directory has at the start. What another life changed just before may be being read. */
export function makeQuietRemovals({ now, pause, load }: Machine, files: number): QuietRemovals {
  let count = files;
  let readUntil = now() + count * eachFileMs;
  let waiting: { works: (() => void)[]; gone: Promise<void> } | null = null;

  const changed = (added: number) => {
    count += added;
    // Events that come while one is read are read one after the other.
    readUntil = Math.max(readUntil, now()) + count * eachFileMs;
  };
  const restMs = () => Math.min(readUntil + beginMs * (1 + load()) - now(), mostMs);

  const wait = () => {
    const works: (() => void)[] = [];
    const gone = pause(restMs()).then(() => {
      waiting = null;
      for (const work of works) work();
      readUntil = now();
      changed(-works.length);
    });
    return { works, gone };
  };

  return {
    async change(added, work) {
      while (waiting !== null) await waiting.gone;
      work();
      changed(added);
    },
    async remove(work) {
      if (waiting === null && restMs() <= 0) {
        work();
        changed(-1);
        return;
      }
      waiting ??= wait();
      const { works } = waiting;
      await new Promise<void>((resolve, reject) => {
        works.push(() => {
          try {
            resolve(work());
          } catch (error) {
            // It is the caller's failure, and none of those that go together with it.
            reject(error);
          }
        });
      });
    },
  };
}
