import { placeInstalled } from '../../checks/box/apps.ts';
import type { BoxContext } from '../../checks/box/context.ts';
import { runningContainer } from '../../checks/box/disk.ts';
import { type Check, check } from '../../kernel/check.ts';
import { list, matches, status } from '../../kernel/expect.ts';
import { until } from '../../kernel/observe.ts';

/** Waits until the list shows an app in this state, and returns why it has it. */
async function untilState(box: BoxContext, name: string, state: string): Promise<unknown> {
  let entry: Record<string, unknown> = {};
  await until(`the list shows ${name} as ${state}`, async () => {
    entry = list(await box.get('/api/apps')).find((app) => app.name === name) ?? {};
    return entry.state === state;
  });
  return entry.state_detail;
}

export const checks: Check<BoxContext>[] = [
  check(
    'box/appState/start',
    ['choice/box/270'],
    'reconciles all apps after a start and when the engine is back, and shows their states meanwhile',
    async (box) => {
      placeInstalled(box, 'tide', 'ebb');
      const subject = await box.start();
      for (const name of ['tide', 'ebb']) {
        await untilState(box, name, 'running');
        await runningContainer(box, name);
      }
      await until('a line on standard error', () => /^reconcile: ok\b/m.test(subject.stderr()));
      await box.environment.docker.setRunning(false);
      matches('why', await untilState(box, 'tide', 'unknown'), /Docker/);
      status(await box.get('/'), 200);
      placeInstalled(box, 'surf');
      await box.environment.docker.setRunning(true);
      for (const name of ['ebb', 'surf', 'tide']) await untilState(box, name, 'running');
    },
  ),
];
