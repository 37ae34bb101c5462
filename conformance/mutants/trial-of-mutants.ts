import { rmSync } from 'node:fs';
import type { Finding } from './memory.ts';
import type { Mutant } from './mutant.ts';
import { checksThatReach, type Experience, inGroups, inOrder, type Watched } from './plan.ts';
import type { Program } from './program.ts';
import type { Came, Suites } from './suites.ts';

export type Trial = {
  suites: Pick<Suites, 'run'>;
  program: Pick<Program, 'withMutant'>;
  watched: readonly Watched[];
  experience: Experience;
  focus: (one: Watched) => number;
  /** At most so many checks that pass. */
  most: number;
};

/** The checks that reach a mutant and that have not passed with it yet. */
export function openChecks(mutant: Mutant, watched: readonly Watched[], known?: Finding): Watched[] {
  if (known !== undefined && known.noticedBy !== null) return [];
  return checksThatReach(mutant, watched).filter(({ check }) => known?.passed.includes(check.print) !== true);
}

/**
 * Runs the open checks on a server that has this mutant, until one of them fails or runs out of time, and does so a
 * second time: once may be the machine. A check that breaks down itself says nothing.
 */
export async function tryMutant(mutant: Mutant, trial: Trial, known?: Finding): Promise<Finding> {
  const open = openChecks(mutant, trial.watched, known).slice();
  const finding: Finding = { key: mutant.key, noticedBy: null, passed: [], broke: [] };
  if (open.length === 0) return finding;
  const argv = trial.program.withMutant(mutant.id);
  try {
    const planned = inOrder(open, mutant.file, trial.focus, trial.experience).slice(0, trial.most);
    for (const group of inGroups(planned.map(({ check }) => check))) {
      const [{ api } = { api: 'box' as const }] = group;
      const ids = group.map(({ id }) => id);
      for (const first of await trial.suites.run(api, ids, argv)) {
        const print = group.find(({ id }) => id === first.id)?.print ?? '';
        const again = isNotice(first) && finding.noticedBy === null;
        const [came = first] = again ? await trial.suites.run(api, [first.id], argv) : [first];
        note(finding, came, print);
      }
      if (finding.noticedBy !== null) break;
    }
  } finally {
    rmSync(argv.at(-1) ?? '', { force: true });
  }
  return finding;
}

const isNotice = ({ outcome }: Pick<Came, 'outcome'>) => outcome === 'fail' || outcome === 'timeout';

function note(finding: Finding, { id, outcome }: Came, print: string): void {
  if (outcome === 'fail' || outcome === 'timeout') finding.noticedBy ??= { id, outcome };
  else if (outcome === 'pass' || outcome === 'not-applicable') finding.passed.push(print);
  else finding.broke.push(id);
}
