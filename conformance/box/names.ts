import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Check, check } from '../check.ts';
import { equal, holds, list, matches, record, refused, status } from '../expect.ts';
import { treeDigest } from '../tree.ts';
import { composeOf, manifest, settings } from './apps.ts';
import { byHand, isInstalled, runningContainer } from './disk.ts';

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
      const compose = `name: hers\n${composeOf('registry.example/hers:1')}`;
      const folder = box.world.placeInstalled({ name: 'MyApp', manifest: manifest('MyApp'), compose });
      await byHand(box, 'docker', folder, 'compose', 'up', '-d');
      const [entry] = list(await box.get('/api/apps'));
      equal('the first entry', [entry?.name, entry?.ok], ['MyApp', false]);
      const answer = await box.remove('MyApp');
      status(answer, 200);
      matches('compose_warning', record(answer).compose_warning, /\S/);
      holds('the directory is gone', !isInstalled(box, 'MyApp'));
      for (const project of ['myapp', 'hers']) await runningContainer(box, project);
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
      const place = box.world.placeInstalled({ name: 'linked', manifest: manifest('linked') });
      status(await box.get('/api/apps'), 200);
      rmSync(place, { recursive: true });
      symlinkSync(outside, place);
      const before = treeDigest(outside);
      const entry = list(await box.get('/api/apps')).find((app) => app.name === 'linked');
      equal('ok', entry?.ok, false);
      refused(await box.get('/api/apps/linked/settings'), 404);
      refused(await box.changeSettings('linked', { GREETING: 'x' }), 404);
      refused(await box.updateApp('linked'), 404);
      box.world.bundle({ name: 'linked', manifest: manifest('linked') });
      refused(await box.install('linked'), 400);
      const answer = await box.remove('linked');
      status(answer, 200);
      matches('compose_warning', record(answer).compose_warning, /\S/);
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
