import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type Check, check } from '../../../kernel/check.ts';
import { CheckFailed, ensure, equal, record, status } from '../../../kernel/expect.ts';
import { treeDigest } from '../../../kernel/tree.ts';
import { declared, manifest, placeInstalled, settings } from '../apps.ts';
import type { BoxContext } from '../context.ts';
import { containersOf, env, envText, installedFolder, isInstalled, runningContainer } from '../disk.ts';
import { unfilled } from '../placeholders.ts';

/** The texts of all files below a folder. */
const textsIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'utf8'));

/** Values that damage a `.env` that is written without care. */
const values = [
  'a "b" c',
  "it's",
  '#x',
  'a #b',
  'a\nOTHER=theirs',
  'a\r\nOTHER=theirs\r\nb',
  'a"\nOTHER=theirs\n"b',
  "a'\nOTHER=theirs\n'b",
  '$OTHER',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of Compose, not of JavaScript.
  '${OTHER}',
  'a$$b',
  '`id`',
  '\\',
  'a\\nb',
  '"',
  "'",
  '"quoted"',
  "'quoted'",
  'x=y',
  ' around ',
  '\ttab',
  'größe 日本',
];

const shownValues = async (box: BoxContext) =>
  new Map(
    (record(await box.get('/api/apps/lagoon/settings')).settings as { name: string; value: string }[]).map((one) => [
      one.name,
      one.value,
    ]),
  );

export const checks: Check<BoxContext>[] = [
  check(
    'box/names/links-lead-nowhere',
    ['should/box/507'],
    'neither writes nor deletes through a symbolic link, in a reinstall and in a removal',
    async (box) => {
      const outside = join(box.environment.root, 'outside');
      mkdirSync(outside);
      const files = { 'site.conf': 'one', 'deep/b.conf': 'one' };
      box.environment.bundle({ name: 'quay', manifest: manifest('quay'), files });
      status(await box.install('quay'), 200);
      writeFileSync(join(outside, 'manifest.json'), JSON.stringify(manifest('linked')));
      for (const name of ['.env', 'site.conf', 'b.conf']) writeFileSync(join(outside, name), 'GREETING=theirs\n');
      symlinkSync(outside, join(box.environment.installedApps, 'linked'));
      const quay = installedFolder(box, 'quay');
      for (const name of ['site.conf', 'deep']) rmSync(join(quay, name), { recursive: true });
      symlinkSync(join(outside, 'site.conf'), join(quay, 'site.conf'));
      symlinkSync(outside, join(quay, 'deep'));
      const before = treeDigest(outside);
      const changed = { 'site.conf': 'two', 'deep/b.conf': 'two' };
      box.environment.bundle({ name: 'quay', manifest: manifest('quay', { version: '2.0.0' }), files: changed });
      const steps: Record<string, () => Promise<unknown>> = {
        'a reinstall over links in an app': () => box.install('quay'),
        'a removal of an app with links': () => box.remove('quay'),
        'a removal of a link': () => box.remove('linked'),
      };
      for (const [name, step] of Object.entries(steps)) {
        await step();
        equal(`the files outside after ${name}`, treeDigest(outside), before);
      }
    },
  ),
  check(
    'box/reinstall/edit-is-kept',
    ['should/box/508'],
    "keeps the text of a bundled file that the owner edited, in the app's directory",
    async (box) => {
      const app = { name: 'quay', files: { 'site.conf': 'one', 'deep/old.txt': 'old' } };
      const bundled = box.environment.bundle({ ...app, manifest: manifest('quay', { version: '1.0.0' }) });
      status(await box.install('quay'), 200);
      const folder = installedFolder(box, 'quay');
      const edits = { 'site.conf': 'edited by hand', 'deep/old.txt': 'edited, too' };
      for (const [name, text] of Object.entries(edits)) writeFileSync(join(folder, name), text);
      rmSync(join(bundled, 'deep'), { recursive: true });
      const newer = { manifest: manifest('quay', { version: '2.0.0' }), files: { 'site.conf': 'two' } };
      box.environment.bundle({ ...app, ...newer });
      for (const _ of ['once', 'and again']) status(await box.install('quay'), 200);
      const texts = textsIn(folder);
      for (const text of Object.values(edits)) ensure(`"${text}" is in a file of the app`, texts.includes(text), texts);
    },
  ),
  check(
    'box/dotenv/values-come-back',
    ['should/box/509'],
    'gives a value back exactly, in the settings view and in the container, or refuses it; no other key changes',
    async (box) => {
      const keys = values.map((_, index) => `VALUE${index}`);
      box.environment.placeInstalled({
        name: 'lagoon',
        manifest: manifest('lagoon', { settings: declared(...keys, 'OTHER') }),
        env: 'OTHER=mine\n',
      });
      const accepted = new Map<string, string>();
      for (const [index, value] of values.entries()) {
        const key = keys[index] ?? '';
        const before = envText(box, 'lagoon');
        const answer = await box.changeSettings('lagoon', { [key]: value });
        if (answer.status === 200) accepted.set(key, value);
        else if (answer.status === 400) equal('.env after a refusal', envText(box, 'lagoon'), before);
        else throw new CheckFailed(`${JSON.stringify(value)} is accepted or refused`, '200 or 400', answer.status);
        const shown = await shownValues(box);
        for (const [name, text] of accepted) equal(`${name} as it is shown`, shown.get(name), text);
        equal('OTHER as it is shown', shown.get('OTHER'), 'mine');
      }
      const { env: inside } = await runningContainer(box, 'lagoon');
      for (const [name, text] of accepted) equal(`${name} in the container`, inside[name], text);
      equal('OTHER in the container', inside.OTHER, 'mine');
      equal('OTHER in .env', env(box, 'lagoon').OTHER, 'mine');
    },
  ),
  check(
    'box/dotenv/key-twice',
    ['should/box/509'],
    'gives a changed value back although .env has its key twice, or refuses it',
    async (box) => {
      const app = { name: 'lagoon', manifest: manifest('lagoon', { settings: [settings.text] }) };
      box.environment.placeInstalled({ ...app, env: 'GREETING=first\nOTHER=mine\nGREETING=last\n' });
      const answer = await box.changeSettings('lagoon', { GREETING: 'new' });
      if (answer.status === 400) return;
      status(answer, 200);
      equal('as it is shown', (await shownValues(box)).get('GREETING'), 'new');
      const { env: inside } = await runningContainer(box, 'lagoon');
      equal('in the container', [inside.GREETING, inside.OTHER], ['new', 'mine']);
    },
  ),
  check(
    'box/dotenv/open-quote',
    ['should/box/509'],
    'shows a changed value although .env has a quote that is not closed, or refuses the change',
    async (box) => {
      const app = { name: 'lagoon', manifest: manifest('lagoon', { settings: [settings.text] }), compose: null };
      const folder = box.environment.placeInstalled(app);
      for (const quote of ['"', "'"]) {
        for (const line of ['', 'GREETING=old\n', 'GREETING="old"\n']) {
          const before = `OTHER=mine\nNOTE=${quote}never closed\n${line}`;
          writeFileSync(join(folder, '.env'), before);
          const { status } = await box.changeSettings('lagoon', { GREETING: 'new' });
          if (status === 400) equal('.env after a refusal', envText(box, 'lagoon'), before);
          else equal(`what is shown after ${before}`, (await shownValues(box)).get('GREETING'), 'new');
        }
      }
    },
  ),
  check(
    'box/dotenv/refused-changes-nothing',
    ['should/box/521'],
    'writes nothing of a settings update that it refuses',
    async (box) => {
      const app = { name: 'lagoon', manifest: manifest('lagoon', { settings: [settings.text] }) };
      const folder = box.environment.placeInstalled({ ...app, env: 'GREETING=mine\n' });
      status(await box.get('/api/apps'), 200);
      const before = treeDigest(folder);
      for (const bad of [{ '': 'x' }, { 'A=B': 'x' }, { 'C\nD': 'x' }, { E: 'nul\u0000byte' }]) {
        const answer = await box.changeSettings('lagoon', { GREETING: 'new', ...bad });
        if (answer.status >= 400) equal('the files of the app', treeDigest(folder), before);
      }
    },
  ),
  check(
    'box/changes/failed-write',
    ['should/box/510'],
    'fails and leaves every file of an app as it was if it cannot write one of them',
    async (box) => {
      const app = (version: string) => manifest('lagoon', { version, settings: [settings.text] });
      const bundled = { name: 'lagoon', envExample: 'GREETING=x\n' };
      box.environment.bundle({ ...bundled, manifest: app('1.0.0'), files: { 'site.conf': 'one' } });
      status(await box.install('lagoon', { GREETING: 'mine' }), 200);
      const folder = installedFolder(box, 'lagoon');
      // Root can write anywhere, but not into a folder as if it were a file.
      rmSync(join(folder, '.env'));
      mkdirSync(join(folder, '.env', 'in-the-way'), { recursive: true });
      box.environment.bundle({ ...bundled, manifest: app('2.0.0'), files: { 'site.conf': 'two' } });
      const before = treeDigest(folder);
      for (const change of [box.changeSettings, box.install]) {
        const answer = await change('lagoon', { GREETING: 'new' });
        ensure('the change fails', answer.status >= 400, answer.status);
        equal('the files of the app', treeDigest(folder), before);
      }
    },
  ),
  check(
    'box/placeholders/not-started-by-others',
    ['should/box/511'],
    'starts no app whose install was refused for a placeholder, whatever is changed of other apps',
    async (box) => {
      placeInstalled(box, 'anchor');
      box.environment.bundle({ name: 'reef', ...unfilled('reef') });
      box.environment.bundle({ name: 'quay', manifest: manifest('quay') });
      equal('the status of the install', (await box.install('reef')).status, 400);
      ensure('its directory is there', isInstalled(box, 'reef'));
      await box.changeSettings('anchor', {});
      await box.install('quay');
      await runningContainer(box, 'quay');
      await box.remove('quay');
      equal('the containers of the refused app', await containersOf(box, 'reef'), []);
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
      equal('the data', readFileSync(join(folder, 'data', 'deep', 'db'), 'utf8'), 'rows');
      equal('an added file', readFileSync(join(folder, 'config', 'added.conf'), 'utf8'), 'mine');
      ensure('the override file', existsSync(join(folder, 'compose.override.yaml')));
    },
  ),
];
