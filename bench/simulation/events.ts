/** Simulated time: what is to happen, in its order. Seconds begin at 0, times are in µs. */
export type Clock = {
  readonly now: number;
  /** Calls it after so long. */
  after(micros: number, event: () => void): void;
  /** Lets time pass until then. */
  runUntil(end: number): void;
};

type Entry = { at: number; order: number; event: () => void };

export function makeClock(): Clock {
  const heap: Entry[] = [];
  let now = 0;
  let order = 0;
  const isBefore = (a: Entry, b: Entry) => a.at < b.at || (a.at === b.at && a.order < b.order);

  function push(entry: Entry): void {
    let at = heap.length;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent] as Entry;
      if (!isBefore(entry, above)) break;
      heap[at] = above;
      at = parent;
    }
    heap[at] = entry;
  }

  function pop(): Entry | undefined {
    const [first] = heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = at * 2 + 1;
      const [left, right] = [heap[child], heap[child + 1]];
      if (left === undefined) break;
      if (right !== undefined && isBefore(right, left)) child += 1;
      const least = heap[child] as Entry;
      if (!isBefore(least, last)) break;
      heap[at] = least;
      at = child;
    }
    heap[at] = last;
    return first;
  }

  return {
    get now() {
      return now;
    },
    after(micros, event) {
      order += 1;
      push({ at: now + micros, order, event });
    },
    runUntil(end) {
      for (let [next] = heap; next !== undefined && next.at <= end; [next] = heap) {
        pop();
        now = next.at;
        next.event();
      }
      now = end;
    },
  };
}

/** So many that each serve one at a time, first come first served. */
export type Resource = {
  /** Takes one of them for a time that is known beforehand. */
  use(micros: number, then: () => void): void;
  /** Takes one of them until `release`. */
  take(then: (release: () => void) => void): void;
  /** The share of their time in which they were taken, since the last reset. */
  utilisation(): number;
  reset(): void;
};

export function makeResource(clock: Clock, size: number): Resource {
  const waiting: ((release: () => void) => void)[] = [];
  let first = 0;
  let taken = 0;
  let busy = 0;
  let since = 0;
  let begun = 0;
  const count = () => {
    busy += taken * (clock.now - since);
    since = clock.now;
  };
  const release = () => {
    const next = waiting[first];
    if (next === undefined) {
      count();
      taken -= 1;
      return;
    }
    first += 1;
    if (first > 10_000) {
      waiting.splice(0, first);
      first = 0;
    }
    next(release);
  };
  const take = (then: (release: () => void) => void) => {
    if (taken === size) {
      waiting.push(then);
      return;
    }
    count();
    taken += 1;
    then(release);
  };
  return {
    take,
    use: (micros, then) =>
      take((done) =>
        clock.after(micros, () => {
          done();
          then();
        }),
      ),
    utilisation() {
      count();
      return busy / (size * (clock.now - begun));
    },
    reset() {
      count();
      busy = 0;
      begun = clock.now;
    },
  };
}

/** Numbers between 0 and 1 that are the same for the same seed (mulberry32). */
export function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
