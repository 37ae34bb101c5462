import { readFileSync } from 'node:fs';
import { InvalidOption } from '../kernel/invalid-option.ts';
import type { ApiName } from '../run/api.ts';
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
