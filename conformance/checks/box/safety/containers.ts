import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Check, check } from '../../../kernel/check.ts';
import { ensure, equal, status } from '../../../kernel/expect.ts';
import { until } from '../../../kernel/observe.ts';
import { composeOf, manifest, placeInstalled, settings } from '../apps.ts';
import type { BoxContext } from '../context.ts';
import { byHand, containersOf, installedFolder, runningContainer } from '../disk.ts';
import { installTwoServices, store, unhurried, web } from '../updates/two-services.ts';

const withVolume = `services:
  web:
    image: registry.example/quay:1
    restart: unless-stopped
    volumes:
      - rows:/data
volumes:
  rows: {}
`;

/** What a container that nobody touched keeps. */
async function lifeOf(box: BoxContext, project: string, service = 'web'): Promise<unknown> {
  const { id, startedAt } = await runningContainer(box, project, service);
  return [id, startedAt];
}

/** Makes every kind of change to an app that may be refused. */
async function changeInEveryWay(box: BoxContext, name: string): Promise<void> {
  for (const change of [box.changeSettings, box.install]) await change(name, { GREETING: 'x' });
  await box.updateApp(name);
  await box.remove(name);
}

export const checks: Check<BoxContext>[] = [
  check(
    'box/containers/of-other-folders',
    ['should/box/512'],
    'leaves the containers alone that another folder brought up under the project name of an app',
    async (box) => {
      const folder = join(box.environment.root, 'elsewhere', 'quay');
      mkdirSync(folder, { recursive: true });
      const image = 'registry.example/other:1';
      const guest = `${composeOf(image)}  guest:\n    image: ${image}\n    restart: unless-stopped\n`;
      writeFileSync(join(folder, 'compose.yaml'), box.environment.composeText(guest));
      await byHand(box, 'docker', folder, 'compose', 'up', '-d');
      const lives = () => Promise.all(['web', 'guest'].map((service) => lifeOf(box, 'quay', service)));
      const before = await lives();
      const app = { name: 'quay', manifest: manifest('quay', { settings: [settings.text] }) };
      box.environment.bundle(app);
      box.environment.placeInstalled(app);
      await box.environment.docker.advance(image);
      await changeInEveryWay(box, 'quay');
      equal('their ids and starts', await lives(), before);
    },
    unhurried,
  ),
  check(
    'box/containers/of-another-app',
    ['should/box/512'],
    'leaves the containers of an app alone if another one names the same project',
    async (box) => {
      const app = (name: string, image: string) => ({
        name,
        manifest: manifest(name, { settings: [settings.text] }),
        compose: `name: shared\n${composeOf(`registry.example/${image}:1`)}`,
      });
      box.environment.placeInstalled(app('quay', 'first'));
      status(await box.changeSettings('quay', { GREETING: 'mine' }), 200);
      const before = await lifeOf(box, 'shared');
      box.environment.bundle(app('anchor', 'second'));
      box.environment.placeInstalled(app('anchor', 'second'));
      await changeInEveryWay(box, 'anchor');
      equal('their ids and starts', await lifeOf(box, 'shared'), before);
    },
    unhurried,
  ),
  check(
    'box/containers/others-keep-running',
    ['should/box/520'],
    'neither restarts nor recreates the containers of apps that a change is not about',
    async (box) => {
      for (const name of ['quay', 'reef', 'anchor']) box.environment.bundle({ name, manifest: manifest(name) });
      for (const name of ['anchor', 'quay']) status(await box.install(name), 200);
      const before = await lifeOf(box, 'anchor');
      status(await box.install('reef'), 200);
      status(await box.changeSettings('quay', {}), 200);
      status(await box.install('quay'), 200);
      await box.environment.docker.advance('registry.example/quay:1.4');
      status(await box.updateApp('quay'), 200);
      status(await box.remove('reef'), 200);
      equal('the id and the start of the container', await lifeOf(box, 'anchor'), before);
    },
    unhurried,
  ),
  check(
    'box/containers/volumes-survive',
    ['should/box/513'],
    'removes no volume, neither with an app nor with its containers',
    async (box) => {
      box.environment.bundle({ name: 'quay', manifest: manifest('quay'), compose: withVolume });
      status(await box.install('quay'), 200);
      const before = await box.environment.docker.volumes();
      ensure(
        'there is a volume',
        before.some((name) => name.includes('rows')),
        before,
      );
      await box.environment.docker.advance('registry.example/quay:1');
      status(await box.updateApp('quay'), 200);
      status(await box.changeSettings('quay', {}), 200);
      equal('the volumes after an update', await box.environment.docker.volumes(), before);
      status(await box.remove('quay'), 200);
      equal('the volumes after the removal', await box.environment.docker.volumes(), before);
    },
    unhurried,
  ),
  check(
    'box/containers/back-after-docker',
    ['should/box/514'],
    'brings all apps up with the next change once the engine is back',
    async (box) => {
      placeInstalled(box, 'anchor', 'buoy');
      status(await box.changeSettings('anchor', {}), 200);
      await box.environment.docker.setRunning(false);
      await box.changeSettings('anchor', {});
      box.environment.placeInstalled({ name: 'late', manifest: manifest('late') });
      await box.changeSettings('late', {});
      await box.environment.docker.setRunning(true);
      status(await box.changeSettings('anchor', {}), 200);
      for (const name of ['anchor', 'buoy', 'late']) await runningContainer(box, name);
    },
    unhurried,
  ),
  check(
    'box/updateApp/nothing-touched-without-images',
    ['should/box/515'],
    'leaves the containers of an app running if one of its newer images cannot be pulled',
    async (box) => {
      await installTwoServices(box);
      const lives = async () => (await containersOf(box, 'kelp')).map((one) => [one.id, one.startedAt, one.running]);
      const before = await lives();
      for (const image of [web, store]) await box.environment.docker.advance(image);
      for (const match of ['kelp-web', 'kelp-store', 'registry.example/kelp']) {
        await box.environment.docker.clearFaults();
        await box.environment.docker.fail({ on: 'pull', match, kind: 'network' });
        const answer = await box.updateApp('kelp');
        ensure('the update fails', answer.status >= 400, answer.status);
        equal('the containers', await lives(), before);
      }
    },
    unhurried,
  ),
  check(
    'box/updateApp/created-only',
    ['should/box/519'],
    'starts containers with the next change that a killed update created but did not start',
    async (box) => {
      await installTwoServices(box);
      await byHand(box, 'docker', installedFolder(box, 'kelp'), 'compose', 'create', '--force-recreate');
      equal('whether the web runs', (await box.environment.docker.project('kelp')).web?.running, false);
      status(await box.changeSettings('kelp', {}), 200);
      for (const service of ['web', 'store']) await runningContainer(box, 'kelp', service);
    },
    unhurried,
  ),
  check(
    'box/updateApp/killed',
    ['should/box/519'],
    'brings an app up again with the next change after its update was killed',
    async (box) => {
      await installTwoServices(box);
      for (const image of [web, store]) await box.environment.docker.advance(image);
      await box.environment.docker.hang({ on: 'start', match: 'kelp', times: 1, ms: 10_000 });
      void box.updateApp('kelp').catch(() => undefined);
      await until('the update starts a container', async () => (await box.environment.docker.faultsFired()) > 0);
      await box.kill();
      await box.environment.docker.clearFaults();
      await box.start();
      status(await box.changeSettings('kelp', {}), 200);
      for (const service of ['web', 'store']) await runningContainer(box, 'kelp', service);
    },
    unhurried,
  ),
  check(
    'box/updateApp/stopped-app',
    ['should/box/240'],
    'does not start a stopped app although it has newer images',
    async (box) => {
      await installTwoServices(box);
      const { docker } = box.environment;
      for (const service of ['web', 'store']) await docker.stop((await runningContainer(box, 'kelp', service)).name);
      for (const image of [web, store]) await docker.advance(image);
      status(await box.updateApp('kelp'), 200);
      const running = (await containersOf(box, 'kelp')).filter((one) => one.running);
      equal('what runs', running, []);
    },
    unhurried,
  ),
  check(
    'box/updateApp/stopped-service',
    ['should/box/240'],
    'leaves a stopped service of a running app stopped, also if both have newer images',
    async (box) => {
      await installTwoServices(box);
      const { docker } = box.environment;
      await docker.stop((await runningContainer(box, 'kelp', 'store')).name);
      for (const image of [web, store]) await docker.advance(image);
      status(await box.updateApp('kelp'), 200);
      equal('the image of the web', (await runningContainer(box, 'kelp')).imageId, await docker.imageId(web));
      equal('whether the stopped service runs', (await docker.project('kelp')).store?.running ?? false, false);
    },
    unhurried,
  ),
];
