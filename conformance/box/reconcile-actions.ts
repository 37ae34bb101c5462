import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Check, check } from '../check.ts';
import { equal, holds, matches, status } from '../expect.ts';
import { actionsOf, appOf } from './actions.ts';
import { manifest, placeInstalled } from './apps.ts';
import { containersOf, installedFolder, runningContainer } from './disk.ts';

const kinds = [
  'copy', 'refresh', 'keep', 'write_env', 'create', 'start', 'recreate', 'stop', 'remove_orphan', 'noop', 'skip', 'rollback',
  'warn', 'error',
]; // biome-ignore format: a table

/** What is told of each app after all installed apps were brought in line. */
export const checks: Check[] = [
  check(
    'box/reconcile/skips',
    ['choice/box/108'],
    'skips apps with a placeholder or a broken manifest, and says so',
    async (box) => {
      placeInstalled(box, 'anchor');
      box.world.placeInstalled({ name: 'reef', manifest: manifest('reef'), env: 'A=changeme\n' });
      box.world.placeInstalled({ name: 'wreck', manifest: 'broken' });
      const answer = await box.changeSettings('anchor', {});
      status(answer, 200);
      for (const name of ['reef', 'wreck']) {
        equal(`containers of ${name}`, await containersOf(box, name), []);
        const own = actionsOf(answer).filter((action) => appOf(action) === name);
        equal(
          `kinds for ${name}`,
          own.map((action) => action.kind),
          ['skip'],
        );
      }
    },
  ),
  check(
    'box/reconcile/lost-compose-file',
    ['choice/box/171'],
    'tells each time of an app that lost its Compose file, and skips one that never had any',
    async (box) => {
      placeInstalled(box, 'anchor', 'buoy');
      box.world.placeInstalled({ name: 'card', manifest: manifest('card'), compose: null });
      status(await box.changeSettings('anchor', {}), 200);
      rmSync(join(installedFolder(box, 'buoy'), 'compose.yaml'));
      for (const _ of ['once', 'and again']) {
        const answer = await box.changeSettings('anchor', {});
        status(answer, 207);
        equal(
          'the apps and what is told of them',
          actionsOf(answer).map((action) => [appOf(action), action.kind]),
          [
            ['anchor', 'noop'],
            ['buoy', 'error'],
            ['card', 'skip'],
          ],
        );
      }
      await runningContainer(box, 'buoy');
    },
  ),
  check(
    'box/reconcile/actions',
    ['choice/box/110', 'choice/box/111', 'choice/box/112', 'choice/box/113', 'choice/box/106'],
    'tells of every installed app, the app acted on first and the others by name',
    async (box) => {
      placeInstalled(box, 'zinc', 'anchor', 'mica');
      box.world.bundle({ name: 'quay', manifest: manifest('quay'), envExample: 'A=1\n' });
      const answer = await box.install('quay', { A: '2' });
      status(answer, 200);
      const actions = actionsOf(answer);
      for (const action of actions) {
        holds('a known kind', kinds.includes(action.kind), action);
        holds(
          'a target that is an app or app/service',
          /^[a-z0-9][a-z0-9_-]*(\/[^/]+)?$/.test(action.target),
          action,
        );
        holds('a detail in words', action.detail.length > 0, action);
      }
      const order = [...new Set(actions.map(appOf))];
      equal('the apps in order', order, ['quay', 'anchor', 'mica', 'zinc']);
      const own = actions.filter((action) => appOf(action) === 'quay').map((action) => action.kind);
      for (const kind of ['copy', 'write_env', 'create']) holds(`an action ${kind}`, own.includes(kind), own);
    },
  ),
  check(
    'box/reconcile/207-means-error',
    ['choice/box/114', 'choice/box/146'],
    'answers 207 exactly when there is an action error, whose target is the app, with the words of the tool',
    async (box) => {
      placeInstalled(box, 'anchor', 'wreck');
      await box.world.docker.fail({ on: 'pull', match: 'registry.example/wreck' });
      const failed = await box.changeSettings('anchor', {});
      status(failed, 207);
      const errors = actionsOf(failed).filter((action) => action.kind === 'error');
      equal('apps with an error', [...new Set(errors.map(appOf))], ['wreck']);
      // What it was about is not yet what it said.
      for (const { detail } of errors)
        matches(
          'the words of the tool',
          String(detail).replaceAll('registry.example/wreck', ''),
          /daemon|registry|manifest|denied|not found/i,
        );
      await box.world.docker.clearFaults();
      const mended = await box.changeSettings('anchor', {});
      status(mended, 200);
      equal(
        'errors afterwards',
        actionsOf(mended).filter((action) => action.kind === 'error'),
        [],
      );
    },
  ),
];
