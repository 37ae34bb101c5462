import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Check, check } from '../../../kernel/check.ts';
import { ensure, equal, fields, list, matches, record, refused, status } from '../../../kernel/expect.ts';
import { treeDigest } from '../../../kernel/tree.ts';
import { actionsOf, appOf } from '../actions.ts';
import { composeOf, manifest, settings } from '../apps.ts';
import type { BoxContext } from '../context.ts';
import { byHand, containersOf, env, isInstalled, runningContainer } from '../disk.ts';

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
    'box/names/any-bundled',
    ['choice/box/28', 'choice/box/60', 'choice/box/98'],
    'installs a bundled app with any name, and runs it as the project that Compose derives from the name',
    async (box) => {
      for (const [name, project] of [
        ['MyApp', 'myapp'],
        ['Übung 2', 'bung2'],
      ] as const) {
        box.environment.bundle({ name, manifest: manifest(name) });
        status(await box.install(name), 200);
        ensure(`${name} is installed`, isInstalled(box, name));
        await runningContainer(box, project);
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
  check(
    'box/names/encoded',
    ['choice/box/242'],
    'finds an app in a path whose name must be percent-encoded there, and decodes nothing else',
    async (box) => {
      const odd = ['Grüße 1', 'a+b', '100%', '%41bc', 'x,y=z'];
      for (const name of odd)
        box.environment.placeInstalled({ name, manifest: manifest(name, { settings: [settings.text] }) });
      box.environment.placeInstalled({ name: 'Abc', manifest: manifest('Abc') });
      for (const name of odd) {
        const path = `/api/apps/${encodeURIComponent(name)}`;
        equal('name in the view', record(await box.get(`${path}/settings`)).name, name);
        const answer = await box.post(`${path}/settings`, { settings: { GREETING: `of ${name}` } });
        status(answer, 200);
        equal('GREETING', env(box, name).GREETING, `of ${name}`);
        equal('the update', record(await box.post(`${path}/update`)).app, name);
      }
      equal('a plus as it is', record(await box.get('/api/apps/a+b/settings')).name, 'a+b');
      equal('an escape of a letter', record(await box.get('/api/apps/%41bc/settings')).name, '%41bc');
      for (const name of ['%61+b', 'a%2f', '%ff', 'Gr%fc%dfe%201'])
        refused(await box.get(`/api/apps/${name}/settings`), 404);
    },
  ),
  check(
    'box/names/app-names',
    ['choice/box/28', 'choice/box/34', 'choice/box/36'],
    'accepts every name that a directory can have, except control characters and a leading dot',
    async (box) => {
      const good = [
        'a',
        '0',
        '-a',
        '_a',
        'A',
        'a b',
        'ä',
        '日本',
        'x'.repeat(255),
        `${'ü'.repeat(127)}x`,
        'a\\b',
        "a'b",
      ];
      const bad = ['.a', 'a\nb', 'a\u001b[2J', 'a\u0085'];
      for (const name of [...good, ...bad]) box.environment.bundle({ name, manifest: manifest(name) });
      equal('the bundled list', names(list(await box.get('/api/bundled'))).sort(), [...good].sort());
      for (const name of bad) refused(await box.install(name), 400);
      ensure('none of these is installed', !bad.some((name) => isInstalled(box, name)));
      box.environment.placeInstalled({ name: '.a', manifest: manifest('.a') });
      equal('the installed list', (await box.get('/api/apps')).json, []);
      refused(await box.get('/api/apps/.a/settings'), 404);
      refused(await box.remove('.a'), 404);
    },
  ),
  check(
    'box/names/no-project-of-its-own',
    ['choice/box/244'],
    'runs an app from whose name Compose can derive no project',
    async (box) => {
      box.environment.bundle({ name: '日本', manifest: manifest('日本') });
      status(await box.install('日本'), 200);
      await runningContainer(box, 'app-65e5-672c');
      equal('compose_warning', record(await box.remove('日本')).compose_warning, null);
      equal('containers', await containersOf(box, 'app-65e5-672c'), []);
    },
  ),
  check(
    'box/names/project-taken',
    ['choice/box/243', 'choice/box/100'],
    'does not install an app with the project of an installed one, and reports the second of two that share one',
    async (box) => {
      for (const name of ['myapp', 'MyApp']) box.environment.bundle({ name, manifest: manifest(name) });
      status(await box.install('myapp'), 200);
      const { id } = await runningContainer(box, 'myapp');
      const answer = await box.install('MyApp');
      refused(answer, 400);
      matches('the error names the other app', record(answer).error, /\bmyapp\b/);
      ensure('nothing is copied', !isInstalled(box, 'MyApp'));
      for (const name of ['MyApp', 'anchor']) box.environment.placeInstalled({ name, manifest: manifest(name) });
      const told = await box.changeSettings('anchor', {});
      status(told, 207);
      const errors = actionsOf(told).filter(({ kind }) => kind === 'error');
      equal('the errors', errors.map(appOf), ['MyApp']);
      await runningContainer(box, 'anchor');
      matches('compose_warning', record(await box.remove('MyApp')).compose_warning, /\S/);
      equal('the container', (await runningContainer(box, 'myapp')).id, id);
    },
  ),
  check(
    'box/names/impossible',
    ['choice/box/31', 'choice/box/30', 'choice/box/61'],
    'treats an impossible name like an unknown one: 404 on remove, 400 on install',
    async (box) => {
      box.environment.bundle({ name: 'quay', manifest: manifest('quay') });
      await box.get('/api/apps');
      const directories = () => [treeDigest(box.environment.bundledApps), treeDigest(box.environment.installedApps)];
      const before = directories();
      const bundled = join(box.environment.bundledApps, 'quay');
      for (const name of [
        '.',
        '..',
        'A',
        'a\ud800',
        'a\ufffd',
        'a/b',
        '../bundled/quay',
        bundled,
        `file://${bundled}`,
        'quay/',
        './quay',
        'a/../quay',
        'Quay',
        ' quay',
        '/',
        'x'.repeat(300),
        'a\u0000',
        '.env',
      ]) {
        refused(await box.install(name), 400);
        refused(await box.remove(name), 404);
      }
      equal('the bundled and the installed apps', directories(), before);
      refused(await box.post('/api/apps', { name: ' ' }), 404, 'not found');
    },
  ),
  check(
    'box/names/impossible-directory',
    ['choice/box/32', 'choice/box/33'],
    'lists a directory with an impossible name as broken, and removes it without touching a project',
    async (box) => {
      box.environment.bundle({ name: 'myapp', manifest: manifest('myapp') });
      status(await box.install('myapp'), 200);
      const compose = `name: hers\n${composeOf('registry.example/hers:1')}`;
      const name = 'My\napp';
      const folder = box.environment.placeInstalled({ name, manifest: manifest('myapp'), compose });
      await byHand(box, 'docker', folder, 'compose', 'up', '-d');
      const [entry] = list(await box.get('/api/apps'));
      equal('the first entry', [entry?.name, entry?.ok], [name, false]);
      const answer = await box.remove(name);
      status(answer, 200);
      matches('compose_warning', record(answer).compose_warning, /\S/);
      ensure('the directory is gone', !isInstalled(box, name));
      for (const project of ['myapp', 'hers']) await runningContainer(box, project);
    },
  ),
  check(
    'box/names/sorted',
    ['choice/box/35', 'choice/box/38', 'choice/box/39'],
    'lists installed directories by name, and no plain files',
    async (box) => {
      for (const name of ['zinc', 'amber', 'mica', 'b-2', 'b-10'])
        box.environment.placeInstalled({ name, manifest: manifest(name) });
      mkdirSync(join(box.environment.installedApps, 'empty'));
      writeFileSync(join(box.environment.installedApps, 'file'), 'x');
      const expected = ['amber', 'b-10', 'b-2', 'empty', 'mica', 'zinc'];
      equal('the names', names(list(await box.get('/api/apps'))), expected);
      status(await box.changeSettings('zinc', {}), 200);
    },
  ),
  check('box/names/own-folder', ['choice/box/36'], 'does not list its own folder', async (box) => {
    mkdirSync(join(box.environment.installedApps, '.boxgate'));
    equal('the list', (await box.get('/api/apps')).json, []);
    refused(await box.remove('.boxgate'), 404);
  }),
  check(
    'box/names/link',
    ['choice/box/37', 'choice/box/120'],
    'shows a link as broken, never follows it, and removes only the link',
    async (box) => {
      const outside = join(box.environment.root, 'outside');
      box.environment.bundle({ name: 'real', manifest: manifest('real', { settings: [settings.text] }) });
      box.environment.placeInstalled({ name: 'near', manifest: manifest('near') });
      mkdirSync(outside);
      writeFileSync(join(outside, 'manifest.json'), JSON.stringify(manifest('linked', { settings: [settings.text] })));
      writeFileSync(join(outside, '.env'), 'GREETING=private\n');
      const place = box.environment.placeInstalled({ name: 'linked', manifest: manifest('linked') });
      status(await box.get('/api/apps'), 200);
      rmSync(place, { recursive: true });
      symlinkSync(outside, place);
      const before = treeDigest(outside);
      const entry = list(await box.get('/api/apps')).find((app) => app.name === 'linked');
      equal('ok', entry?.ok, false);
      refused(await box.get('/api/apps/linked/settings'), 404);
      refused(await box.changeSettings('linked', { GREETING: 'x' }), 404);
      refused(await box.updateApp('linked'), 404);
      box.environment.bundle({ name: 'linked', manifest: manifest('linked') });
      refused(await box.install('linked'), 400);
      const answer = await box.remove('linked');
      status(answer, 200);
      matches('compose_warning', record(answer).compose_warning, /\S/);
      ensure('the link is gone', !Object.keys(treeDigest(box.environment.installedApps)).includes('linked'));
      equal('what it points at', treeDigest(outside), before);
    },
  ),
  check(
    'box/names/no-installed-directory',
    ['choice/box/40'],
    'lists nothing if there is no installed-apps directory, and creates it on an install',
    async (box) => {
      rmSync(box.environment.installedApps, { recursive: true });
      box.environment.bundle({ name: 'quay', manifest: manifest('quay') });
      equal('the list', (await box.get('/api/apps')).json, []);
      rmSync(box.environment.installedApps, { recursive: true, force: true });
      equal('the list again', (await box.get('/api/apps')).json, []);
      status(await box.install('quay'), 200);
    },
  ),
  check(
    'box/names/directory-counts',
    ['choice/box/41'],
    'identifies an app by its directory, not by the name in its manifest',
    async (box) => {
      box.environment.bundle({ name: 'quay', manifest: manifest('other', { settings: [settings.text] }) });
      equal('bundled', names(list(await box.get('/api/bundled'))), ['quay']);
      refused(await box.install('other'), 400);
      status(await box.install('quay'), 200);
      equal('installed', names(list(await box.get('/api/apps'))), ['quay']);
      const view = record(await box.get('/api/apps/quay/settings'));
      matches('name in the view', view.name, /^quay$/);
    },
  ),
];
