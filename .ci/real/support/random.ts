/** The random generator mulberry32. The same seed gives the same numbers. */
export function generator(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export function pick<T>(random: () => number, from: readonly T[]): T {
  const one = from[Math.floor(random() * from.length)];
  if (one === undefined) throw new Error('nothing to pick from');
  return one;
}

/** The seed of all random moments; `BOXGATE_SEED` sets it. */
export const seed = Number(process.env.BOXGATE_SEED ?? Date.now() % 2 ** 31);

/** False in `.ci/run`, which runs a selection of the cases. */
export const isComplete = process.env.BOXGATE_PLAN !== 'run';

/** All rows; in `.ci/run` only `count` of them, evenly spread from the first to the last. */
export function sample<T>(rows: readonly T[], count: number): readonly T[] {
  if (isComplete || rows.length <= count) return rows;
  const gap = (rows.length - 1) / (count - 1);
  return rows.filter((_, index) => Math.round(Math.round(index / gap) * gap) === index);
}
