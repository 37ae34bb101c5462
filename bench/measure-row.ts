/**
 * A row compares our program with its floor, the simplest program that does the same work. Both are measured in turn,
 * A B A B …, so that a slow machine slows both. The result is the median of the ratios of all rounds. Rounds in which a
 * process waited long for a processor are dropped.
 */
export type Round = { ours: number; floor: number; disturbed: boolean };

export type Row = {
  name: string;
  floor: string;
  goal: number;
  unit: string;
  /** The number of rounds, if it differs from the requested one. */
  rounds?: (asked: number) => number;
  round: (n: number) => Promise<Round>;
};

/** Rows that are measured on the same servers. */
export type Group = { rows: Row[]; close: () => Promise<void> };

export type Verdict = 'met' | 'missed' | 'not measurable';

export type Result = {
  row: Row;
  median: number;
  quartiles: [number, number];
  ours: number;
  floor: number;
  rounds: number;
  dropped: number;
  verdict: Verdict;
};

export async function measureRow(row: Row, asked: number): Promise<Result> {
  const rounds = row.rounds?.(asked) ?? asked;
  const kept: Round[] = [];
  let dropped = 0;
  await row.round(-1); // Warm-up: caches, the just-in-time compiler, lazy loading.
  // At most twice the requested rounds, for a busy machine.
  for (let n = 0; kept.length < rounds && n < rounds * 2; n += 1) {
    const round = await row.round(n);
    if (round.disturbed) dropped += 1;
    else kept.push(round);
  }
  const ratios = kept.map(({ ours, floor }) => ours / floor);
  const median = quantile(ratios, 0.5);
  return {
    row,
    median,
    quartiles: [quantile(ratios, 0.25), quantile(ratios, 0.75)],
    ours: medianOf(kept, 'ours'),
    floor: medianOf(kept, 'floor'),
    rounds: kept.length,
    dropped,
    verdict: verdictOf(median, row.goal, kept.length === rounds),
  };
}

function verdictOf(median: number, goal: number, isMeasured: boolean): Verdict {
  if (!isMeasured) return 'not measurable';
  return median <= goal ? 'met' : 'missed';
}

function medianOf(rounds: readonly Round[], figure: 'ours' | 'floor'): number {
  return quantile(
    rounds.map((round) => round[figure]),
    0.5,
  );
}

/** Interpolates linearly between neighbours. NaN if there are no values. */
export function quantile(values: number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * q;
  const low = sorted[Math.floor(at)] ?? Number.NaN;
  const high = sorted[Math.ceil(at)] ?? Number.NaN;
  return low + (high - low) * (at - Math.floor(at));
}
