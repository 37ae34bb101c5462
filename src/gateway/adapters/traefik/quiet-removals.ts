/**
 * When files may go from a directory that a proxy reads whole at every event in it. Such a reading lists the directory
 * and then opens what it listed: a file that goes in between is a fault to it, which it writes down and mends only
 * because the removal is the next event. So a removal waits until the readings that our own changes caused are over,
 * and what would cause another one waits behind it.
 *
 * A proxy that was seen reading is waited for: a reading must have begun since the last change. How long it then takes
 * is a rule of thumb: a little for each file, and some in which a next one would begin, the more the more processes wait
 * for their turn and the longer the proxy took to begin. choice/gateway/118
 */
export type QuietRemovals = {
  /** Puts files in place: at once, or behind the removals that wait. `added` is how many were not there before. */
  change(added: number, work: () => Promise<void>): Promise<void>;
  /**
   * Takes a file away when it is quiet, after the changes that wait. Where no proxy was seen, all that wait by then go
   * together, and so do those that wait when it has taken long to let them go one by one.
   */
  remove(work: () => Promise<void>): Promise<void>;
};

/** The clock, how many processes want to run for each processor, and whether a reading began since the last asking. */
export type Machine = { now(): number; pause(ms: number): Promise<void>; load(): number; wasRead(): boolean };

type Work = () => Promise<void>;
type Waiting = {
  readonly works: Work[];
  readonly gone: Promise<void>;
  /** A change waits for it: what comes later is not to keep that waiting. */
  isFollowed: boolean;
};

const beginMs = 20;
const eachFileMs = 0.5;
/** How often a proxy that is waited for is looked at. */
const lookMs = 5;
/** The longest that a removal waits, however many files there are, or whatever became of the proxy. */
const mostMs = 1000;
/** How long a proxy is waited for of which a new life does not know yet whether there is one. */
const unknownMs = 150;
/** So long they go one by one: each may wait the longest, and whoever publishes waits for them all. */
const oneByOneMs = 5000;

/** What is known of a proxy at the start: whether it has read what another life changed. */
export type KnownProxy = 'seen' | 'unknown' | 'none';

/** `files`: how many the directory has at the start. What another life changed just before may be being read. */
export function makeQuietRemovals(
  { now, pause, load, wasRead }: Machine,
  files: number,
  proxy: KnownProxy,
): QuietRemovals {
  let count = files;
  let isSeen = proxy !== 'none';
  let patienceMs = proxy === 'unknown' ? unknownMs : mostMs;
  let readUntil = now() + count * eachFileMs;
  let waiting: Waiting | null = null;
  // How long after the last change the proxy began to read it, and whether it did.
  let lagMs = 0;
  let hasBegun = proxy !== 'unknown';
  let underWay = 0;

  const changed = (added: number) => {
    count += added;
    hasBegun = false;
    // Events that come while one is read are read one after the other. One that is seen is known to begin anew.
    readUntil = (isSeen ? now() : Math.max(readUntil, now())) + count * eachFileMs;
  };
  const look = () => {
    if (!wasRead()) return false;
    isSeen = true;
    patienceMs = mostMs;
    hasBegun = true;
    readUntil = now() + count * eachFileMs;
    return true;
  };
  const isQuiet = () => underWay === 0 && restMs() <= 0 && (hasBegun || !isSeen);
  const restMs = () => readUntil + Math.max(beginMs * (1 + load()), lagMs) - now();

  /** A proxy that does not begin within the time is not waited for any more, until it is seen again. */
  async function quiet(): Promise<void> {
    const start = now();
    lagMs = 0;
    for (let left = mostMs; left > 0; left = start + mostMs - now()) {
      const isFirst = !hasBegun;
      if (look() && isFirst) lagMs = now() - start;
      if (now() - start >= patienceMs) isSeen &&= hasBegun;
      if (isQuiet()) return;
      // The clock goes on between two looks at it.
      await pause(Math.max(Math.min(left, isSeen || underWay > 0 ? lookMs : restMs()), 0));
    }
    isSeen &&= hasBegun;
  }

  /** The reading that one removal causes would miss the next one's file, so they go one by one. */
  async function removeAll(works: Work[]): Promise<void> {
    const start = now();
    do {
      await quiet();
      const isOneByOne = isSeen && now() - start < oneByOneMs;
      const next = works.splice(0, isOneByOne ? 1 : works.length);
      await Promise.all(next.map((work) => work()));
      changed(-next.length);
    } while (works.length > 0);
    waiting = null;
  }

  const wait = (): Waiting => {
    const works: Work[] = [];
    return { works, gone: removeAll(works), isFollowed: false };
  };

  return {
    async change(added, work) {
      while (waiting !== null) {
        waiting.isFollowed = true;
        await waiting.gone;
      }
      look();
      underWay += 1;
      try {
        await work();
      } finally {
        underWay -= 1;
        changed(added);
      }
    },
    async remove(work) {
      while (waiting?.isFollowed) await waiting.gone;
      look();
      waiting ??= wait();
      const { works } = waiting;
      return new Promise<void>((resolve, reject) => {
        // A failure is its caller's, and none of those that go together with it.
        works.push(() => work().then(resolve, reject));
      });
    },
  };
}
