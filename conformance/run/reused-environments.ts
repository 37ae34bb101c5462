import { setTimeout as pause } from 'node:timers/promises';
import type { Check } from '../kernel/check.ts';
import type { Subject } from '../kernel/subject.ts';
import type { Api } from './api.ts';
import { endOf, type Held, type Trial } from './check-run.ts';

/** A world that a check has left as it was made, and the implementation that goes on running in it. */
export type UsedWorld<H extends Held> = { world: H['world']; subject: Subject };

/**
 * Used worlds that wait for a next check. A start is a large part of what a check costs; where all that a check made can
 * be taken away again, the next one need not start another implementation.
 */
export type UsedWorlds<H extends Held> = {
  /** One for a check that may have it; null where there is none. */
  take: (check: Check<H>) => UsedWorld<H> | null;
  /** Whether the world of a check that passed is kept; where it is not, whoever asks disposes of it. */
  leave: (check: Check<H>, trial: Trial<H>, world: H['world']) => Promise<boolean>;
  dispose: () => Promise<void>;
};

/** Many times what a start takes: whoever is slower at it is started anew. */
const tidyingMs = 5000;

export function makeUsedWorlds<H extends Held>(
  { tidy }: Pick<Api<H>, 'tidy'>,
  limitMs = tidyingMs,
): UsedWorlds<H> {
  const waiting: UsedWorld<H>[] = [];
  return {
    take: ({ options }) => (options.used === true ? (waiting.pop() ?? null) : null),
    leave: async ({ options }, { held, undisturbed }, world) => {
      const subject = undisturbed();
      if (options.used !== true || subject === null || tidy === undefined) return false;
      // A world that cannot be made tidy tells nothing of the check that has passed in it.
      const isTidy = await Promise.race([
        tidy(held).catch(() => false),
        pause(limitMs, false, { ref: false }),
      ]);
      const isLeft = isTidy && undisturbed() === subject;
      if (isLeft) waiting.push({ world, subject });
      return isLeft;
    },
    dispose: async () => {
      for (const { world, subject } of waiting.splice(0)) {
        await endOf(subject);
        await world.dispose();
      }
    },
  };
}
