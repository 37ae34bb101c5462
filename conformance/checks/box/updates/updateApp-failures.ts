import { type Check, check } from '../../../kernel/check.ts';
import { ensure, refused, status } from '../../../kernel/expect.ts';
import { library } from '../apps.ts';
import type { BoxContext } from '../context.ts';
import { impossible } from '../settings/getAppSettings.ts';
import { installTwoServices, unhurried, web } from './two-services.ts';

export const checks: Check<BoxContext>[] = [
  check(
    'box/updateApp/invalid-name',
    ['box/updateApp/4', 'box/errors/2'],
    'refuses a name that is empty or has a slash',
    async (box) => {
      for (const path of ['/api/apps//update', '/api/apps/a/b/update', '/api/apps/cairn//update']) {
        refused(await box.post(path), 400, 'invalid app name');
      }
    },
    { shared: library },
  ),
  check(
    'box/updateApp/not-installed',
    ['box/updateApp/5', 'box/errors/7'],
    'answers 404 for an app that is not installed, bundled or not',
    async (box) => {
      for (const name of ['nobody', 'beacon', 'CAIRN', 'Cairn']) refused(await box.updateApp(name), 404);
      for (const name of impossible) {
        const answer = await box.updateApp(name);
        // An impossible name may be reported as an invalid name.
        refused(answer, answer.status === 400 ? 400 : 404);
      }
    },
    { shared: library },
  ),
  check(
    'box/updateApp/pull-fails',
    ['box/updateApp/6', 'box/errors/10'],
    'answers 502 if an image cannot be pulled',
    async (box) => {
      await installTwoServices(box);
      await box.environment.docker.advance(web);
      await box.environment.docker.fail({ on: 'pull', match: 'registry.example/kelp', kind: 'network' });
      refused(await box.updateApp('kelp'), 502);
    },
  ),
  check(
    'box/updateApp/recreate-fails',
    ['box/updateApp/6', 'box/errors/10'],
    'answers 502 if a container cannot be recreated',
    async (box) => {
      await installTwoServices(box);
      await box.environment.docker.advance(web);
      await box.environment.docker.fail({ on: 'start', match: 'kelp' });
      refused(await box.updateApp('kelp'), 502);
      ensure('it happened', (await box.environment.docker.faultsFired()) > 0);
    },
    unhurried,
  ),
  check(
    'box/updateApp/engine-gone',
    ['box/updateApp/6', 'box/errors/10'],
    'answers 502 while the container engine does not answer',
    async (box) => {
      await installTwoServices(box);
      await box.environment.docker.setRunning(false);
      refused(await box.updateApp('kelp'), 502);
      await box.environment.docker.setRunning(true);
      status(await box.updateApp('kelp'), 200);
    },
  ),
];
