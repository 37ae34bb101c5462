import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Check, check } from '../../../kernel/check.ts';
import { equal, status } from '../../../kernel/expect.ts';
import { actionsOf, appOf } from '../actions.ts';
import { composeOf, manifest, placeInstalled } from '../apps.ts';
import type { BoxContext } from '../context.ts';
import { byHand, callsOf, containersOf, runningContainer } from '../disk.ts';

const serviceOf = (name: string, more = '') => `services:\n  ${name}:\n    image: registry.example/${name}:1\n${more}`;

/** Starts a Compose project by hand from a new folder. */
async function bringUp(box: BoxContext, folder: string, project: string, compose: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'compose.yaml'), box.environment.composeText(compose));
  await byHand(box, 'docker', folder, 'compose', '-p', project, 'up', '-d');
}

const projectsOf = async (box: BoxContext) =>
  (await box.environment.docker.containers()).map((one) => one.project).sort();

export const checks: Check<BoxContext>[] = [
  check(
    'box/reconcile/projects-of-others',
    ['choice/box/109', 'choice/box/169'],
    'removes only projects of apps that it started and whose folder is gone',
    async (box) => {
      placeInstalled(box, 'anchor', 'buoy', 'moved', 'gone');
      const apps = box.environment.installedApps;
      const elsewhere = join(box.environment.root, 'elsewhere');
      await bringUp(box, join(elsewhere, 'moved'), 'moved', composeOf('registry.example/other:1'));
      rmSync(join(elsewhere, 'moved'), { recursive: true });
      status(await box.changeSettings('anchor', {}), 200);
      equal('what runs', (await runningContainer(box, 'moved')).image, 'registry.example/moved:1.4');
      await bringUp(box, join(elsewhere, 'standing'), 'standing', serviceOf('web'));
      await bringUp(box, join(elsewhere, 'buoy'), 'buoy', serviceOf('guest'));
      await bringUp(box, join(elsewhere, 'gone'), 'lost', serviceOf('web'));
      await bringUp(box, join(apps, 'stranger'), 'stranger', serviceOf('web'));
      await bringUp(box, join(apps, 'anchor', 'buoy'), 'deep', serviceOf('web'));
      const folders = [join(elsewhere, 'gone'), join(apps, 'anchor', 'buoy'), join(apps, 'stranger')];
      for (const folder of [...folders, join(apps, 'buoy'), join(apps, 'gone')]) rmSync(folder, { recursive: true });
      const answer = await box.changeSettings('anchor', {});
      status(answer, 200);
      const toldOf = new Set(actionsOf(answer).map(appOf));
      equal('the apps that are told of', [...toldOf].sort(), ['anchor', 'gone', 'moved']);
      const left = ['anchor', 'buoy', 'buoy', 'deep', 'lost', 'moved', 'standing', 'stranger'];
      equal('the projects that are left', await projectsOf(box), left);
    },
  ),
  check(
    'box/reconcile/one-project-for-two',
    ['choice/box/100'],
    'gives a project that two apps name to the one that has its containers, else to the first possible one',
    async (box) => {
      const app = (name: string, fields: { env?: string; manifest?: string } = {}) =>
        box.environment.placeInstalled({
          name,
          manifest: manifest(name),
          compose: `name: shared\n${composeOf(`registry.example/${name}:1`)}`,
          ...fields,
        });
      // A box that starts with the apps pulls their images and brings them up before the change.
      await box.get('/api/apps');
      placeInstalled(box, 'anchor');
      app('a-broken', { manifest: 'broken' });
      app('a-skipped', { env: 'KEY=changeme\n' });
      app('later');
      app('latest');
      const told = async () =>
        actionsOf(await box.changeSettings('anchor', {})).map((action) => [appOf(action), action.kind]);
      const skipped = ['a-broken', 'a-skipped'].map((name) => [name, 'skip']);
      equal('what is told', await told(), [['anchor', 'create'], ...skipped, ['later', 'create'], ['latest', 'error']]);
      app('early');
      equal('what is told of one that comes before it', await told(), [
        ['anchor', 'noop'],
        ...skipped,
        ['early', 'error'],
        ['later', 'noop'],
        ['latest', 'error'],
      ]);
      equal('what runs', (await runningContainer(box, 'shared')).image, 'registry.example/later:1');
      box.environment.placeInstalled({ name: 'later', manifest: manifest('later') });
      const errors = (await told()).filter(([, kind]) => kind === 'error');
      equal('the errors once it has a project of its own', errors, [['latest', 'error']]);
      equal('what runs now', (await runningContainer(box, 'shared')).image, 'registry.example/early:1');
      await runningContainer(box, 'later');
    },
  ),
  check(
    'box/reconcile/in-line',
    ['choice/box/104', 'choice/box/103', 'choice/box/110'],
    'starts a failed container, creates a missing one, and leaves several running services alone',
    async (box) => {
      placeInstalled(box, 'anchor', 'lost');
      const compose = `${serviceOf('web')}  more:\n    image: registry.example/more:1\n`;
      for (const name of ['both', 'half']) box.environment.placeInstalled({ name, manifest: manifest(name), compose });
      box.environment.placeInstalled({ name: 'job', manifest: manifest('job'), compose: serviceOf('web') });
      status(await box.changeSettings('anchor', {}), 200);
      const calls = () => callsOf(box).length;
      const before = calls();
      status(await box.changeSettings('anchor', {}), 200);
      equal('calls of docker where all is in line', calls() - before, 1);
      await box.environment.docker.stop((await runningContainer(box, 'job')).name);
      await box.environment.docker.removeContainer((await runningContainer(box, 'lost')).name);
      await box.environment.docker.removeContainer((await runningContainer(box, 'half', 'more')).name);
      const answer = await box.changeSettings('anchor', {});
      status(answer, 200);
      equal(
        'what was done',
        actionsOf(answer)
          .filter(({ kind }) => kind !== 'noop')
          .map(({ kind, target }) => `${kind} ${target}`),
        ['create half/more', 'start job/web', 'create lost/web'],
      );
      for (const name of ['job', 'lost']) await runningContainer(box, name);
      await runningContainer(box, 'half', 'more');
      equal('containers of both', (await containersOf(box, 'both')).length, 2);
    },
  ),
];
