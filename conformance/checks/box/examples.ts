import { type Check, check } from '../../kernel/check.ts';
import { examplesOf } from '../../kernel/examples.ts';
import { equal, list, status } from '../../kernel/expect.ts';
import { composeOf } from './apps.ts';
import type { BoxContext } from './context.ts';

const image = 'registry.example/notes:1.4';

/** The requests of the document's examples, in an order in which each succeeds. */
export const checks: Check<BoxContext>[] = [
  check(
    'box/responses/examples',
    ['choice/box/661'],
    'answers the example requests of box.openapi.yaml in the form of its example results',
    async (box) => {
      const { request, result, resembles } = examplesOf('box');
      const [app] = result('listBundledApps') as [{ name: string; icon: string; icon_svg: string }];
      const view = result('getAppSettings') as { settings: Record<string, unknown>[] };
      const { icon_svg: icon, ...manifest } = app;
      const settings = view.settings.map(({ value: _, ...setting }) => setting);
      const compose = `${composeOf(image)}    environment:\n      PORT: "\${NOTES_PORT}"\n`;
      box.environment.bundle({ name: app.name, manifest: { ...manifest, settings }, icon, compose });

      equal('the apps that can be installed', (await box.get('/api/bundled')).json, [app]);
      equal('the settings of the bundled app', (await box.get(`/api/apps/${app.name}/settings`)).json, view);
      const send = async (operationId: string, path: string, expected: number) => {
        const answer = await box.post(path, request(operationId));
        status(answer, expected);
        resembles(operationId, answer);
      };
      await send('installApp', '/api/apps/install', 200);
      const [installed] = list(await box.get('/api/apps'));
      const [example] = result('listApps') as [object];
      equal('the fields of the installed app', Object.keys(installed ?? {}).sort(), Object.keys(example).sort());
      await send('updateAppSettings', `/api/apps/${app.name}/settings`, 200);
      const change = async (operationId: string, path: string, expected: number) => {
        const answer = await box.post(path);
        status(answer, expected);
        resembles(operationId, answer);
      };
      await box.environment.docker.advance(image);
      await change('updateApp', `/api/apps/${app.name}/update`, 200);
      box.environment.feed.publish('987.65.4');
      await change('checkSelfUpdate', '/api/self/update/check', 200);
      resembles('getSelfUpdateStatus', await box.get('/api/self/update/status'));
      await change('applySelfUpdate', '/api/self/update/apply', 202);
      await send('removeApp', '/api/apps/remove', 200);
    },
    { requestMs: 20_000 },
  ),
];
