import { failsRun, isBroken, type Result } from '../run/result.ts';
import { evidenceLines } from './evidence.ts';
import type { RunFacts } from './report.ts';
import { sentencesOf } from './sentences.ts';

/** A failure of a level that the run does not require is `skipped`, so that tools do not count it. */
export function junitReport(results: readonly Result[], facts: RunFacts): string {
  const cases = results.map((result) => testCase(result, facts));
  const failures = results.filter((one) => failsRun(one, facts)).length;
  const head = `<testsuite name="${escapeXml(facts.suite)}" tests="${results.length}" failures="${failures}">`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${head}\n${cases.join('\n')}\n</testsuite>\n`;
}

function testCase(result: Result, facts: RunFacts): string {
  const { check, level, added, outcome, durationMs } = result;
  const properties = [...check.rules.map((id) => ['rule', id]), ['level', level], ['outcome', outcome]];
  if (added) properties.push(['added-since', facts.set]);
  const lines = properties.map(([name = '', value = '']) => `<property name="${name}" value="${escapeXml(value)}"/>`);
  const name = escapeXml(`${check.id} ${check.title}`);
  const head = `<testcase classname="${facts.api}" name="${name}" time="${(durationMs / 1000).toFixed(3)}">`;
  return `${head}<properties>${lines.join('')}</properties>${body(result, facts)}</testcase>`;
}

function body(result: Result, facts: RunFacts): string {
  const { check, outcome, reason, evidence } = result;
  const [first = ''] = reason.split('\n', 1);
  if (failsRun(result, facts)) {
    const text = [...sentencesOf(check.rules, facts.rules), reason, ...evidenceLines(evidence)].join('\n');
    return `<failure message="${escapeXml(first)}">${escapeXml(text)}</failure>`;
  }
  if (outcome === 'pass' || outcome === 'passed-late') return '';
  const message = isBroken(result) ? `not required in this run (${notRequired(result, facts)}): ${first}` : first;
  return `<skipped message="${escapeXml(message)}"/>`;
}

const notRequired = ({ level, added }: Result, { set }: RunFacts): string => (added ? `added since ${set}` : level);

function escapeXml(text: string): string {
  const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\n': '&#10;' };
  // XML 1.0 cannot represent control characters.
  return text.replace(/[&<>"\n]/g, (character) => names[character] ?? '').replace(/[^\P{Cc}\t\r]/gu, '\ufffd');
}
