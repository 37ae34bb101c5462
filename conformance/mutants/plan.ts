import { createHash } from 'node:crypto';
import type { Mutant } from './mutant.ts';
import type { AnyOf } from './suites.ts';

/** What one run of a check showed, on a server without a mutant: how long it took, and what the server executed. */
export type Watched = { check: AnyOf; milliseconds: number; executed: ReadonlySet<string> };

/** How often a check was tried on mutants of a file, and how often it noticed one. */
export type Tries = { tried: number; noticed: number };
export type Experience = (check: string, file: string) => Tries;

/**
 * The mutants of which a run decides, in the order in which it takes them: the first n of it are a uniform sample of
 * all, for every n. One that comes or goes with a change of the sources changes the order of no others. `pattern`
 * leaves those whose file holds it.
 */
export function sample(mutants: readonly Mutant[], seed: number, pattern = ''): Mutant[] {
  const lot = ({ key }: Mutant) => createHash('sha256').update(`${seed} ${key}`).digest('hex');
  const lots = new Map(mutants.map((mutant) => [mutant, lot(mutant)]));
  const chosen = mutants.filter(({ file }) => file.includes(pattern));
  return chosen.sort((a, b) => ((lots.get(a) ?? '') < (lots.get(b) ?? '') ? -1 : 1));
}

/** Only a check whose server executes the mutant can notice it. */
export function checksThatReach(mutant: Mutant, watched: readonly Watched[]): Watched[] {
  return watched.filter(({ executed }) => executed.has(mutant.id));
}

/** How much a check is about a file, given the ids of the file's mutants. */
export type Focus = (one: Watched, ids: readonly string[]) => number;

/**
 * A check is about a file when its server executes what few others do of it, and little else: what every start
 * executes says nothing.
 */
export function makeFocus(watched: readonly Watched[]): Focus {
  const counts = new Map<string, number>();
  for (const { executed } of watched) for (const id of executed) counts.set(id, (counts.get(id) ?? 0) + 1);
  const rarity = (id: string) => Math.log(watched.length / (counts.get(id) ?? 1));
  const sum = (ids: Iterable<string>) => [...ids].reduce((total, id) => total + rarity(id), 0);
  const wholes = new Map(watched.map((one) => [one, sum(one.executed)]));
  return (one, ids) => sum(ids.filter((id) => one.executed.has(id))) / Math.sqrt(1 + (wholes.get(one) ?? 0));
}

/**
 * The likeliest to notice for the time it takes first: one that is about the file, as long as nothing is known; what
 * checks have noticed in the same file so far counts more with every try.
 */
export function inOrder(
  reaching: readonly Watched[],
  file: string,
  focus: (one: Watched) => number,
  experience: Experience,
): Watched[] {
  const focuses = new Map(reaching.map((one) => [one, focus(one)]));
  const sharpest = Math.max(...focuses.values()) || 1;
  const worth = (one: Watched) => {
    const { tried, noticed } = experience(one.check.id, file);
    const atFirst = (focuses.get(one) ?? 0) / sharpest / 2;
    return (0.01 + atFirst + noticed) / (1 + tried) / Math.sqrt(one.milliseconds + 500);
  };
  const worths = new Map(reaching.map((one) => [one, worth(one)]));
  const idOf = (one: Watched) => one.check.id;
  return reaching.toSorted(
    (a, b) => (worths.get(b) ?? 0) - (worths.get(a) ?? 0) || (idOf(a) < idOf(b) ? -1 : 1),
  );
}

const alone = 6;
const together = 8;

/**
 * The first ones alone, because one of them most often notices; then several of one suite at a time, which start fewer
 * servers, and ever more, because less and less is left to be noticed.
 */
export function inGroups(checks: readonly AnyOf[]): AnyOf[][] {
  const groups: AnyOf[][] = checks.slice(0, alone).map((check) => [check]);
  for (const api of ['box', 'gateway']) {
    const rest = checks.slice(alone).filter((check) => check.api === api);
    for (let size = together; rest.length > 0; size *= 2) groups.push(rest.splice(0, size));
  }
  return groups;
}
