import type { Finding } from './memory.ts';
import type { Mutant } from './mutant.ts';
import type { Watched } from './plan.ts';
import { openChecks } from './trial-of-mutants.ts';

/** How a mutant came out, as far as it was tried. */
export type Fate =
  | { is: 'noticed'; by: string; outcome: 'fail' | 'timeout' }
  /** No check reaches it. */
  | { is: 'not reached' }
  /** Every check that reaches it passes, or `left` have not been tried. */
  | { is: 'survives'; passed: number; left: number };

export type Tried = { mutant: Mutant; fate: Fate };

/**
 * The longest beginning of the list of which every mutant was tried, so that what is said of it holds for a uniform
 * sample: a mutant is not left out because it takes long.
 */
export function triedBeginning(
  mutants: readonly Mutant[],
  watched: readonly Watched[],
  findings: ReadonlyMap<string, Finding>,
): Tried[] {
  const tried: Tried[] = [];
  for (const mutant of mutants) {
    const finding = findings.get(mutant.key);
    const fate = fateOf(mutant, watched, finding);
    if (fate === null) break;
    tried.push({ mutant, fate });
  }
  return tried;
}

function fateOf(mutant: Mutant, watched: readonly Watched[], finding: Finding | undefined): Fate | null {
  if (finding?.noticedBy)
    return { is: 'noticed', by: finding.noticedBy.id, outcome: finding.noticedBy.outcome };
  const left = openChecks(mutant, watched, finding).length;
  if (finding === undefined) return left === 0 ? { is: 'not reached' } : null;
  return { is: 'survives', passed: finding.passed.length, left };
}
