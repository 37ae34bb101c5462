import { composeOf, library } from '../../checks/box/apps.ts';
import type { BoxContext } from '../../checks/box/context.ts';
import { type Check, check } from '../../kernel/check.ts';
import { equal, list, pluck, refused, status } from '../../kernel/expect.ts';
import { examplesOf } from '../examples.ts';

const image = 'registry.example/notes:1.4';

const gets = [
  '/',
  '/apps',
  '/apps/',
  '/api/apps',
  '/api/bundled',
  '/api/apps/cairn/settings',
  '/api/self/update/status',
];
const posts = [
  '/api/apps/cairn/settings',
  '/api/apps/cairn/update',
  '/api/self/update/check',
  '/api/self/update/apply',
  '/api/apps/install',
  '/api/apps/remove',
];
const operations = [...gets.map((path) => ['GET', path] as const), ...posts.map((path) => ['POST', path] as const)];

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
  check(
    'box/responses/document',
    ['choice/box/660'],
    'sends no field, kind or type that box.openapi.yaml does not have',
    async (box) => status(await box.get('/api/apps'), 200),
    { shared: library, verifies: ['document', 'headers'] },
  ),
  check(
    'box/responses/refusals',
    ['choice/box/660'],
    'refuses at every operation what box.openapi.yaml says that each refuses',
    async (box) => {
      for (const [method, path] of operations) {
        for (const [expected, rest] of [
          [400, 'HTTP/x\r\nHost: localhost\r\n\r\n'],
          [413, 'HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1048577\r\n\r\n'],
        ] as const) {
          const { responses } = await box.raw({ parts: [`${method} ${path} ${rest}`] });
          equal(`${method} ${path}`, pluck(responses, 'status'), [expected]);
        }
        refused(await box.request({ method: 'DELETE', path }), 405);
      }
      const foreign = { Host: 'evil.example' };
      for (const path of posts) {
        refused(await box.post(path, {}, { 'Sec-Fetch-Site': 'cross-site' }), 403);
        refused(await box.post(path, {}, foreign), 421);
      }
      refused(await box.get('/api/apps/cairn/settings', foreign), 421);
    },
    { shared: library },
  ),
];
