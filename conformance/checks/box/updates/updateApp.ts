import { type Check, check } from '../../../kernel/check.ts';
import { ensure, equal, fields, list, matches, record, status } from '../../../kernel/expect.ts';
import { composeOf, manifest } from '../apps.ts';
import type { BoxContext } from '../context.ts';
import { containersOf, runningContainer } from '../disk.ts';
import { compose, installTwoServices, store, unhurried, web } from './two-services.ts';

export const checks: Check<BoxContext>[] = [
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
      'box/post-rules/6',
      'box/post-rules/12',
      'box/post-rules/13',
      'box/post-rules/14',
    ],
    'pulls the newer image, recreates the container that ran the old one and reports both ids',
    async (box) => {
      await installTwoServices(box);
      const before = await runningContainer(box, 'kelp', 'web');
      const other = await runningContainer(box, 'kelp', 'store');
      await box.environment.docker.advance(web);
      const answer = await box.updateApp('kelp');
      status(answer, 200);
      const after = await runningContainer(box, 'kelp', 'web');
      equal('the image of the container is that of the tag', after.imageId, await box.environment.docker.imageId(web));
      ensure('it is another image than before', after.imageId !== before.imageId, after.imageId);
      ensure('the container is a new one', after.id !== before.id, after.id);
      equal('the container whose image stayed', (await runningContainer(box, 'kelp', 'store')).id, other.id);
      const { app, updated, services } = record(answer);
      equal('app and updated', [app, updated], ['kelp', true]);
      const [change, ...more] = list({ json: services });
      equal('further records', more, []);
      const { service, from, to, tag } = change ?? {};
      equal('service, from, to', [service, from, to], ['web', before.imageId, after.imageId]);
      matches('tag', tag, /1\.4/);
    },
    unhurried,
  ),
  check(
    'box/updateApp/tag-behind-a-port',
    ['box/image-change/4', 'box/post-rules/12'],
    'reports the tag of an image whose registry has a port',
    async (box) => {
      const image = 'registry.example:5000/kelp-web:1.4';
      box.environment.bundle({ name: 'kelp', manifest: manifest('kelp'), compose: composeOf(image) });
      status(await box.install('kelp'), 200);
      await box.environment.docker.advance(image);
      const [change] = list({ json: record(await box.updateApp('kelp')).services });
      matches('tag', change?.tag, /(^|:)1\.4$/);
    },
    unhurried,
  ),
  check(
    'box/updateApp/nothing-newer',
    ['box/updateApp/1', 'box/updateApp/3', 'box/post-rules/14', 'box/service/25'],
    'reports updated: false and leaves the containers alone if nothing is newer',
    async (box) => {
      await installTwoServices(box);
      const before = (await containersOf(box, 'kelp')).map((one) => [one.id, one.startedAt]);
      const answer = await box.updateApp('kelp');
      status(answer, 200);
      equal(
        'the containers',
        (await containersOf(box, 'kelp')).map((one) => [one.id, one.startedAt]),
        before,
      );
      fields('the answer', answer.json, { app: 'kelp', updated: false, services: [] });
    },
  ),
  check(
    'box/updateApp/second-time',
    ['box/updateApp/1', 'box/post-rules/12', 'box/post-rules/14'],
    'reports every changed service, and updated: false the second time',
    async (box) => {
      await installTwoServices(box);
      for (const image of [web, store]) await box.environment.docker.advance(image);
      const first = record(await box.updateApp('kelp'));
      equal(
        'services of the first',
        list({ json: first.services })
          .map((one) => one.service)
          .sort(),
        ['store', 'web'],
      );
      fields('the second', (await box.updateApp('kelp')).json, { app: 'kelp', updated: false, services: [] });
    },
    unhurried,
  ),
  check(
    'box/updateApp/pulled-by-hand',
    ['box/post-rules/6', 'box/post-rules/12', 'box/post-rules/13'],
    'compares the running image with the local tag, also if the pull brings nothing new',
    async (box) => {
      await installTwoServices(box);
      const before = await runningContainer(box, 'kelp', 'web');
      await box.environment.docker.advance(web);
      await box.environment.docker.pull(web);
      const answer = record(await box.updateApp('kelp'));
      const after = await runningContainer(box, 'kelp', 'web');
      equal('the container has the image of the tag', after.imageId, await box.environment.docker.imageId(web));
      equal('updated', answer.updated, true);
      const [change] = list({ json: answer.services });
      equal('from and to', [change?.from, change?.to], [before.imageId, after.imageId]);
    },
    unhurried,
  ),
  check(
    'box/updateApp/one-id-alone',
    ['box/post-rules/12', 'box/post-rules/14'],
    'does not report a service without a container, whatever its tag is',
    async (box) => {
      await installTwoServices(box);
      await box.environment.docker.removeContainer((await runningContainer(box, 'kelp', 'web')).name);
      await box.environment.docker.advance(web);
      fields('the answer', (await box.updateApp('kelp')).json, { app: 'kelp', updated: false, services: [] });
    },
    unhurried,
  ),
  check(
    'box/updateApp/body-ignored',
    ['box/updateApp/2'],
    'ignores the body',
    async (box) => {
      await installTwoServices(box);
      for (const body of [undefined, {}, { name: 'other', settings: 7 }, { settings: { A: 'b' } }]) {
        status(await box.post('/api/apps/kelp/update', body), 200);
      }
    },
    unhurried,
  ),
  check(
    'box/updateApp/neighbours',
    ['box/service/25'],
    'leaves the containers of other apps alone',
    async (box) => {
      await installTwoServices(box);
      box.environment.bundle({ name: 'other', manifest: manifest('other'), compose });
      status(await box.install('other'), 200);
      const before = await runningContainer(box, 'other', 'web');
      await box.environment.docker.advance(web);
      status(await box.updateApp('kelp'), 200);
      const after = await runningContainer(box, 'other', 'web');
      equal('container and start of the other app', [after.id, after.startedAt], [before.id, before.startedAt]);
    },
    unhurried,
  ),
  check(
    'box/updateApp/newer-version-bundled',
    ['box/updateApp/1', 'box/post-rules/14'],
    'answers with app, updated and services when the bundled apps have a newer version of the app',
    async (box) => {
      const offer = (version: string) => {
        const compose = composeOf(`registry.example/wrack:${version}`);
        box.environment.bundle({ name: 'wrack', manifest: manifest('wrack', { version }), compose });
      };
      offer('1.10');
      status(await box.install('wrack'), 200);
      offer('1.11');
      const answer = await box.updateApp('wrack');
      status(answer, 200);
      const { app, updated, services } = record(answer);
      equal('app', app, 'wrack');
      ensure('services is an array', Array.isArray(services), services);
      equal('updated is true exactly if services is not empty', updated, list({ json: services }).length > 0);
    },
    unhurried,
  ),
];
