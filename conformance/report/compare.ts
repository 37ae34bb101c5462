import { hasPassed, isBroken } from '../run/result.ts';
import type { EarlierCheck } from './earlier-report.ts';

/**
 * Describes how a run differs from an earlier one: new failures, fixed ones, and those that still fail. A failure of a
 * check that the earlier run did not have is new.
 */
export function describeComparison(earlier: readonly EarlierCheck[], later: readonly EarlierCheck[]): string {
  const failures = earlier.filter(isBroken);
  const failed = idsOf(failures);
  const fails = later.filter(isBroken);
  const passes = idsOf(later.filter(hasPassed));
  const decided = new Set([...idsOf(fails), ...passes]);
  const sections: [title: string, checks: readonly EarlierCheck[]][] = [
    ['New failures', fails.filter(({ id }) => !failed.has(id))],
    ['Fixed', failures.filter(({ id }) => passes.has(id))],
    ['Still failing', fails.filter(({ id }) => failed.has(id))],
    ['Failed earlier, neither passed nor failed now', failures.filter(({ id }) => !decided.has(id))],
  ];
  return sections
    .map(([title, checks]) => `${[`${title}: ${checks.length}`, ...checks.map(line)].join('\n')}\n`)
    .join('');
}

const idsOf = (checks: readonly EarlierCheck[]) => new Set(checks.map(({ id }) => id));

const line = ({ id, level }: EarlierCheck) => `  ${id} (${level})`;
