import type { Result } from '../run/result.ts';
import { htmlReport } from './html/html.ts';
import { junitReport } from './junit.ts';
import { makeReport, type RunFacts } from './report.ts';
import { textReport } from './text.ts';

/** The report writers, by format name. */
export const reports: Record<string, (results: Result[], facts: RunFacts) => string> = {
  text: textReport,
  json: (results, facts) => `${JSON.stringify(makeReport(results, facts), null, 2)}\n`,
  junit: junitReport,
  html: htmlReport,
};
