import type { Changes, Progress } from '../core.ts';
import type { Operations, ToldOperation } from '../engine/ports.ts';
import type { AppOperation } from '../known-apps.ts';
import type { AppsBox } from './ports.ts';

type Running = { app: string; shown: AppOperation };

/** Shows each change of an app until its end, also of other processes. From then on, use the returned `changes`. */
export function showOperations(
  changes: Changes,
  told: ToldOperation,
  now: AppsBox['now'],
  onEnd: () => void,
): { changes: Changes; operations: Operations } {
  const running = new Set<Running>();
  let inTurn: Running | null = null;
  let all: ReadonlyMap<string, AppOperation> | null = null;
  let others = told.others();

  const setStep = (one: Running, progress: Progress) => {
    const { kind, since } = one.shown;
    one.shown = { kind, since, ...progress };
    // A change that turns out to change nothing writes no file.
    if (inTurn === one && progress.step !== 'preparing') told.tell({ app: one.app, ...one.shown });
    all = null;
  };
  const run: Changes['run'] = async (change, of) => {
    const since = now().toISOString();
    const one: Running | null = of ? { app: of.app, shown: { kind: of.kind, since, step: 'waiting' } } : null;
    if (one !== null) running.add(one);
    all = null;
    try {
      return await changes.run(async () => {
        inTurn = one;
        if (one !== null) setStep(one, { step: 'preparing' });
        try {
          return await change();
        } finally {
          told.tell(null);
        }
      });
    } finally {
      if (one !== null) running.delete(one);
      if (inTurn === one) inTurn = null;
      all = null;
      onEnd();
    }
  };

  return {
    changes: { ...changes, run },
    operations: {
      all() {
        const now = told.others();
        if (all === null || now !== others) {
          others = now;
          // If one app has several changes, the first counts: one of another process has its turn.
          const latestFirst = [...running].reverse();
          const own = latestFirst.map(({ app, shown: operation }) => [app, operation] as const);
          all = new Map([...own, ...others]);
        }
        return all;
      },
      report(progress) {
        if (inTurn !== null) setStep(inTurn, progress);
      },
    },
  };
}
