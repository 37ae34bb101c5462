import { withoutBrowser } from '../kernel/check.ts';
import { type Level, levels } from '../kernel/rules.ts';
import { failsRun, type Gate, hasPassed, isBroken, type Outcome } from '../run/result.ts';

type DecidedCheck = { id: string; level: Level; outcome: Outcome; reason: string; added?: boolean };
type Decided = Gate & {
  checks: readonly DecidedCheck[];
  complete: boolean;
  set: string;
  without?: readonly string[];
};

const shownIds = 3;

/**
 * One sentence that says whether the implementation conforms, and why not. Another one says whether the page was left
 * out.
 */
export function verdict({ checks, complete, set, without = [], ...gate }: Decided): string {
  const isFailed = checks.some((one) => failsRun(one, gate));
  const counted = checks.filter((one) => one.added !== true && !lacksBrowser(one));
  const parts = levels.flatMap((level) => {
    const those = counted.filter((one) => one.level === level);
    return those.length === 0 ? [] : [describeLevel(level, those, gate)];
  });
  const newer = checks.filter((one) => one.added === true).length;
  if (newer > 0) parts.push(`${newer} added since ${set} ${newer === 1 ? 'does' : 'do'} not count`);
  const decided = `${headOf({ checks: counted, ...gate, complete, set, without }, isFailed)}: ${parts.join('; ') || 'no check ran'}.`;
  const left = checks.filter(lacksBrowser).length;
  if (left === 0) return decided;
  return `${decided} The page was not checked: --browser PATH, a Chromium or Chrome, runs its ${left} checks.`;
}

/** Whether a check of the page was left out, because the run has no browser. */
export const lacksBrowser = ({ outcome, reason }: Pick<DecidedCheck, 'outcome' | 'reason'>): boolean =>
  outcome === 'not-applicable' && reason === withoutBrowser;

function headOf({ checks, required, complete, set, without = [] }: Decided, isFailed: boolean) {
  const isDecided = checks.some(({ outcome }) => hasPassed({ outcome }) || outcome === 'expected-fail');
  if (!isFailed && !isDecided) return 'Nothing is decided';
  if (!complete) return isFailed ? 'The chosen checks fail (exit status 1)' : 'The chosen checks pass';
  const asked = required.includes('choice')
    ? ' with --profile boxgate'
    : required.includes('should')
      ? ' with --strict'
      : '';
  const to = set === 'all' ? '' : ` to ${set}`;
  const declared = without.length === 0 ? '' : `, without ${without.join(' and ')} as declared`;
  return isFailed ? `Does not conform${to}${asked} (exit status 1)` : `Conforms${to}${asked}${declared}`;
}

function describeLevel(level: Level, checks: readonly DecidedCheck[], gate: Gate): string {
  const applicable = checks.filter(({ outcome }) => outcome !== 'not-applicable' && outcome !== 'skipped');
  const failed = applicable.filter(isBroken);
  const broken = applicable.filter((one) => failsRun(one, gate));
  const passed = applicable.filter(hasPassed).length;
  const late = applicable.filter(({ outcome }) => outcome === 'passed-late').length;
  const expected = applicable.length - passed - failed.length;
  const name = applicable.length === 1 ? level : `${level}s`;
  const others = checks.filter(({ outcome }) => outcome === 'not-applicable').length;
  const listed =
    (late === 0 ? '' : `, ${late} of them late`) +
    (expected === 0 ? '' : `, ${expected} ${expected === 1 ? 'fails' : 'fail'} as listed`) +
    (others === 0 ? '' : `, ${others} ${others === 1 ? 'does' : 'do'} not apply`);
  if (applicable.length === 0) return `no ${level} applies`;
  if (broken.length > 0) {
    const ids = broken.slice(0, shownIds).map(({ id }) => id);
    const further = broken.length - ids.length;
    const verb = broken.length === 1 ? 'fails' : 'fail';
    const more = further > 0 ? ` and ${further} more` : '';
    return `${broken.length} of ${applicable.length} ${name} ${verb} (${ids.join(', ')}${more})${listed}`;
  }
  const verb = applicable.length === 1 ? 'passes' : 'pass';
  if (passed < applicable.length) return `${passed} of ${applicable.length} ${name} ${verb}${listed}`;
  return applicable.length === 1 ? `1 ${name} ${verb}${listed}` : `all ${applicable.length} ${name} ${verb}${listed}`;
}
