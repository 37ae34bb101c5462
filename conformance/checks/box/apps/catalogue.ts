import { existsSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { writeApp } from '../../../../fakes/app-files.ts';
import { type Check, check } from '../../../kernel/check.ts';
import { equal, list, record, refused, status } from '../../../kernel/expect.ts';
import { manifest, settings } from '../apps.ts';
import type { BoxContext } from '../context.ts';
import { envText, installedFolder, runningContainer } from '../disk.ts';

const offered = async (box: BoxContext) =>
  list(await box.get('/api/bundled')).map((app) => `${app.name} ${app.version}`);
const versioned = (name: string, version: string) => ({ name, manifest: manifest(name, { version }) });

export const checks: Check<BoxContext>[] = [
  check(
    'box/catalogue/own-apps',
    ['choice/box/300'],
    'offers and installs the apps of catalogue/ in the state directory beside the bundled ones',
    async (box) => {
      box.environment.bundle(versioned('bundled', '1'));
      equal('without that directory', await offered(box), ['bundled 1']);
      box.environment.placeOwn({
        name: 'own',
        manifest: manifest('own', { version: '2', settings: [settings.text] }),
        envExample: 'GREETING=mine\n',
      });
      equal('offered', await offered(box), ['bundled 1', 'own 2']);
      const view = record(await box.get('/api/apps/own/settings'));
      equal('GREETING in the form', list({ json: view.settings })[0]?.value, 'mine');
      status(await box.install('own'), 200);
      await runningContainer(box, 'own');
      equal('its .env', envText(box, 'own'), 'GREETING=mine\n');
      equal('offered then', await offered(box), ['bundled 1']);
      box.environment.placeOwn({ name: 'own', files: { 'extra.conf': 'new' } });
      status(await box.install('own'), 200);
      equal('after a reinstall', existsSync(join(installedFolder(box, 'own'), 'extra.conf')), true);
    },
  ),
  check(
    'box/catalogue/first-of-a-name',
    ['choice/box/301'],
    "prefers the owner's app to a bundled one with its name, even if its manifest is unreadable",
    async (box) => {
      const own = join(box.environment.stateDir, 'catalogue');
      for (const name of ['whole', 'torn', 'linked']) box.environment.bundle(versioned(name, '9'));
      box.environment.placeOwn(versioned('whole', '1'));
      box.environment.placeOwn({ name: 'torn', manifest: '{' });
      symlinkSync(join(box.environment.bundledApps, 'linked'), join(own, 'linked'));
      equal('offered', await offered(box), ['whole 1']);
      refused(await box.install('torn'), 400);
      rmSync(join(own, 'torn'), { recursive: true });
      equal('without the torn one', await offered(box), ['torn 9', 'whole 1']);
    },
  ),
  check(
    'box/catalogue/several-directories',
    ['choice/box/300', 'choice/box/301'],
    'reads several directories from BOX_CATALOGUE, and ignores a missing one',
    async (box) => {
      const { root } = box.environment;
      const folders = ['first', 'absent', 'second'].map((name) => join(root, name));
      writeApp(join(root, 'first'), versioned('both', '1'));
      writeApp(join(root, 'second'), versioned('both', '2'));
      writeApp(join(root, 'second'), versioned('single', '2'));
      box.environment.placeOwn(versioned('elsewhere', '3'));
      box.environment.bundle(versioned('bundled', '4'));
      await box.start({ env: { BOX_CATALOGUE: folders.join(':') } });
      equal('offered', await offered(box), ['both 1', 'bundled 4', 'single 2']);
    },
  ),
  check(
    'box/catalogue/available-version',
    ['choice/box/302', 'choice/box/303'],
    'names the newer version that an installed app can be updated to, also after either manifest has changed',
    async (box) => {
      const install = (name: string, version: unknown) =>
        box.environment.placeInstalled({ name, manifest: manifest(name, { version }) });
      for (const [name, installed, offered] of [
        ['higher', '1.9', '1.10'],
        ['same', '1.9', 'v1.9.0'],
        ['lower', '1.10', '1.9'],
        ['released', '2.0.0-rc1', '2.0.0'],
        ['unlike', '1.0', 'latest'],
      ] as const) {
        install(name, installed);
        box.environment.bundle(versioned(name, offered));
      }
      install('alone', '1');
      box.environment.placeInstalled({ name: 'torn', manifest: '{' });
      box.environment.bundle(versioned('torn', '2'));
      const available = async () => {
        const apps = list(await box.get('/api/apps'));
        return Object.fromEntries(apps.map((app) => [app.name, app.available_version]));
      };
      const first = { alone: null, higher: '1.10', lower: null, released: '2.0.0', same: null, torn: null };
      equal('at first', await available(), { ...first, unlike: null });
      box.environment.bundle(versioned('lower', '1.11'));
      box.environment.placeOwn(versioned('released', '1.0'));
      install('higher', '1.10');
      const then = { ...first, higher: null, lower: '1.11', released: null };
      equal('after changes', await available(), { ...then, unlike: null });
    },
  ),
];
