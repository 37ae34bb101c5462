import { setTimeout as pause } from 'node:timers/promises';
import type { AnyContext, Check } from '../kernel/check.ts';
import { killAndWait, type Subject } from '../kernel/subject.ts';
import type { Api } from './api.ts';
import type { CheckRun } from './check-run.ts';

/** An environment that was reset after a check, with the implementation that still runs in it. */
export type ReusedEnvironment<Context extends AnyContext> = { environment: Context['environment']; subject: Subject };

/** A pool of reset environments. Reusing one avoids a start, which takes much of a check's time. */
export type ReusedEnvironments<Context extends AnyContext> = {
  /** Takes an environment from the pool. `null` if the pool is empty or the check may not reuse one. */
  take: (check: Check<Context>) => ReusedEnvironment<Context> | null;
  /** Resets the environment of a check that passed. Returns whether the pool keeps it. If not, the caller removes it. */
  offer: (
    check: Check<Context>,
    run: Pick<CheckRun<Context>, 'context' | 'plainSubject'>,
    environment: Context['environment'],
  ) => Promise<boolean>;
  dispose: () => Promise<void>;
};

/** Much more time than a start takes. A slower reset is not worth waiting for. */
const resetLimitMs = 5000;

export function makeReusedEnvironments<Context extends AnyContext>(
  { reset }: Pick<Api<Context>, 'reset'>,
  limitMs = resetLimitMs,
): ReusedEnvironments<Context> {
  const pool: ReusedEnvironment<Context>[] = [];
  return {
    take: ({ options }) => (options.mayReuse === true ? (pool.pop() ?? null) : null),
    offer: async ({ options }, { context, plainSubject }, environment) => {
      const subject = plainSubject();
      if (options.mayReuse !== true || subject === null || reset === undefined) return false;
      // A failed reset does not invalidate the check's pass.
      const isReset = await Promise.race([reset(context).catch(() => false), pause(limitMs, false, { ref: false })]);
      const isKept = isReset && plainSubject() === subject;
      if (isKept) pool.push({ environment, subject });
      return isKept;
    },
    dispose: async () => {
      for (const { environment, subject } of pool.splice(0)) {
        await killAndWait(subject);
        await environment.dispose();
      }
    },
  };
}
