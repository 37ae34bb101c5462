import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Check, check } from '../../../kernel/check.ts';
import { ensure, equal, matches, pluck, record, refused, status } from '../../../kernel/expect.ts';
import { until } from '../../../kernel/observe.ts';
import { actionsOf, appOf } from '../actions.ts';
import { composeOf, manifest, placeInstalled } from '../apps.ts';
import type { BoxContext } from '../context.ts';
import { containersOf, installedFolder, isInstalled, isRunning, runningContainer } from '../disk.ts';

const kinds = [
  'copy', 'refresh', 'keep', 'write_env', 'create', 'start', 'recreate', 'stop', 'remove_orphan', 'noop', 'skip', 'rollback',
  'warn', 'error',
]; // biome-ignore format: a table

const largestCompose = 256 * 1024;
/** No file can have such a long name, so opening it fails in another way. */
const namesNoFile = composeOf('registry.example/wreck:1', '    env_file: ["odd\\0.env"]\n');

export const checks: Check<BoxContext>[] = [
  check(
    'box/reconcile/skips',
    ['choice/box/108'],
    'skips apps with a placeholder or a broken manifest, and says so',
    async (box) => {
      placeInstalled(box, 'anchor');
      box.environment.placeInstalled({ name: 'reef', manifest: manifest('reef'), env: 'API_TOKEN=changeme\n' });
      box.environment.placeInstalled({ name: 'wreck', manifest: 'broken' });
      const answer = await box.changeSettings('anchor', {});
      status(answer, 200);
      for (const name of ['reef', 'wreck']) {
        equal(`containers of ${name}`, await containersOf(box, name), []);
        const own = actionsOf(answer).filter((action) => appOf(action) === name);
        equal(`kinds for ${name}`, pluck(own, 'kind'), ['skip']);
      }
    },
  ),
  check(
    'box/reconcile/lost-compose-file',
    ['choice/box/171'],
    'reports an app that lost its Compose file each time, and skips one that never had any',
    async (box) => {
      placeInstalled(box, 'anchor', 'buoy');
      box.environment.placeInstalled({ name: 'card', manifest: manifest('card'), compose: null });
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
    'box/reconcile/names-no-file',
    ['choice/box/182', 'choice/box/185'],
    'reports an app whose Compose file is too large or names an impossible file, reconciles the others, and removes it',
    async (box) => {
      placeInstalled(box, 'anchor', 'zenith');
      box.environment.placeInstalled({ name: 'wreck', manifest: manifest('wreck'), compose: namesNoFile });
      const plain = box.environment.composeText(composeOf('registry.example/vast:1'));
      const vast = (bytes: number) => `${plain}# ${'.'.repeat(bytes - plain.length - 3)}\n`;
      for (const [name, bytes] of Object.entries({ just: largestCompose, over: largestCompose + 1 })) {
        const folder = box.environment.placeInstalled({ name, manifest: manifest(name) });
        writeFileSync(join(folder, 'compose.yaml'), vast(bytes));
      }
      const answer = await box.changeSettings('wreck', {});
      status(answer, 207);
      const errors = actionsOf(answer).filter(({ kind }) => kind === 'error');
      equal('the apps with an error', errors.map(appOf), ['wreck', 'over']);
      for (const name of ['anchor', 'just', 'zenith']) await runningContainer(box, name);
      refused(await box.updateApp('wreck'), 502);
      const removed = await box.remove('wreck');
      status(removed, 200);
      matches('compose_warning', record(removed).compose_warning, /\S/);
      equal('whether it is installed', isInstalled(box, 'wreck'), false);
    },
  ),
  check(
    'box/reconcile/gone-by-hand',
    ['choice/box/165', 'choice/box/109'],
    'treats an app as new if the folder and the containers of an earlier app with its name are gone',
    async (box) => {
      const gone = ['buoy', 'creek'];
      placeInstalled(box, 'anchor', ...gone);
      status(await box.changeSettings('anchor', {}), 200);
      // Removes the containers of one app by hand, and those of the other by the following change.
      await box.environment.docker.removeContainer((await runningContainer(box, 'buoy')).name);
      for (const name of gone) rmSync(installedFolder(box, name), { recursive: true });
      status(await box.changeSettings('anchor', {}), 200);
      equal('containers of creek', await containersOf(box, 'creek'), []);
      for (const name of gone) box.environment.placeInstalled({ name, manifest: manifest(name), compose: null });
      const answer = await box.changeSettings('anchor', {});
      status(answer, 200);
      equal(
        'the apps and what is told of them',
        actionsOf(answer).map((action) => [appOf(action), action.kind]),
        [
          ['anchor', 'noop'],
          ['buoy', 'skip'],
          ['creek', 'skip'],
        ],
      );
    },
  ),
  check(
    'box/reconcile/actions',
    ['choice/box/110', 'choice/box/111', 'choice/box/112', 'choice/box/113', 'choice/box/106'],
    'reports every installed app, first the app acted on, then the others by name',
    async (box) => {
      placeInstalled(box, 'zinc', 'anchor', 'mica');
      box.environment.bundle({ name: 'quay', manifest: manifest('quay'), envExample: 'A=1\n' });
      const answer = await box.install('quay', { A: '2' });
      status(answer, 200);
      const actions = actionsOf(answer);
      for (const action of actions) {
        ensure('a known kind', kinds.includes(action.kind), action);
        ensure('a target that is an app or app/service', /^[a-z0-9][a-z0-9_-]*(\/[^/]+)?$/.test(action.target), action);
        ensure('a detail in words', action.detail.length > 0, action);
      }
      const order = [...new Set(actions.map(appOf))];
      equal('the apps in order', order, ['quay', 'anchor', 'mica', 'zinc']);
      const own = actions.filter((action) => appOf(action) === 'quay').map((action) => action.kind);
      for (const kind of ['copy', 'write_env', 'create']) ensure(`an action ${kind}`, own.includes(kind), own);
      for (const [A, isWritten] of [
        ['2', false],
        ['3', true],
      ] as const) {
        const changed = actionsOf(await box.changeSettings('quay', { A }));
        equal('whether .env was written', changed.map(({ kind }) => kind).includes('write_env'), isWritten);
        equal('the apps in order', [...new Set(changed.map(appOf))], ['quay', 'anchor', 'mica', 'zinc']);
      }
    },
  ),
  check(
    'box/reconcile/207-means-error',
    ['choice/box/114', 'choice/box/146'],
    'answers 207 exactly if there is an action error, which names the app and quotes the tool',
    async (box) => {
      placeInstalled(box, 'anchor', 'wreck');
      await box.environment.docker.fail({ on: 'pull', match: 'registry.example/wreck' });
      const failed = await box.changeSettings('anchor', {});
      status(failed, 207);
      const errors = actionsOf(failed).filter((action) => action.kind === 'error');
      equal('apps with an error', [...new Set(errors.map(appOf))], ['wreck']);
      // The app name alone is not a reason.
      for (const { detail } of errors)
        matches(
          'the words of the tool',
          String(detail).replaceAll('registry.example/wreck', ''),
          /daemon|registry|manifest|denied|not found/i,
        );
      await box.environment.docker.clearFaults();
      // The box retries the pull in the background, and the change does not wait for it.
      await box.changeSettings('anchor', {});
      await until('wreck runs', () => isRunning(box, 'wreck'));
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
