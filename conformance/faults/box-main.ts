/**
 * `node conformance/faults/box-main.ts [NAME…]` holds the suite of the box against every named fault: of each id that
 * a fault breaks a check has to fail. Exit status 1 when one does not.
 *
 *     --shard i/n      the i-th of n parts
 *     --memory FILE    takes up a run that was broken off: what was found before stands there, and new findings come
 *     --write          writes the section of STRENGTH.md; only for all faults at once
 *     --jobs N         faults at a time
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { InvalidOption, reportInvalidOption } from '../kernel/invalid-option.ts';
import { selectChecks } from '../main.ts';
import { boxFaults } from './box-faults.ts';
import { boxStrength } from './box-strength.ts';
import { refuseUnknown, writeSection } from './strength.ts';
import { checksOf, survived, tryFaults, type Verdict } from './trial-of-faults.ts';

const seed = 1;

async function main(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      shard: { type: 'string' },
      memory: { type: 'string' },
      write: { type: 'boolean', default: false },
      jobs: { type: 'string', default: String(availableParallelism()) },
    },
  });
  refuseUnknown(positionals, boxFaults);
  const named = boxFaults.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  const chosen = partOf(named, values.shard);
  const isWhole = chosen.length === boxFaults.length;
  if (values.write && !isWhole) throw new InvalidOption('--write: the table has all faults or none');
  const options = {
    jobs: Number(values.jobs),
    seed,
    ...(values.memory === undefined ? {} : { memory: values.memory }),
  };
  if (!(await isSound(options))) return 1;
  const startedAt = Date.now();
  const verdicts = await tryFaults(chosen, { ...options, onVerdict: tell });
  const missed = verdicts.filter((verdict) => survived(verdict).length > 0);
  const seconds = Math.round((Date.now() - startedAt) / 1000);
  process.stdout.write(
    `${verdicts.length - missed.length} of ${verdicts.length} faults are noticed, in ${seconds} s\n`,
  );
  if (values.write && missed.length === 0) writeSection('The box', boxStrength(verdicts));
  return missed.length === 0 ? 0 : 1;
}

/** Without a fault every check passes, or else what it says of one means nothing. */
async function isSound(options: { jobs: number; memory?: string }): Promise<boolean> {
  const kills = [...new Set(boxFaults.flatMap((fault) => fault.kills))];
  const isChoice = (id: string) => id.startsWith('choice/');
  const none = { name: 'none', does: 'nothing wrong', changes: [] };
  const faultless = [
    { ...none, kills: kills.filter((id) => !isChoice(id)) },
    { ...none, kills: kills.filter(isChoice) },
  ];
  const wrong: string[] = [];
  for (const one of faultless) {
    const verdicts = await tryFaults([one], { ...options, seed, parallel: options.jobs });
    wrong.push(...verdicts.flatMap(({ killedBy, others }) => [...Object.values(killedBy).flat(), ...others]));
  }
  for (const text of new Set(wrong)) process.stdout.write(`without a fault: ${text}\n`);
  return wrong.length === 0 && checksOf(kills).length > 0;
}

function tell(verdict: Verdict): void {
  const { fault, others } = verdict;
  const missing = survived(verdict);
  const mark = missing.length === 0 ? 'noticed' : `MISSED ${missing.join(' ')}`;
  process.stdout.write(`${fault.name}: ${mark}\n`);
  if (missing.length > 0) for (const line of others) process.stdout.write(`    ${line}\n`);
}

function partOf<T extends { name: string }>(faults: readonly T[], shard: string | undefined): T[] {
  const rows = faults.map((fault) => ({ fault, id: fault.name, title: '', rules: [] }));
  return selectChecks(rows as never[], shard === undefined ? {} : { shard }).map(
    (row) => (row as { fault: T }).fault,
  );
}

process.exitCode = await main(process.argv.slice(2)).catch(reportInvalidOption);
