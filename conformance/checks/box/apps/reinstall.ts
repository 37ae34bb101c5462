import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { type Check, check } from '../../../kernel/check.ts';
import { ensure, equal, list, matches, record, refused, status } from '../../../kernel/expect.ts';
import { treeDigest } from '../../../kernel/tree.ts';
import { actionsOf } from '../actions.ts';
import { manifest, settings } from '../apps.ts';
import type { BoxContext } from '../context.ts';
import { env, envText, installedFolder, isInstalled, runningContainer } from '../disk.ts';

const read = (folder: string, name: string) => readFileSync(join(folder, name), 'utf8');
const kinds = (answer: { json: unknown }) => actionsOf(answer).map((action) => action.kind);

export const checks: Check<BoxContext>[] = [
  check(
    'box/reinstall/source',
    ['choice/box/60', 'choice/box/61'],
    'installs the bundled app, or else repairs the installed one in place',
    async (box) => {
      box.environment.placeInstalled({
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
      box.environment.bundle({ name: 'quay', manifest: manifest('quay', { settings: [settings.number] }) });
      await box.get('/api/apps');
      const before = treeDigest(box.environment.installedApps);
      refused(await box.install('quay', { 'A-B': 'x' }), 400);
      refused(await box.install('quay', { SEATS: 'many' }), 400);
      refused(await box.install('nobody', { A: 'x' }), 400);
      equal('the installed-apps directory', treeDigest(box.environment.installedApps), before);
      equal(
        'beside it',
        readdirSync(box.environment.root).filter((name) => name.startsWith('.boxgate')),
        [],
      );
    },
  ),
  check(
    'box/reinstall/torn-bundle',
    ['choice/box/534'],
    'refuses a bundled app whose manifest cannot be read, and leaves nothing behind',
    async (box) => {
      box.environment.bundle({ name: 'torn', manifest: '{"name": "torn",' });
      refused(await box.install('torn'), 400);
      ensure('nothing is installed', !isInstalled(box, 'torn'));
    },
  ),
  check(
    'box/reinstall/no-traces',
    ['choice/box/64', 'choice/box/65', 'choice/box/113'],
    'leaves only the app in and next to the installed-apps directory, and reports only what it did',
    async (box) => {
      box.environment.bundle({ name: 'quay', manifest: manifest('quay'), files: { 'a/b/c': 'x' } });
      status(await box.install('quay'), 200);
      const again = await box.install('quay');
      status(again, 200);
      equal('the kinds of what was done again', kinds(again), ['noop']);
      equal('the installed-apps directory', readdirSync(box.environment.installedApps), ['quay']);
      const names = Object.keys(treeDigest(installedFolder(box, 'quay')));
      ensure('no temporary file', !names.some((name) => /tmp|\.new|\.part|~$/.test(name)), names);
      box.environment.bundle({ name: 'quay', manifest: manifest('quay'), files: { 'a/b/c': 'newer' } });
      status(await box.install('quay'), 200);
      equal(
        'beside it',
        readdirSync(box.environment.root).filter((name) => name.startsWith('.boxgate')),
        [],
      );
      // A file with the name of the staging folder prevents its creation next to the apps.
      const { installedApps } = box.environment;
      writeFileSync(join(dirname(installedApps), `.boxgate-${basename(installedApps)}`), '');
      box.environment.bundle({ name: 'reef', manifest: manifest('reef'), files: { 'a/b/c': 'x' } });
      for (let round = 0; round < 2; round += 1) status(await box.install('reef'), 200);
      equal('its file', read(installedFolder(box, 'reef'), 'a/b/c'), 'x');
      equal('the installed-apps directory', readdirSync(installedApps).sort(), ['quay', 'reef']);
    },
  ),
  check(
    'box/reinstall/keeps-what-is-the-owners',
    ['should/box/68'],
    'keeps .env, data directories and files that the owner added',
    async (box) => {
      const app = { name: 'quay', files: { 'config/site.conf': 'one' }, envExample: 'A=1\n' };
      box.environment.bundle({ ...app, manifest: manifest('quay') });
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
      ensure('the override file', existsSync(join(folder, 'compose.override.yaml')));
    },
  ),
  check(
    'box/reinstall/replaces-what-is-the-bundles',
    ['choice/box/69'],
    'replaces the bundled files, and removes those that the bundle no longer has',
    async (box) => {
      const files = { 'config/site.conf': 'one', 'old.txt': 'old' };
      const folder = box.environment.bundle({ name: 'quay', manifest: manifest('quay'), files });
      status(await box.install('quay'), 200);
      rmSync(join(folder, 'old.txt'));
      box.environment.bundle({
        name: 'quay',
        manifest: manifest('quay', { version: '5.0.0' }),
        files: { 'config/site.conf': 'two', 'new.txt': 'new' },
      });
      const answer = await box.install('quay');
      status(answer, 200);
      equal('how often files are told of', kinds(answer).filter((kind) => kind === 'refresh').length, 1);
      ensure('nothing is kept', !kinds(answer).includes('keep'), kinds(answer));
      for (const { kind, detail } of actionsOf(answer)) matches(`what is told of ${kind}`, detail, /\S/);
      const installed = installedFolder(box, 'quay');
      equal('a changed file', read(installed, 'config/site.conf'), 'two');
      equal('a new file', read(installed, 'new.txt'), 'new');
      ensure('a file that the bundle no longer has', !existsSync(join(installed, 'old.txt')));
      equal('the version', list(await box.get('/api/apps'))[0]?.version, '5.0.0');
    },
  ),
  check(
    'box/reinstall/keeps-edits',
    ['choice/box/70'],
    'backs up a bundled file that the owner edited and says so, once per text, without overwriting another backup',
    async (box) => {
      const files = { 'site.conf': 'one', 'plain.txt': 'one', 'old.txt': 'old', 'lost.txt': 'lost' };
      const bundled = box.environment.bundle({ name: 'quay', manifest: manifest('quay'), files });
      status(await box.install('quay'), 200);
      const folder = installedFolder(box, 'quay');
      writeFileSync(join(folder, 'site.conf'), 'edited');
      writeFileSync(join(folder, 'old.txt'), 'edited, too');
      rmSync(join(folder, 'lost.txt'));
      rmSync(join(bundled, 'old.txt'));
      const newer = { 'site.conf': 'two', 'plain.txt': 'two' };
      box.environment.bundle({ name: 'quay', manifest: manifest('quay'), files: newer });
      const answer = await box.install('quay');
      for (const [name, text] of Object.entries(newer)) equal(`the file ${name}`, read(folder, name), text);
      equal('the kept one', read(folder, 'site.conf.kept'), 'edited');
      equal('one that the bundle no longer has', read(folder, 'old.txt.kept'), 'edited, too');
      equal('one that the owner took away', read(folder, 'lost.txt'), 'lost');
      equal('the actions keep', kinds(answer).filter((kind) => kind === 'keep').length, 2);
      for (const text of ['again', 'a third time', 'again', 'edited']) {
        writeFileSync(join(folder, 'site.conf'), text);
        status(await box.install('quay'), 200);
        equal('the file again', read(folder, 'site.conf'), 'two');
      }
      const names = readdirSync(folder).filter((name) => name.includes('.kept'));
      equal(
        'what is kept',
        names.sort().map((name) => [name, read(folder, name)]),
        [
          ['old.txt.kept', 'edited, too'],
          ['site.conf.kept', 'edited'],
          ['site.conf.kept.2', 'again'],
          ['site.conf.kept.3', 'a third time'],
        ],
      );
      // A file that the owner changed to the bundle's new content is not an edited file.
      for (const text of ['three', 'four']) {
        box.environment.bundle({ name: 'quay', manifest: manifest('quay'), files: { ...newer, 'plain.txt': text } });
        if (text === 'three') writeFileSync(join(folder, 'plain.txt'), text);
        status(await box.install('quay'), 200);
        equal('plain.txt', read(folder, 'plain.txt'), text);
      }
      ensure('nothing is kept of it', !existsSync(join(folder, 'plain.txt.kept')));
    },
  ),
  check(
    'box/reinstall/fails-in-the-middle',
    ['choice/box/176', 'choice/box/66', 'choice/box/70'],
    'changes nothing if one of its files cannot be put in place, and succeeds once it can',
    async (box) => {
      const files = { 'a/changed.conf': 'one', 'edited.conf': 'one', 'kept.conf': 'one', 'gone.txt': 'one' };
      // The backup of an edited file has a longer name than the file.
      const longest = 'z'.repeat(255);
      const app = { name: 'quay', manifest: manifest('quay'), envExample: 'A=1\n' };
      const bundled = box.environment.bundle({ ...app, files: { ...files, [longest]: 'one' } });
      status(await box.install('quay', { A: 'mine' }), 200);
      const folder = installedFolder(box, 'quay');
      for (const name of ['edited.conf', 'kept.conf', 'kept.conf.kept', longest])
        writeFileSync(join(folder, name), 'mine');
      rmSync(join(bundled, 'gone.txt'));
      const newer = { 'a/changed.conf': 'two', 'edited.conf': 'two', 'kept.conf': 'two', 'a/new.txt': 'two' };
      box.environment.bundle({ ...app, files: { ...newer, [longest]: 'two' } });
      const before = treeDigest(folder);
      for (const _ of ['once', 'and again']) {
        refused(await box.install('quay', { A: 'other' }), 500);
        equal('the app', treeDigest(folder), before);
      }
      rmSync(join(folder, longest));
      status(await box.install('quay', { A: 'other' }), 200);
      for (const [name, text] of Object.entries(newer)) equal(name, read(folder, name), text);
      for (const name of ['edited.conf.kept', 'kept.conf.kept']) equal(name, read(folder, name), 'mine');
      ensure('a file that the bundle no longer has', !existsSync(join(folder, 'gone.txt')));
      equal('A', env(box, 'quay').A, 'other');
    },
  ),
  check(
    'box/reinstall/in-the-place-of-a-file',
    ['choice/box/177'],
    'keeps links and folders in the place of bundled files, and reports them',
    async (box) => {
      const names = ['conf/a.conf', 'deep/b.conf', 'page.html', 'site.conf'];
      const filesOf = (text: string) => Object.fromEntries(names.map((name) => [name, text]));
      const put = (text: string) =>
        box.environment.bundle({ name: 'quay', manifest: manifest('quay'), files: filesOf(text) });
      const bundled = put('one');
      status(await box.install('quay'), 200);
      const folder = installedFolder(box, 'quay');
      const outside = join(box.environment.root, 'outside');
      mkdirSync(outside);
      for (const name of ['b.conf', 'site.conf']) writeFileSync(join(outside, name), 'theirs');
      for (const name of ['conf/a.conf', 'deep', 'site.conf']) rmSync(join(folder, name), { recursive: true });
      mkdirSync(join(folder, 'conf', 'a.conf'));
      symlinkSync(outside, join(folder, 'deep'));
      symlinkSync(join(outside, 'site.conf'), join(folder, 'site.conf'));
      const before = treeDigest(outside);
      put('two');
      const answer = await box.install('quay');
      status(answer, 200);
      const warned = actionsOf(answer).filter(({ kind }) => kind === 'warn');
      for (const name of ['conf/a.conf', 'deep', 'site.conf'])
        ensure(`a warning names ${name}`, warned.filter(({ detail }) => detail.includes(name)).length === 1, warned);
      equal('the warnings', warned.length, 3);
      equal('another file', read(folder, 'page.html'), 'two');
      rmSync(join(bundled, 'site.conf'));
      status(await box.install('quay'), 200);
      ensure('a.conf is a folder', lstatSync(join(folder, 'conf', 'a.conf')).isDirectory());
      for (const name of ['deep', 'site.conf'])
        ensure(`${name} is a link`, lstatSync(join(folder, name)).isSymbolicLink());
      equal('what is outside', treeDigest(outside), before);
    },
  ),
  check(
    'box/reinstall/new-example-keys',
    ['choice/box/71'],
    'appends keys that a newer .env.example adds and .env lacks',
    async (box) => {
      box.environment.bundle({ name: 'quay', manifest: manifest('quay'), envExample: 'A=1\nB=2\n' });
      status(await box.install('quay', { A: 'mine' }), 200);
      box.environment.bundle({ name: 'quay', manifest: manifest('quay'), envExample: 'A=9\nC="3 3"\n' });
      status(await box.install('quay'), 200);
      const { A, B, C } = env(box, 'quay');
      equal('A, B and C', [A, B, C], ['mine', '2', '3 3']);
    },
  ),
  check('box/reinstall/no-env-from-bundle', ['choice/box/72'], 'never copies a .env from a bundle', async (box) => {
    box.environment.bundle({
      name: 'quay',
      manifest: manifest('quay'),
      env: 'SECRET=of-the-packager\n',
      envExample: 'A=1\n',
    });
    status(await box.install('quay'), 200);
    equal('.env', envText(box, 'quay'), 'A=1\n');
  }),
  check(
    'box/reinstall/null-settings',
    ['choice/box/73', 'choice/box/74'],
    'treats settings: null as missing, and returns the absolute path',
    async (box) => {
      box.environment.bundle({ name: 'quay', manifest: manifest('quay'), envExample: 'A=1\n' });
      const answer = await box.post('/api/apps/install', { name: 'quay', settings: null });
      status(answer, 200);
      const { installed } = record(answer);
      matches('installed', installed, /quay$/);
      ensure('an absolute path', isAbsolute(installed));
      equal('of the directory', installed, installedFolder(box, 'quay'));
      ensure('which is there', isInstalled(box, 'quay'));
    },
  ),
];
