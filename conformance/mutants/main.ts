/**
 * `npm run mutants` makes small changes in our own servers, one at a time, and holds the conformance suites against
 * each: a change that no check notices survives. What was found is kept in node_modules/.cache until a source of the
 * servers changes, so that a run goes on where the last one ended.
 *
 *     --minutes N      ends after so many minutes (10)
 *     --sample N       the first N of a uniform sample; all mutants without it
 *     --seed S         which sample (1)
 *     --file PATTERN   only mutants of files whose path holds this
 *     --only IDS       tries only these checks, by commas: those that were just written
 *     --concurrency N  mutants at a time (1)
 *     --checks N       at most so many checks a mutant and run (60)
 *     --write          writes MUTANTS.md and its section of STRENGTH.md, from what is known
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { firstLooks } from './first-looks.ts';
import { instrument } from './instrument.ts';
import { makeLab } from './lab.ts';
import { sample } from './plan.ts';
import { summaryOf, writeFindings } from './report.ts';
import { triedBeginning } from './result.ts';
import { mutatedFiles } from './sources.ts';
import { openSuites } from './suites.ts';

type Values = {
  minutes: string;
  sample: string;
  seed: string;
  file: string;
  only: string;
  concurrency: string;
  checks: string;
};

async function main(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: 'string', default: '10' },
      sample: { type: 'string', default: 'Infinity' },
      seed: { type: 'string', default: '1' },
      file: { type: 'string', default: '' },
      only: { type: 'string', default: '' },
      concurrency: { type: 'string', default: '1' },
      checks: { type: 'string', default: '60' },
      write: { type: 'boolean', default: false },
    },
  });
  if (values.write && values.file !== '') throw new Error('--write: a sample of all files, without --file');
  const leave = enterScratch();
  // Servers that still run are killed when the process ends.
  const breakOff = () => {
    leave();
    process.exit(130);
  };
  process.once('SIGINT', breakOff).once('SIGTERM', breakOff);
  try {
    return await run(values, values.write);
  } finally {
    leave();
  }
}

async function run(values: Values, write: boolean): Promise<number> {
  const end = Date.now() + Number(values.minutes) * 60_000;
  const seed = Number(values.seed);
  const instrumented = await instrument(mutatedFiles());
  const chosen = sample(instrumented.mutants, seed, values.file).slice(0, Number(values.sample));
  const lab = await makeLab(instrumented, {
    suites: openSuites(seed),
    only: values.only === '' ? null : values.only.split(','),
    concurrency: Number(values.concurrency),
    most: Number(values.checks),
    isOver: () => Date.now() > end,
    tell,
  });
  tell(`${instrumented.mutants.length} mutants, ${chosen.length} chosen, sources ${lab.digest}`);
  if (await lab.watch()) await lab.tryAll(chosen);
  const tried = triedBeginning(chosen, lab.watched(), lab.findings());
  const facts = {
    seed,
    digest: lab.digest,
    all: instrumented.mutants.length,
    ignored: instrumented.ignored,
    firstLook: firstLooks.get(seed),
  };
  const summary = summaryOf(tried, facts);
  for (const line of summary.lines) tell(line);
  if (write) writeFindings(tried, facts);
  return summary.holds ? 0 : 1;
}

/**
 * A mutant may remove what it should not. Worlds lie some folders deep in one of their own, and so does the current
 * folder, so that a path that went wrong by a segment or two ends in there.
 */
function enterScratch(): () => void {
  const before = process.cwd();
  const scratch = mkdtempSync(join(tmpdir(), 'boxgate-mutants-'));
  const deep = join(scratch, 'a', 'b', 'c');
  mkdirSync(deep, { recursive: true });
  process.env.TMPDIR = deep;
  process.chdir(deep);
  return () => {
    process.chdir(before);
    rmSync(scratch, { recursive: true, force: true });
  };
}

const tell = (line: string) => void process.stdout.write(`${line}\n`);

process.exitCode = await main(process.argv.slice(2));
