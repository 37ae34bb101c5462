import { type AnyContext, NotApplicable, TimedOut } from '../kernel/check.ts';
import type { AnyEnvironment } from '../kernel/context.ts';
import { NoResponse } from '../kernel/exchange.ts';
import { CheckFailed, TooSlow } from '../kernel/expect.ts';
import type { JournalEntry } from '../kernel/journal.ts';
import { CannotStart } from '../kernel/subject.ts';
import type { CheckRun } from './check-run.ts';
import type { Outcome } from './result.ts';

/** The outcome of a check that ended with this cause. */
export function outcomeOf(error: unknown): Outcome {
  if (error instanceof TimedOut) return 'timeout';
  if (error instanceof NotApplicable) return 'not-applicable';
  if (error instanceof CheckFailed || error instanceof CannotStart) return 'fail';
  return 'suite-error';
}

/**
 * An unexpected error in a check is a fault of the suite, unless it comes from something that the implementation wrote,
 * sent or closed.
 */
export function causeOf(
  error: unknown,
  { root }: AnyEnvironment,
  { violations, journal }: Pick<CheckRun<AnyContext>, 'violations' | 'journal'>,
): unknown {
  if ([TimedOut, NotApplicable, CheckFailed, CannotStart].some((known) => error instanceof known)) return error;
  if (error instanceof NoResponse) return new (error.isLate ? TooSlow : CheckFailed)(`a response: ${error.message}`);
  if (violations[0] !== undefined) return violations[0].failure;
  const { code, path, message } = error as NodeJS.ErrnoException;
  if (path?.startsWith(root)) {
    const file = path.slice(root.length + 1);
    if (code === 'ENOENT') return new CheckFailed(`the file ${file} exists`, true, false);
    return new CheckFailed(`${file} can be read as the check expects`, true, code ?? message);
  }
  const isUnreadable = error instanceof TypeError || error instanceof SyntaxError || error instanceof RangeError;
  // A read of a directory has no path.
  const isBroken = path === undefined && /^(ECONN|EPIPE|EISDIR|ERR_SQLITE)/.test(code ?? '');
  if (!isBroken && !(isUnreadable && journal.some(hasResponse))) return error;
  const place = /conformance\/checks\/\S+:\d+(?=:\d+)/.exec((error as Error).stack ?? '')?.[0] ?? '';
  const what = isBroken ? 'a file or connection can be used' : 'a file or response can be read as the check expects';
  return new CheckFailed(`${what}${place === '' ? '' : ` (${place})`}`, true, message);
}

const hasResponse = (entry: JournalEntry) => entry.by === 'request' && entry.response !== null;
