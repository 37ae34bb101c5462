import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Check, check } from '../check.ts';
import { equal, holds, list, matches, record, refused, status } from '../expect.ts';
import { treeDigest } from '../tree.ts';
import { manifest, settings } from './apps.ts';
import { installedFolder, isInstalled, runningContainer } from './disk.ts';

const names = (apps: Record<string, unknown>[]) => apps.map((app) => app.name);

/** Names of apps, and what lies in the two directories that is no app. */
export const checks: Check[] = [
  check(
    'box/names/app-names',
    ['choice/box/28', 'choice/box/34'],
    'takes lower-case letters, digits, - and _, up to 63, and no other name',
    async (box) => {
      const good = ['a', '0', '7-up', 'a_b', 'x'.repeat(63)];
      const bad = ['-a', '_a', 'A', 'a.b', 'a b', 'ä', 'x'.repeat(64)];
      for (const name of [...good, ...bad]) box.world.bundle({ name, manifest: manifest(name) });
      equal('the bundled list', names(list(await box.get('/api/bundled'))).sort(), [...good].sort());
      for (const name of bad) refused(await box.install(name), 400);
      holds('none of these is installed', !bad.some((name) => isInstalled(box, name)));
    },
  ),
  check(
    'box/names/impossible',
    ['choice/box/31', 'choice/box/30', 'choice/box/61'],
    'answers an impossible name as any name that is not there: 404 on remove, 400 on install',
    async (box) => {
      box.world.bundle({ name: 'quay', manifest: manifest('quay') });
      await box.get('/api/apps');
      const directories = () => [treeDigest(box.world.bundledApps), treeDigest(box.world.installedApps)];
      const before = directories();
      const bundled = join(box.world.bundledApps, 'quay');
      for (const name of [
        '.',
        '..',
        'A',
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
    'lists a directory with an impossible name as broken, and removes it by that name without touching a project',
    async (box) => {
      box.world.bundle({ name: 'myapp', manifest: manifest('myapp') });
      status(await box.install('myapp'), 200);
      box.world.placeInstalled({ name: 'MyApp', manifest: manifest('MyApp') });
      const [entry] = list(await box.get('/api/apps'));
      equal('the first entry', [entry?.name, entry?.ok], ['MyApp', false]);
      const answer = await box.remove('MyApp');
      status(answer, 200);
      holds('compose_warning is a text', typeof record(answer).compose_warning === 'string', answer.json);
      holds('the directory is gone', !isInstalled(box, 'MyApp'));
      await runningContainer(box, 'myapp');
    },
  ),
  check(
    'box/names/sorted',
    ['choice/box/35', 'choice/box/38', 'choice/box/39'],
    'lists installed directories by name, and no plain files',
    async (box) => {
      for (const name of ['zinc', 'amber', 'mica', 'b-2', 'b-10'])
        box.world.placeInstalled({ name, manifest: manifest(name) });
      mkdirSync(join(box.world.installedApps, 'empty'));
      writeFileSync(join(box.world.installedApps, 'file'), 'x');
      const expected = ['amber', 'b-10', 'b-2', 'empty', 'mica', 'zinc'];
      equal('the names', names(list(await box.get('/api/apps'))), expected);
      status(await box.changeSettings('zinc', {}), 200);
    },
  ),
  check('box/names/own-folder', ['choice/box/36'], 'does not list its own folder', async (box) => {
    mkdirSync(join(box.world.installedApps, '.boxgate'));
    equal('the list', (await box.get('/api/apps')).json, []);
    refused(await box.remove('.boxgate'), 404);
  }),
  check(
    'box/names/link',
    ['choice/box/37', 'choice/box/120'],
    'shows a link as broken, never follows it, and removes only the link',
    async (box) => {
      const outside = join(box.world.root, 'outside');
      box.world.bundle({ name: 'real', manifest: manifest('real', { settings: [settings.text] }) });
      box.world.placeInstalled({ name: 'near', manifest: manifest('near') });
      mkdirSync(outside);
      writeFileSync(
        join(outside, 'manifest.json'),
        JSON.stringify(manifest('linked', { settings: [settings.text] })),
      );
      writeFileSync(join(outside, '.env'), 'GREETING=private\n');
      symlinkSync(outside, installedFolder(box, 'linked'));
      const before = treeDigest(outside);
      const entry = list(await box.get('/api/apps')).find((app) => app.name === 'linked');
      equal('ok', entry?.ok, false);
      holds('its settings cannot be read', (await box.get('/api/apps/linked/settings')).status !== 200);
      holds(
        'its settings cannot be changed',
        (await box.changeSettings('linked', { GREETING: 'x' })).status >= 400,
      );
      holds('it cannot be updated', (await box.updateApp('linked')).status >= 400);
      status(await box.remove('linked'), 200);
      holds('the link is gone', !Object.keys(treeDigest(box.world.installedApps)).includes('linked'));
      equal('what it points at', treeDigest(outside), before);
    },
  ),
  check(
    'box/names/no-installed-directory',
    ['choice/box/40'],
    'lists nothing where there is no installed-apps directory, and makes it on an install',
    async (box) => {
      rmSync(box.world.installedApps, { recursive: true });
      box.world.bundle({ name: 'quay', manifest: manifest('quay') });
      equal('the list', (await box.get('/api/apps')).json, []);
      rmSync(box.world.installedApps, { recursive: true, force: true });
      equal('the list again', (await box.get('/api/apps')).json, []);
      status(await box.install('quay'), 200);
    },
  ),
  check(
    'box/names/directory-counts',
    ['choice/box/41'],
    "goes by the directory's name, not the manifest's",
    async (box) => {
      box.world.bundle({ name: 'quay', manifest: manifest('other', { settings: [settings.text] }) });
      equal('bundled', names(list(await box.get('/api/bundled'))), ['quay']);
      refused(await box.install('other'), 400);
      status(await box.install('quay'), 200);
      equal('installed', names(list(await box.get('/api/apps'))), ['quay']);
      const view = record(await box.get('/api/apps/quay/settings'));
      matches('name in the view', view.name, /^quay$/);
    },
  ),
];
