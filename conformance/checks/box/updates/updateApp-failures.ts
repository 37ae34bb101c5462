import { type Check, check } from '../../../kernel/check.ts';
import { ensure, equal, refused, status } from '../../../kernel/expect.ts';
import { library, manifest, settings } from '../apps.ts';
import type { BoxContext } from '../context.ts';
import { containersOf, runningContainer } from '../disk.ts';
import { impossible } from '../settings/getAppSettings.ts';
import { installTwoServices, store, unhurried, web } from './two-services.ts';

const image = 'registry.example/reed:3';
const compose = `services:
  web:
    image: ${image}
    restart: unless-stopped
    healthcheck:
      test: ["CMD", "true"]
`;

type Case = { id: string; says: string; does: 'exit' | 'restart' | 'unhealthy'; generation: 2 | 3; afterMs: number };
const cases: Case[] = [
  { id: 'ends', says: 'ends with a failure', does: 'exit', generation: 2, afterMs: 0 },
  {
    id: 'restarts',
    says: 'ends over and over and runs whenever one looks',
    does: 'restart',
    generation: 2,
    afterMs: 0,
  },
  { id: 'unhealthy', says: 'turns unhealthy', does: 'unhealthy', generation: 3, afterMs: 0 },
  // Turns unhealthy after the time that a too short check would wait.
  { id: 'slowly-unhealthy', says: 'turns unhealthy late', does: 'unhealthy', generation: 2, afterMs: 6000 },
];

/** Updates whose new containers start but fail afterwards. */
const comeUpWrong: Check<BoxContext>[] = cases.map(({ id, says, does, generation, afterMs }) =>
  check(
    `box/updateApp/new-container-${id}`,
    ['choice/box/122'],
    `rolls back to the old image if the new container ${says}, and says so in a 502`,
    async (box) => {
      // Applies to an image that is not published yet.
      await box.environment.docker.behave(image, does, generation, afterMs);
      box.environment.bundle({ name: 'reed', manifest: manifest('reed'), compose });
      status(await box.install('reed'), 200);
      if (generation === 3) {
        // While the containers are healthy, updates succeed.
        await box.environment.docker.advance(image);
        status(await box.updateApp('reed'), 200);
      }
      const before = await runningContainer(box, 'reed');
      await box.environment.docker.advance(image);
      refused(await box.updateApp('reed'), 502);
      equal('the image that runs', (await runningContainer(box, 'reed')).imageId, before.imageId);
    },
    { ...unhurried, requestMs: 15_000 },
  ),
);

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
  check(
    'box/updateApp/new-image-does-not-run',
    ['choice/box/122'],
    'rolls back to the old image if the new one does not start, and reports both in a 502',
    async (box) => {
      await installTwoServices(box);
      const before = await runningContainer(box, 'kelp', 'web');
      await box.environment.docker.advance(web);
      await box.environment.docker.behave(web, 'never-start', 2);
      refused(await box.updateApp('kelp'), 502);
      const after = await runningContainer(box, 'kelp', 'web');
      equal('the image that runs', after.imageId, before.imageId);
      equal('the local tag', await box.environment.docker.imageId(web), before.imageId);
    },
  ),
  check(
    'box/updateApp/pull-before-change',
    ['choice/box/121'],
    'changes nothing if one of several images cannot be pulled',
    async (box) => {
      await installTwoServices(box);
      const before = (await containersOf(box, 'kelp')).map((one) => [one.id, one.startedAt]);
      for (const image of [web, store]) await box.environment.docker.advance(image);
      await box.environment.docker.fail({ on: 'pull', match: 'kelp-web', kind: 'rate-limit' });
      refused(await box.updateApp('kelp'), 502);
      equal(
        'the containers',
        (await containersOf(box, 'kelp')).map((one) => [one.id, one.startedAt]),
        before,
      );
    },
  ),
  ...comeUpWrong,
  check(
    'box/updateApp/secret-in-project-name',
    ['choice/box/250'],
    'names the Compose file with an impossible project name, and hides a password in that name',
    async (box) => {
      const key = box.secret();
      box.environment.placeInstalled({
        name: 'reed',
        manifest: manifest('reed', { settings: [{ ...settings.password, name: 'P' }] }),
        compose: `name: "\${P}"\n${compose}`,
        env: `P=${key}.UPPER\n`,
      });
      const update = await box.updateApp('reed');
      refused(update, 502);
      const change = await box.changeSettings('reed', {});
      status(change, 207);
      const removed = await box.remove('reed');
      for (const { text } of [update, change, removed]) ensure('no password in the answer', !text.includes(key), text);
    },
  ),
];
