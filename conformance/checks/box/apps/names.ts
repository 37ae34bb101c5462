import { type Check, check } from '../../../kernel/check.ts';
import { ensure, equal, fields, list, record, status } from '../../../kernel/expect.ts';
import { manifest, settings } from '../apps.ts';
import type { BoxContext } from '../context.ts';
import { env, isInstalled, runningContainer } from '../disk.ts';

const names = (apps: Record<string, unknown>[]) => apps.map((app) => app.name);

export const checks: Check<BoxContext>[] = [
  check(
    'box/names/any-directory',
    ['box/service/11', 'box/service/13', 'box/listApps/3', 'box/listBundledApps/1', 'box/states/8'],
    'accepts a directory with any name as an app if it has a manifest: lists and removes it',
    async (box) => {
      const odd = ['My_App', 'Grüße 1', 'a+b', 'notes.v2'];
      for (const name of odd) box.environment.placeInstalled({ name, manifest: manifest(name) });
      for (const name of ['MyApp', 'Übung 2']) box.environment.bundle({ name, manifest: manifest(name) });
      const installed = list(await box.get('/api/apps')).map(({ name, ok }) => `${name} ${ok}`);
      equal('the installed apps', installed.sort(), odd.map((name) => `${name} true`).sort());
      equal('the bundled ones', names(list(await box.get('/api/bundled'))), ['MyApp', 'Übung 2']);
      for (const name of odd) {
        equal('removed', record(await box.remove(name)).removed, name);
        ensure(`${name} is gone`, !isInstalled(box, name));
      }
    },
  ),
  check(
    'box/names/in-a-path',
    ['box/getAppSettings/1', 'box/updateAppSettings/1', 'box/updateApp/1', 'box/process/20'],
    'finds an app by its name in a path, in upper case and with dots, and runs it as the project that Compose derives',
    async (box) => {
      for (const name of ['My_App', 'notes.v2'])
        box.environment.placeInstalled({ name, manifest: manifest(name, { settings: [settings.text] }) });
      for (const [name, project] of [
        ['My_App', 'my_app'],
        ['notes.v2', 'notesv2'],
      ] as const) {
        equal('name in the view', record(await box.get(`/api/apps/${name}/settings`)).name, name);
        const answer = await box.changeSettings(name, { GREETING: 'hello' });
        status(answer, 200);
        equal('updated', record(answer).updated, name);
        equal('GREETING', env(box, name).GREETING, 'hello');
        await runningContainer(box, project);
        fields('the update', (await box.updateApp(name)).json, { app: name, updated: false, services: [] });
      }
    },
  ),
];
