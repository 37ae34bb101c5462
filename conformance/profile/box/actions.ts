import { actionsOf, appOf } from '../../checks/box/actions.ts';
import { manifest, placeInstalled } from '../../checks/box/apps.ts';
import type { BoxContext } from '../../checks/box/context.ts';
import { type Check, check } from '../../kernel/check.ts';
import { ensure, equal, status } from '../../kernel/expect.ts';

const kinds = [
  'copy', 'refresh', 'keep', 'write_env', 'create', 'start', 'recreate', 'stop', 'remove_orphan', 'noop', 'skip', 'rollback',
  'warn', 'error',
]; // biome-ignore format: a table

export const checks: Check<BoxContext>[] = [
  check(
    'box/reconcile/actions',
    ['choice/box/110'],
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
];
