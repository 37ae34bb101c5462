import { isBroken, type Result } from '../run/result.ts';

import { commandOf, type RunFacts } from './report.ts';
import { cut } from './shown-exchange.ts';

/**
 * Helps the author of an unfinished implementation: the progress of each operation, the common reasons of
 * failures, and the best check to fix next.
 */
export type NextSteps = { topics: Topic[]; reasons: Reason[]; next: Result | null };

/** An operation, or another second segment of a check id. */
export type Topic = { name: string; passed: number; all: number };

/** Failures with the same reason, the simplest first. */
export type Reason = { text: string; results: Result[] };

/** Returns `null` if no check failed. */
export function nextSteps(results: readonly Result[], rules: RunFacts['rules']): NextSteps | null {
  const broken = results.filter(isBroken);
  if (broken.length === 0) return null;
  const reasons = groupByCause(broken, rules).toSorted((one, other) => other.results.length - one.results.length);
  return { topics: topicsOf(results), reasons, next: reasons[0]?.results[0] ?? null };
}

/** Groups failures with the same cause, in the order of the first failure of each. */
export function groupByCause(broken: readonly Result[], rules: RunFacts['rules']): Reason[] {
  const bySimplicity = (one: Result, other: Result) =>
    Number(isAboutLastRequest(other, rules)) - Number(isAboutLastRequest(one, rules)) ||
    one.exchanges.length - other.exchanges.length;
  return [...Map.groupBy(broken, reasonOf)].map(([text, group]) => ({ text, results: group.toSorted(bySimplicity) }));
}

const shownReasons = 5;

type Facts = Pick<RunFacts, 'command' | 'rules' | 'required'>;

export function describeNextSteps(results: readonly Result[], facts: Facts): string {
  const steps = nextSteps(
    results.filter(({ level }) => facts.required.includes(level)),
    facts.rules,
  );
  if (steps === null) return '';
  const { topics, reasons, next } = steps;
  const open = topics.filter(({ passed, all }) => passed < all);
  const further = reasons.length - shownReasons;
  return [
    `Complete: ${topics.length - open.length} of ${topics.length} topics. Incomplete:`,
    ...open.map(({ name, passed, all }) => `  ${name}: ${passed} of ${all}`),
    'Most frequent failures:',
    ...reasons.slice(0, shownReasons).map(({ text, results: { length } }) => `  ${length} × ${text}`),
    ...(further > 0 ? [`  and ${further} more`] : []),
    ...(next === null ? [] : [`Next: ${next.check.title}`, `  ${commandOf(next, facts)}`]),
    '',
    '',
  ].join('\n');
}

/** Keeps the order of the results. Ignores skipped and inapplicable checks. */
function topicsOf(results: readonly Result[]): Topic[] {
  const asked = results.filter(({ outcome }) => outcome !== 'skipped' && outcome !== 'not-applicable');
  const groups = Map.groupBy(asked, ({ check }) => check.id.split('/')[1] ?? check.id);
  return [...groups].map(([name, group]) => ({
    name,
    passed: group.filter((result) => !isBroken(result)).length,
    all: group.length,
  }));
}

/**
 * The latest exchange groups failures better than the check does. Without one, uses the first line of the reason. Answers that
 * are not JSON have one cause, whatever they answer.
 */
function reasonOf({ outcome, reason, exchanges, notJson }: Result): string {
  if (notJson !== null) return notJson;
  const said = outcome === 'unexpected-pass' ? 'a listed deviation passes' : (reason.split('\n', 1)[0] ?? '');
  const last = exchanges.at(-1);
  return last === undefined ? said : `${last.method} ${withoutIds(last.path)} answered ${last.status}: ${said}`;
}

/** Replaces ids, so that requests of different boxes, apps or routes compare equal. */
function withoutIds(path: string): string {
  const [target = ''] = path.split('?', 1);
  return cut(target, 80)
    .split('/')
    .map((segment) => (/\d/.test(segment) && !/^v\d+$/.test(segment) ? '…' : segment))
    .join('/');
}

/**
 * Whether the check cites a requirement of the operation that it requested last. A check that only needs that operation
 * as a step says less about it.
 */
function isAboutLastRequest({ check, exchanges }: Result, rules: RunFacts['rules']): boolean {
  const last = exchanges.at(-1);
  return check.rules.some((id) => {
    const [, method, path = ''] = /\b([A-Z]+) `(\/[^`]*)`/.exec(rules.get(id)?.source ?? '') ?? [];
    const form = path.replace(/<[^<>]*>/g, '[^/]*');
    return last !== undefined && last.method === method && new RegExp(`^${form}$`).test(last.path);
  });
}
