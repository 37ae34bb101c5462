import { failsRun, isBroken, type Result } from '../run/result.ts';
import { evidenceLines } from './evidence.ts';
import { htmlReport } from './html.ts';
import { describeNextSteps } from './next-steps.ts';
import { countOutcomes, makeReport, type RunFacts } from './report.ts';

/** The report writers, by format name. */
export const reports: Record<string, (results: Result[], facts: RunFacts) => string> = {
  text: textReport,
  json: jsonReport,
  junit: junitReport,
  html: htmlReport,
};

const indent = (text: string, by: string) => text.replace(/^/gm, by);

function textReport(results: Result[], facts: RunFacts): string {
  const isShown = (one: Result) => failsRun(one, facts) || (isBroken(one) && facts.named.includes(one.check.id));
  const shown = results.filter(isShown);
  const failures = shown.map((result) => describeFailed(result, facts));
  const counts = Object.entries(countOutcomes(results)).filter(([, count]) => count > 0);
  const total = `${results.length} checks, seed ${facts.seed}: ${counts.map(([outcome, count]) => `${count} ${outcome}`).join(', ')}`;
  return [
    ...failures,
    ...describeOptional(results.filter((one) => isBroken(one) && !shown.includes(one))),
    ...describeUndecided(results),
    describeNextSteps(results, facts) + total,
    makeReport(results, facts).verdict,
    '',
  ].join('\n');
}

function describeFailed(result: Result, facts: RunFacts): string {
  const rules = result.check.rules.map((id) => `  ${id}: ${facts.rules.get(id)?.text ?? '(not in the register)'}`);
  const head = `${result.outcome.toUpperCase()} ${result.check.id} (${result.level}): ${result.check.title}`;
  const script = result.isShortest ? [indent(`as a script:\n${result.script}`, '    ')] : [];
  return [head, ...rules, indent(wholeReason(result), '    '), ...script, ''].join('\n');
}

/** The reason with everything that was seen around the failure. */
const wholeReason = ({ reason, evidence }: Result) => [reason, ...evidenceLines(evidence)].join('\n');

const shownLines = 10;

/** The failures that do not make the run fail. */
function describeOptional(results: readonly Result[]): string[] {
  if (results.length === 0) return [];
  const further = results.length - shownLines;
  return [
    'Failed shoulds, which --strict requires and --only ID explains:',
    ...results.slice(0, shownLines).map(({ check }) => `  ${check.id}: ${check.title}`),
    ...(further > 0 ? [`  and ${further} more`] : []),
    '',
  ];
}

/** The musts and shoulds that this run says nothing about. */
function describeUndecided(results: readonly Result[]): string[] {
  const undecided = results.filter(({ outcome, level }) => outcome === 'not-applicable' && level !== 'choice');
  if (undecided.length === 0) return [];
  const lines = undecided.map(({ check, level, reason }) => `  ${check.id} (${level}): ${firstLine(reason)}`);
  const further = lines.length - shownLines;
  return [
    'Not applicable, so this run does not show that they hold:',
    ...lines.slice(0, shownLines),
    ...(further > 0 ? [`  and ${further} more, which --report json=FILE lists`] : []),
    '',
  ];
}

/** Whether a failure is of a level that the run does not require. */
const isOptional = (result: Result, facts: RunFacts) => isBroken(result) && !failsRun(result, facts);

/** Why a tool does not count this failure. */
const tolerated = ({ outcome, level, reason }: Result) =>
  outcome === 'expected-fail' ? firstLine(reason) : `not required in this run (${level}): ${firstLine(reason)}`;

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
    return `<testcase classname="${facts.api}" name="${escapeXml(name)}" time="${seconds}"><properties>${lines.join('')}</properties>${junitBody(result, facts)}</testcase>`;
  });
  const failures = results.filter((one) => failsRun(one, facts)).length;
  const head = `<testsuite name="${escapeXml(facts.suite)}" tests="${results.length}" failures="${failures}">`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${head}\n${cases.join('\n')}\n</testsuite>\n`;
}

function junitBody(result: Result, facts: RunFacts): string {
  const reason = escapeXml(wholeReason(result));
  if (failsRun(result, facts)) return `<failure message="${escapeXml(firstLine(result.reason))}">${reason}</failure>`;
  if (result.outcome === 'pass') return '';
  const message = isOptional(result, facts) ? tolerated(result) : firstLine(result.reason);
  return `<skipped message="${escapeXml(message)}"/>`;
}

function escapeXml(text: string): string {
  const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\n': '&#10;' };
  // XML 1.0 cannot represent control characters.
  return text.replace(/[&<>"\n]/g, (character) => names[character] ?? '').replace(/[^\P{Cc}\t\r]/gu, '\ufffd');
}
