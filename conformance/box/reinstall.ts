import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { type Check, check } from '../check.ts';
import { equal, holds, list, matches, record, refused, status } from '../expect.ts';
import { treeDigest } from '../tree.ts';
import { actionsOf } from './actions.ts';
import { manifest, settings } from './apps.ts';
import { env, envText, installedFolder, isInstalled, runningContainer } from './disk.ts';

const read = (folder: string, name: string) => readFileSync(join(folder, name), 'utf8');
const kinds = (answer: { json: unknown }) => actionsOf(answer).map((action) => action.kind);

/** Where an install comes from, what a refusal leaves, and what a reinstall replaces and keeps. */
export const checks: Check[] = [
  check(
    'box/reinstall/source',
    ['choice/box/60', 'choice/box/61'],
    'takes the bundled app, else repairs the installed one in place',
    async (box) => {
      box.world.placeInstalled({
        name: 'own',
        manifest: manifest('own', { settings: [settings.text] }),
        env: 'A=1\n',
      });
      const before = treeDigest(installedFolder(box, 'own'));
      status(await box.install('own'), 200);
      equal('its files', treeDigest(installedFolder(box, 'own')), before);
      await runningContainer(box, 'own');
      status(await box.install('own', { GREETING: 'x' }), 200);
      equal('GREETING', env(box, 'own').GREETING, 'x');
    },
  ),
  check(
    'box/reinstall/refusal-leaves-nothing',
    ['choice/box/62', 'choice/box/63'],
    'leaves nothing behind when values are refused or the app is unknown',
    async (box) => {
      box.world.bundle({ name: 'quay', manifest: manifest('quay', { settings: [settings.number] }) });
      await box.get('/api/apps');
      const before = treeDigest(box.world.installedApps);
      refused(await box.install('quay', { 'A-B': 'x' }), 400);
      refused(await box.install('quay', { SEATS: 'many' }), 400);
      refused(await box.install('nobody', { A: 'x' }), 400);
      equal('the installed-apps directory', treeDigest(box.world.installedApps), before);
      equal(
        'beside it',
        readdirSync(box.world.root).filter((name) => name.startsWith('.boxgate')),
        [],
      );
    },
  ),
  check(
    'box/reinstall/no-traces',
    ['choice/box/64', 'choice/box/65'],
    'leaves nothing but the app in the installed-apps directory and beside it',
    async (box) => {
      box.world.bundle({ name: 'quay', manifest: manifest('quay'), files: { 'a/b/c': 'x' } });
      for (let round = 0; round < 2; round += 1) status(await box.install('quay'), 200);
      equal('the installed-apps directory', readdirSync(box.world.installedApps), ['quay']);
      const names = Object.keys(treeDigest(installedFolder(box, 'quay')));
      holds('no temporary file', !names.some((name) => /tmp|\.new|\.part|~$/.test(name)), names);
    },
  ),
  check(
    'box/reinstall/keeps-what-is-the-owners',
    ['choice/box/68', 'choice/box/66'],
    'keeps .env, data directories and files that the owner added',
    async (box) => {
      const app = { name: 'quay', files: { 'config/site.conf': 'one' }, envExample: 'A=1\n' };
      box.world.bundle({ ...app, manifest: manifest('quay') });
      status(await box.install('quay', { A: 'mine' }), 200);
      const folder = installedFolder(box, 'quay');
      mkdirSync(join(folder, 'data', 'deep'), { recursive: true });
      writeFileSync(join(folder, 'data', 'deep', 'db'), 'rows');
      writeFileSync(join(folder, 'config', 'added.conf'), 'mine');
      writeFileSync(join(folder, 'compose.override.yaml'), 'services:\n  web:\n    labels: [x=y]\n');
      const text = envText(box, 'quay');
      status(await box.install('quay'), 200);
      equal('.env', envText(box, 'quay'), text);
      equal('the data', read(folder, 'data/deep/db'), 'rows');
      equal('an added file', read(folder, 'config/added.conf'), 'mine');
      holds('the override file', existsSync(join(folder, 'compose.override.yaml')));
    },
  ),
  check(
    'box/reinstall/replaces-what-is-the-bundles',
    ['choice/box/69'],
    'replaces the files of the bundle, and takes away those that it no longer has',
    async (box) => {
      const files = { 'config/site.conf': 'one', 'old.txt': 'old' };
      const folder = box.world.bundle({ name: 'quay', manifest: manifest('quay'), files });
      status(await box.install('quay'), 200);
      rmSync(join(folder, 'old.txt'));
      box.world.bundle({
        name: 'quay',
        manifest: manifest('quay', { version: '5.0.0' }),
        files: { 'config/site.conf': 'two', 'new.txt': 'new' },
      });
      status(await box.install('quay'), 200);
      const installed = installedFolder(box, 'quay');
      equal('a changed file', read(installed, 'config/site.conf'), 'two');
      equal('a new file', read(installed, 'new.txt'), 'new');
      holds('a file that the bundle no longer has', !existsSync(join(installed, 'old.txt')));
      equal('the version', list(await box.get('/api/apps'))[0]?.version, '5.0.0');
    },
  ),
  check(
    'box/reinstall/keeps-edits',
    ['choice/box/70'],
    'keeps the text of a bundled file that the owner edited beside it, and says so',
    async (box) => {
      box.world.bundle({ name: 'quay', manifest: manifest('quay'), files: { 'site.conf': 'one' } });
      status(await box.install('quay'), 200);
      const folder = installedFolder(box, 'quay');
      writeFileSync(join(folder, 'site.conf'), 'edited');
      box.world.bundle({ name: 'quay', manifest: manifest('quay'), files: { 'site.conf': 'two' } });
      const answer = await box.install('quay');
      equal('the file', read(folder, 'site.conf'), 'two');
      equal('the kept one', read(folder, 'site.conf.kept'), 'edited');
      holds('an action keep', kinds(answer).includes('keep'), kinds(answer));
    },
  ),
  check(
    'box/reinstall/new-example-keys',
    ['choice/box/71'],
    'appends keys that a newer .env.example adds where .env lacks them',
    async (box) => {
      box.world.bundle({ name: 'quay', manifest: manifest('quay'), envExample: 'A=1\nB=2\n' });
      status(await box.install('quay', { A: 'mine' }), 200);
      box.world.bundle({ name: 'quay', manifest: manifest('quay'), envExample: 'A=9\nC="3 3"\n' });
      status(await box.install('quay'), 200);
      const { A, B, C } = env(box, 'quay');
      equal('A, B and C', [A, B, C], ['mine', '2', '3 3']);
    },
  ),
  check(
    'box/reinstall/no-env-from-bundle',
    ['choice/box/72'],
    'never copies a .env out of a bundle',
    async (box) => {
      box.world.bundle({
        name: 'quay',
        manifest: manifest('quay'),
        env: 'SECRET=of-the-packager\n',
        envExample: 'A=1\n',
      });
      status(await box.install('quay'), 200);
      equal('.env', envText(box, 'quay'), 'A=1\n');
    },
  ),
  check(
    'box/reinstall/null-settings',
    ['choice/box/73', 'choice/box/74'],
    'takes settings: null as absent and answers with the absolute path',
    async (box) => {
      box.world.bundle({ name: 'quay', manifest: manifest('quay'), envExample: 'A=1\n' });
      const answer = await box.post('/api/apps/install', { name: 'quay', settings: null });
      status(answer, 200);
      const { installed } = record(answer);
      matches('installed', installed, /quay$/);
      holds('an absolute path', isAbsolute(installed));
      equal('of the directory', installed, installedFolder(box, 'quay'));
      holds('which is there', isInstalled(box, 'quay'));
    },
  ),
];
