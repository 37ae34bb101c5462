import { failsRun, isBroken, type Result } from '../run/result.ts';
import { evidenceLines } from './evidence.ts';
import { describeNextSteps, groupByCause } from './next-steps.ts';
import { countOutcomes, makeReport, type RunFacts } from './report.ts';
import { sentencesOf } from './sentences.ts';
import { lacksBrowser } from './verdict.ts';

/** The report for people: failures, what is not decided, what to do next, and the verdict. */
export function textReport(results: readonly Result[], facts: RunFacts): string {
  const isShown = (one: Result) => failsRun(one, facts) || (isBroken(one) && facts.named.includes(one.check.id));
  const shown = results.filter(isShown);
  const counts = Object.entries(countOutcomes(results)).filter(([, count]) => count > 0);
  const total = `${results.length} checks, seed ${facts.seed}: ${counts.map(([outcome, count]) => `${count} ${outcome}`).join(', ')}`;
  return [
    ...describeFailures(shown, facts),
    ...describeOptional(
      results.filter((one) => isBroken(one) && !shown.includes(one)),
      facts,
    ),
    ...listed('Passed only when repeated with more time:', results, ({ outcome }) => outcome === 'passed-late'),
    ...listed('Not applicable, so this run does not show that they hold:', results, isUndecided),
    describeNextSteps(results, facts) + total,
    makeReport(results, facts).verdict,
    '',
  ].join('\n');
}

/** So many failures with one cause are reported once. */
const toldOnce = 3;

/** Failures with a common cause are reported together: the simplest in full, and the others without details. */
function describeFailures(shown: readonly Result[], facts: RunFacts): string[] {
  return groupByCause(shown, facts.rules).flatMap(({ text, results }) => {
    if (results.length < toldOnce) return results.map((result) => describeFailed(result, facts));
    const [first, ...others] = results;
    return [
      `${results.length} checks fail for one cause: ${text}`,
      ...(first === undefined ? [] : [describeFailed(first, facts)]),
      ...others.map((result) => headOf(result, facts).join('\n')),
      '',
    ];
  });
}

function headOf({ outcome, check, level }: Result, { rules }: RunFacts): string[] {
  const head = `${outcome.toUpperCase()} ${check.id} (${level}): ${check.title}`;
  return [head, ...sentencesOf(check.rules, rules).map((sentence) => `  ${sentence}`)];
}

function describeFailed(result: Result, facts: RunFacts): string {
  const { reason, evidence, isShortest, script } = result;
  const details = [reason, ...evidenceLines(evidence), ...(isShortest ? [`as a script:\n${script}`] : [])];
  return [...headOf(result, facts), indented(details.join('\n')), ''].join('\n');
}

const indented = (text: string) => text.replace(/^/gm, '    ');

const shownLines = 10;

/** The failures that do not make the run fail. */
function describeOptional(results: readonly Result[], { set }: RunFacts): string[] {
  const shoulds = 'Failed shoulds, which --strict requires and --only ID explains:';
  return [
    ...listed(shoulds, results, ({ added }) => !added),
    ...listed(`Failed checks added since ${set}, which do not count:`, results, ({ added }) => added),
  ];
}

/** The musts and shoulds that this run says nothing about. */
const isUndecided = (one: Result) => one.outcome === 'not-applicable' && one.level !== 'choice' && !lacksBrowser(one);

/** The first of the results for which this is true, below a title. */
function listed(title: string, results: readonly Result[], isListed: (one: Result) => boolean): string[] {
  const lines = results.filter(isListed).map((one) => {
    const [why = ''] = isBroken(one) ? [one.check.title] : one.reason.split('\n', 1);
    return `  ${one.check.id} (${one.level}): ${why}`;
  });
  if (lines.length === 0) return [];
  const further = lines.length - shownLines;
  const more = further > 0 ? [`  and ${further} more, which --report json=FILE lists`] : [];
  return [title, ...lines.slice(0, shownLines), ...more, ''];
}
