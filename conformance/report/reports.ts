import type { Result } from '../run/result.ts';

import { htmlReport } from './html.ts';
import { describeNextSteps } from './next-steps.ts';
import { countOutcomes, isBroken, makeReport, type RunFacts } from './report.ts';
import { describeCoverage } from './text-coverage.ts';

/** The report writers, by format name. */
export const reports: Record<string, (results: Result[], facts: RunFacts) => string> = {
  text: textReport,
  tap: tapReport,
  json: jsonReport,
  junit: junitReport,
  html: htmlReport,
};

const indent = (text: string, by: string) => text.replace(/^/gm, by);

function textReport(results: Result[], facts: RunFacts): string {
  const broken = results.filter(isBroken).map((result) => {
    const rules = result.check.rules.map((id) => `  ${id}: ${facts.rules.get(id)?.text ?? '(not in the register)'}`);
    const head = `${result.outcome.toUpperCase()} ${result.check.id} (${result.level}): ${result.check.title}`;
    const script = result.isShortest ? [indent(`as a script:\n${result.script}`, '    ')] : [];
    return [head, ...rules, indent(result.reason, '    '), ...script, ''].join('\n');
  });
  const counts = Object.entries(countOutcomes(results)).map(([outcome, count]) => `${count} ${outcome}`);
  const total = `${results.length} checks, seed ${facts.seed}: ${counts.join(', ')}`;
  // The many gaps of an incomplete implementation are expected, so they are not reported.
  const coverage = facts.coverage === null || broken.length > 0 ? [] : [describeCoverage(facts.coverage)];
  return [...broken, ...coverage, describeNextSteps(results, facts) + total, ''].join('\n');
}

function tapReport(results: Result[]): string {
  const lines = results.map((result, index) => {
    const mark = result.outcome === 'pass' || result.outcome === 'unexpected-pass' ? 'ok' : 'not ok';
    const directive =
      result.outcome === 'expected-fail'
        ? ` # TODO ${firstLine(result.reason)}`
        : result.outcome === 'skipped' || result.outcome === 'not-applicable'
          ? ` # SKIP ${firstLine(result.reason)}`
          : '';
    const state = directive.includes('SKIP') ? 'ok' : mark;
    const head = `${state} ${index + 1} - ${result.check.id} ${result.check.title.replaceAll('#', '\\#')}${directive}`;
    if (!isBroken(result)) return head;
    return [head, '  ---', `  outcome: ${result.outcome}`, '  message: |', indent(result.reason, '    '), '  ...'].join(
      '\n',
    );
  });
  return ['TAP version 14', `1..${results.length}`, ...lines, ''].join('\n');
}

const firstLine = (text: string) => text.split('\n', 1)[0] ?? '';

function jsonReport(results: Result[], facts: RunFacts): string {
  return `${JSON.stringify(makeReport(results, facts), null, 2)}\n`;
}

function junitReport(results: Result[], facts: RunFacts): string {
  const cases = results.map((result) => {
    const properties = [
      ...result.check.rules.map((id) => ['rule', id]),
      ['level', result.level],
      ['outcome', result.outcome],
    ];
    const lines = properties.map(([name = '', value = '']) => `<property name="${name}" value="${escapeXml(value)}"/>`);
    const seconds = (result.durationMs / 1000).toFixed(3);
    const name = `${result.check.id} ${result.check.title}`;
    return `<testcase classname="${facts.api}" name="${escapeXml(name)}" time="${seconds}"><properties>${lines.join('')}</properties>${junitBody(result)}</testcase>`;
  });
  const failures = results.filter(isBroken).length;
  const head = `<testsuite name="${escapeXml(facts.suite)}" tests="${results.length}" failures="${failures}">`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${head}\n${cases.join('\n')}\n</testsuite>\n`;
}

function junitBody(result: Result): string {
  const reason = escapeXml(result.reason);
  if (isBroken(result)) return `<failure message="${escapeXml(firstLine(result.reason))}">${reason}</failure>`;
  return result.outcome === 'pass' ? '' : `<skipped message="${escapeXml(firstLine(result.reason))}"/>`;
}

function escapeXml(text: string): string {
  const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\n': '&#10;' };
  // XML 1.0 cannot represent control characters.
  return text.replace(/[&<>"\n]/g, (character) => names[character] ?? '').replace(/[^\P{Cc}\t\r]/gu, '\ufffd');
}
