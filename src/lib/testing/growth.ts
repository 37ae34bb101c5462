type Read = (input: string) => unknown;

const firstSize = 4096;
/** Long enough to measure, and short enough that most runs are not interrupted by another program. */
const measurableMs = 2;
const rounds = 20;
/** The system counts a thread's CPU time in ticks of up to 10 ms. */
const countableMs = 200;
/** Runs that must agree before a verdict. */
const agreeingRuns = 5;

/**
 * Linear work takes twice as long for twice the input, quadratic work four times as long. Caches and the garbage
 * collector make linear work grow somewhat faster on a busy machine.
 */
export const mostGrowth = 3;

/**
 * The ratio of the times that `read` takes for an input of double size and for the input. Compares the fastest of
 * several runs. If that ratio is more than `mostGrowth`, the CPU time of longer runs decides, which depends less on the
 * load of the machine. Then the smallest of several ratios counts, since every ratio of a quadratic reader is near 4.
 * Zero if the fastest run with `largest` characters is too short to measure.
 */
export async function growth(read: Read, inputOf: (size: number) => string, largest: number): Promise<number> {
  let size = firstSize;
  while (!(await isMeasurable(read, inputOf(size)))) {
    if (size >= largest) return 0;
    size *= 2;
  }
  const found = await fastestRatio(read, inputOf(size / 2), inputOf(size));
  if (found <= mostGrowth) return found;
  return smallestCpuRatio(read, inputOf(size * 2), inputOf(size * 4));
}

async function isMeasurable(read: Read, input: string): Promise<boolean> {
  for (let round = 0; round < agreeingRuns; round += 1) {
    if ((await wallMs(read, input)) < measurableMs) return false;
  }
  return true;
}

async function smallestCpuRatio(read: Read, half: string, whole: string): Promise<number> {
  let smallest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < agreeingRuns && smallest > mostGrowth; round += 1) {
    const halfMs = await cpuMs(read, half);
    smallest = Math.min(smallest, (await cpuMs(read, whole)) / halfMs);
  }
  return smallest;
}

async function fastestRatio(read: Read, half: string, whole: string): Promise<number> {
  let [halfMs, wholeMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < rounds; round += 1) {
    halfMs = Math.min(halfMs, await wallMs(read, half));
    wholeMs = Math.min(wholeMs, await wallMs(read, whole));
    if (wholeMs <= halfMs * mostGrowth) break;
  }
  return wholeMs / halfMs;
}

async function wallMs(read: Read, input: string): Promise<number> {
  const before = performance.now();
  await read(input);
  return performance.now() - before;
}

/** CPU time of one run, averaged over as many runs as needed for the clock. */
async function cpuMs(read: Read, input: string): Promise<number> {
  const before = process.threadCpuUsage();
  for (let runs = 1; ; runs += 1) {
    await read(input);
    const { user, system } = process.threadCpuUsage(before);
    const usedMs = (user + system) / 1000;
    if (usedMs >= countableMs) return usedMs / runs;
  }
}
