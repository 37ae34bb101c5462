import { type Level, levels } from '../kernel/rules.ts';
import { withoutBrowser } from '../kernel/without-browser.ts';
import { failsRun, isBroken, type Outcome } from '../run/result.ts';

type DecidedCheck = { id: string; level: Level; outcome: Outcome; reason: string };
type Decided = { checks: readonly DecidedCheck[]; required: readonly Level[]; complete: boolean };

const shownIds = 3;

/**
 * One sentence that says whether the implementation conforms, and why not. Another one says whether the page was left
 * out.
 */
export function verdict({ checks, required, complete }: Decided): string {
  const isFailed = checks.some((one) => failsRun(one, { required }));
  const others = checks.filter((one) => !lacksBrowser(one));
  const parts = levels.flatMap((level) => {
    const those = others.filter((one) => one.level === level);
    return those.length === 0 ? [] : [describeLevel(level, those, required.includes(level))];
  });
  const decided = `${headOf({ checks, required, complete }, isFailed)}: ${parts.join('; ') || 'no check ran'}.`;
  const left = checks.length - others.length;
  if (left === 0) return decided;
  return `${decided} The page was not checked: --browser PATH, a Chromium or Chrome, runs its ${left} checks.`;
}

/** Whether a check of the page was left out, because the run has no browser. */
export const lacksBrowser = ({ outcome, reason }: Pick<DecidedCheck, 'outcome' | 'reason'>): boolean =>
  outcome === 'not-applicable' && reason === withoutBrowser;

function headOf({ checks, required, complete }: Decided, isFailed: boolean) {
  const isDecided = checks.some(({ outcome }) => outcome === 'pass' || outcome === 'expected-fail');
  if (!isFailed && !isDecided) return 'Nothing is decided';
  if (!complete) return isFailed ? 'The chosen checks fail (exit status 1)' : 'The chosen checks pass';
  const asked = required.includes('choice')
    ? ' with --profile boxgate'
    : required.includes('should')
      ? ' with --strict'
      : '';
  return isFailed ? `Does not conform${asked} (exit status 1)` : `Conforms${asked}`;
}

function describeLevel(level: Level, checks: readonly DecidedCheck[], isRequired: boolean): string {
  const applicable = checks.filter(({ outcome }) => outcome !== 'not-applicable' && outcome !== 'skipped');
  const broken = applicable.filter(isBroken);
  const passed = applicable.filter(({ outcome }) => outcome === 'pass').length;
  const expected = applicable.length - passed - broken.length;
  const name = applicable.length === 1 ? level : `${level}s`;
  const others = checks.filter(({ outcome }) => outcome === 'not-applicable').length;
  const listed =
    (expected === 0 ? '' : `, ${expected} ${expected === 1 ? 'fails' : 'fail'} as listed`) +
    (others === 0 ? '' : `, ${others} ${others === 1 ? 'does' : 'do'} not apply`);
  if (applicable.length === 0) return `no ${level} applies`;
  if (isRequired && broken.length > 0) {
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
