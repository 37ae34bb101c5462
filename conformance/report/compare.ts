import { readFileSync } from 'node:fs';
import { InvalidOption } from '../invalid-option.ts';
import type { ApiName } from '../run/api.ts';
import { hasPassed, isBroken } from '../run/result.ts';
import type { Report, ReportedCheck } from './report.ts';

/** The parts of a check that an earlier report is read for. */
export type EarlierCheck = Pick<ReportedCheck, 'id' | 'level' | 'outcome'> & Partial<Pick<ReportedCheck, 'added'>>;

/** The checks of a JSON report of the same API. Throws `InvalidOption`, which names the option, for any other file. */
export function readEarlierReport(option: string, file: string, api: ApiName): EarlierCheck[] {
  const report = parse(option, file);
  if (!Array.isArray(report?.checks)) throw new InvalidOption(`${option}: ${file} is no JSON report of this suite`);
  if (report.api !== api) throw new InvalidOption(`${option}: ${file} is a report of the ${report.api}`);
  return report.checks;
}

function parse(option: string, file: string): Partial<Report> | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new InvalidOption(`${option}: ${file}: ${(error as Error).message}`);
  }
}

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
