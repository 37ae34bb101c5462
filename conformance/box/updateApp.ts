import { type Check, check } from '../check.ts';
import { equal, holds, keysAre, list, matches, record, refused, status } from '../expect.ts';
import { library, manifest } from './apps.ts';
import type { Box } from './box.ts';
import { containersOf, runningContainer } from './disk.ts';

const web = 'registry.example/kelp-web:1.4';
const store = 'registry.example/kelp-store:7';
const compose = `services:
  web:
    image: ${web}
    restart: unless-stopped
  store:
    image: ${store}
    restart: unless-stopped
`;

/** An update asks the container tool a good dozen times, which takes its time on a machine that has much to do. */
export const unhurried = { timeoutMs: 90_000 };

async function installKelp(box: Box): Promise<void> {
  box.world.bundle({ name: 'kelp', manifest: manifest('kelp'), compose });
  status(await box.install('kelp'), 200);
}

/** Updating an app: which images come, which containers are made anew, what is reported. */
export const checks: Check[] = [
  check(
    'box/updateApp/newer-image',
    [
      'box/updateApp/1',
      'box/updateApp/3',
      'box/updateApp/7',
      'box/service/24',
      'box/service/25',
      'box/states/7',
      'box/image-change/1',
      'box/image-change/2',
      'box/image-change/3',
      'box/image-change/4',
      'box/image-change/5',
      'box/post-rules/6',
      'box/post-rules/12',
      'box/post-rules/13',
      'box/post-rules/14',
    ],
    'pulls the newer image, recreates the container that ran the old one and reports both ids',
    async (box) => {
      await installKelp(box);
      const before = await runningContainer(box, 'kelp', 'web');
      const other = await runningContainer(box, 'kelp', 'store');
      await box.world.docker.advance(web);
      const answer = await box.updateApp('kelp');
      status(answer, 200);
      const after = await runningContainer(box, 'kelp', 'web');
      equal(
        'the image of the container is that of the tag',
        after.imageId,
        await box.world.docker.imageId(web),
      );
      holds('it is another image than before', after.imageId !== before.imageId, after.imageId);
      holds('the container is a new one', after.id !== before.id, after.id);
      equal('the container whose image stayed', (await runningContainer(box, 'kelp', 'store')).id, other.id);
      holds(
        'exactly app, updated and services',
        keysAre(answer.json, ['app', 'updated', 'services']),
        answer.json,
      );
      const { app, updated, services } = record(answer);
      equal('app and updated', [app, updated], ['kelp', true]);
      const [change, ...more] = list({ json: services });
      equal('further records', more, []);
      holds('exactly service, from, to and tag', keysAre(change, ['service', 'from', 'to', 'tag']), change);
      const { service, from, to, tag } = change ?? {};
      equal('service, from, to', [service, from, to], ['web', before.imageId, after.imageId]);
      matches('tag', tag, /1\.4/);
    },
    unhurried,
  ),
  check(
    'box/updateApp/nothing-newer',
    ['box/updateApp/1', 'box/updateApp/3', 'box/post-rules/14'],
    'says updated: false and leaves the containers alone when there is nothing newer',
    async (box) => {
      await installKelp(box);
      const before = (await containersOf(box, 'kelp')).map((one) => [one.id, one.startedAt]);
      const answer = await box.updateApp('kelp');
      status(answer, 200);
      equal(
        'the containers',
        (await containersOf(box, 'kelp')).map((one) => [one.id, one.startedAt]),
        before,
      );
      equal('the answer', answer.json, { app: 'kelp', updated: false, services: [] });
    },
  ),
  check(
    'box/updateApp/second-time',
    ['box/updateApp/1', 'box/post-rules/12', 'box/post-rules/14'],
    'reports every service that changed, and says updated: false the second time',
    async (box) => {
      await installKelp(box);
      for (const image of [web, store]) await box.world.docker.advance(image);
      const first = record(await box.updateApp('kelp'));
      equal(
        'services of the first',
        list({ json: first.services })
          .map((one) => one.service)
          .sort(),
        ['store', 'web'],
      );
      equal('the second', (await box.updateApp('kelp')).json, { app: 'kelp', updated: false, services: [] });
    },
    unhurried,
  ),
  check(
    'box/updateApp/pulled-by-hand',
    ['box/post-rules/6', 'box/post-rules/12', 'box/post-rules/13'],
    'compares what runs with the local tag, also when the pull itself brings nothing new',
    async (box) => {
      await installKelp(box);
      const before = await runningContainer(box, 'kelp', 'web');
      await box.world.docker.advance(web);
      await box.world.docker.pull(web);
      const answer = record(await box.updateApp('kelp'));
      const after = await runningContainer(box, 'kelp', 'web');
      equal('the container has the image of the tag', after.imageId, await box.world.docker.imageId(web));
      equal('updated', answer.updated, true);
      const [change] = list({ json: answer.services });
      equal('from and to', [change?.from, change?.to], [before.imageId, after.imageId]);
    },
    unhurried,
  ),
  check(
    'box/updateApp/one-id-alone',
    ['box/post-rules/12', 'box/post-rules/14'],
    'reports no service that has no container, whatever its tag has become',
    async (box) => {
      await installKelp(box);
      await box.world.docker.removeContainer((await runningContainer(box, 'kelp', 'web')).name);
      await box.world.docker.advance(web);
      equal('the answer', (await box.updateApp('kelp')).json, { app: 'kelp', updated: false, services: [] });
    },
    unhurried,
  ),
  check(
    'box/updateApp/body-ignored',
    ['box/updateApp/2'],
    'ignores what the body holds',
    async (box) => {
      await installKelp(box);
      for (const body of [undefined, {}, { name: 'other', settings: 7 }, { settings: { A: 'b' } }]) {
        status(await box.post('/api/apps/kelp/update', body), 200);
      }
    },
    unhurried,
  ),
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
    'is 404 for an app that is not installed, bundled or not',
    async (box) => {
      for (const name of ['nobody', 'beacon', 'Cairn', '%2e%2e']) {
        refused(await box.updateApp(name), 404);
      }
    },
    { shared: library },
  ),
  check(
    'box/updateApp/pull-fails',
    ['box/updateApp/6', 'box/errors/10'],
    'is 502 when an image cannot be pulled, and leaves what runs alone',
    async (box) => {
      await installKelp(box);
      const before = (await containersOf(box, 'kelp')).map((one) => [one.id, one.running]);
      await box.world.docker.advance(web);
      await box.world.docker.fail({ on: 'pull', match: 'registry.example/kelp', kind: 'network' });
      refused(await box.updateApp('kelp'), 502);
      equal(
        'the containers',
        (await containersOf(box, 'kelp')).map((one) => [one.id, one.running]),
        before,
      );
    },
  ),
  check(
    'box/updateApp/recreate-fails',
    ['box/updateApp/6', 'box/errors/10'],
    'is 502 when a container cannot be made anew of its newer image',
    async (box) => {
      await installKelp(box);
      await box.world.docker.advance(web);
      await box.world.docker.fail({ on: 'start', match: 'kelp' });
      refused(await box.updateApp('kelp'), 502);
      holds('it happened', (await box.world.docker.faultsFired()) > 0);
    },
    unhurried,
  ),
  check(
    'box/updateApp/engine-gone',
    ['box/updateApp/6', 'box/errors/10'],
    'is 502 while the container engine does not answer',
    async (box) => {
      await installKelp(box);
      await box.world.docker.setRunning(false);
      refused(await box.updateApp('kelp'), 502);
      await box.world.docker.setRunning(true);
      status(await box.updateApp('kelp'), 200);
    },
  ),
  check(
    'box/updateApp/neighbours',
    ['box/service/25'],
    'leaves the containers of other apps alone',
    async (box) => {
      await installKelp(box);
      box.world.bundle({ name: 'other', manifest: manifest('other'), compose });
      status(await box.install('other'), 200);
      const before = await runningContainer(box, 'other', 'web');
      await box.world.docker.advance(web);
      status(await box.updateApp('kelp'), 200);
      const after = await runningContainer(box, 'other', 'web');
      equal(
        'container and start of the other app',
        [after.id, after.startedAt],
        [before.id, before.startedAt],
      );
    },
    unhurried,
  ),
  check('box/updateApp/sorted', ['choice/box/125'], 'reports one record a service, by name', async (box) => {
    await installKelp(box);
    for (const image of [web, store]) await box.world.docker.advance(image);
    const { services } = record(await box.updateApp('kelp'));
    equal(
      'services',
      list({ json: services }).map((one) => one.service),
      ['store', 'web'],
    );
  }),
  check(
    'box/updateApp/new-image-does-not-run',
    ['choice/box/122'],
    'goes back to the old image when the new one does not come up, and says both in a 502',
    async (box) => {
      await installKelp(box);
      const before = await runningContainer(box, 'kelp', 'web');
      await box.world.docker.advance(web);
      await box.world.docker.behave(web, 'never-start', 2);
      refused(await box.updateApp('kelp'), 502);
      const after = await runningContainer(box, 'kelp', 'web');
      equal('the image that runs', after.imageId, before.imageId);
      equal('the local tag', await box.world.docker.imageId(web), before.imageId);
    },
  ),
  check(
    'box/updateApp/service-without-container',
    ['choice/box/123'],
    'does not compare a service that has no container',
    async (box) => {
      await installKelp(box);
      const { name } = await runningContainer(box, 'kelp', 'web');
      await box.world.docker.removeContainer(name);
      await box.world.docker.advance(web);
      equal('the answer', (await box.updateApp('kelp')).json, { app: 'kelp', updated: false, services: [] });
    },
  ),
  check(
    'box/updateApp/pull-before-change',
    ['choice/box/121'],
    'touches nothing when one of several images cannot be pulled',
    async (box) => {
      await installKelp(box);
      const before = (await containersOf(box, 'kelp')).map((one) => [one.id, one.startedAt]);
      for (const image of [web, store]) await box.world.docker.advance(image);
      await box.world.docker.fail({ on: 'pull', match: 'kelp-web', kind: 'rate-limit' });
      refused(await box.updateApp('kelp'), 502);
      equal(
        'the containers',
        (await containersOf(box, 'kelp')).map((one) => [one.id, one.startedAt]),
        before,
      );
    },
  ),
  check(
    'box/updateApp/built-here',
    ['choice/box/124'],
    'does not pull a service that is built on the box',
    async (box) => {
      const built = 'services:\n  web:\n    build: .\n    image: kelp-local:1\n    restart: unless-stopped\n';
      box.world.bundle({
        name: 'kelp',
        manifest: manifest('kelp'),
        compose: built,
        files: { Dockerfile: 'FROM registry.example/base:1\n' },
      });
      status(await box.install('kelp'), 200);
      await box.world.docker.fail({ on: 'pull', match: 'kelp-local' });
      equal('the answer', (await box.updateApp('kelp')).json, { app: 'kelp', updated: false, services: [] });
      equal('pulls of it', await box.world.docker.faultsFired(), 0);
    },
  ),
];
