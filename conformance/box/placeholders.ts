import { type Check, check } from '../check.ts';
import { equal, holds, matches, record, refused, status } from '../expect.ts';
import { treeDigest } from '../tree.ts';
import { allSettings, manifest } from './apps.ts';
import { containersOf, installedFolder, runningContainer } from './disk.ts';

const placeholders = [
  'changeme', 'CHANGE_ME', 'Change-Me', 'change me', 'please changeme now', 'change-this', 'changeit', 'replaceme',
  'replace_this', 'REPLACE-IT', 'placeholder', 'TODO', 'fixme', 'xxx', 'XXXXXX', '<password>', '{{ secret }}',
  '__SECRET__', 'your-password', 'your_key', '  changeme\t', 'a-change-me-b', 'my.changeme!', 'changeme123', '1changeme',
  ' todo ', '<a\nb>', '{{a\nb}}', '__a\nb__', 'your-a\nb', '<x>', '{{x}}', '__x__', 'your-x',
]; // biome-ignore format: a table

const values = [
  'exchange items', 'interchangeme', 'change', 'change menu', 'changes it', 'replacement', 'unreplaceme', 'xx',
  'todo list', 'placeholders', 'my placeholder', 'x', '', '<', '<>x', '{}', '{{x', '_x_', 'yours-truly', 'your',
  'not your-key', 'mexxx', 'exchangeme', 'changemes', 'change--me', 'change mesh', 'changement', 'replacements', 'me',
  'todo: x', 'fix me', 'xxxy', 'axxx', '<secret', 'secret>', 'a<b>', '<b>a', '{secret}', '{{}}', 'a{{b}}', '{{b}}a', '____',
  '__secret', 'secret__', 'a__b__', '__b__a', 'your-', 'my-your-x', 'üchangeme', 'changemeü',
]; // biome-ignore format: a table

const keyed = (list: string[]) => Object.fromEntries(list.map((value, index) => [`KEY${index}`, value]));

/** What counts as a placeholder secret, and what is said about one. */
export const checks: Check[] = [
  check(
    'box/placeholders/found',
    ['choice/box/93', 'choice/box/94', 'choice/box/95'],
    'finds a placeholder in any key, names every such key and the file, and never a value',
    async (box) => {
      const all = keyed(placeholders);
      const example = `FINE=harmless-9\n${Object.entries(all)
        .map(([key, value]) => `${key}="${value}"\n`)
        .join('')}`;
      box.world.bundle({ name: 'reef', manifest: manifest('reef'), envExample: example });
      const answer = await box.install('reef');
      const { error } = record(answer);
      refused(answer, 400);
      for (const [key, value] of Object.entries(all))
        matches(`the error names the key of ${value}`, error, new RegExp(`\\b${key}\\b`));
      matches('the error names the file', error, /\.env/);
      holds('no other key', !/FINE/.test(String(error)), error);
      holds('no value', !/harmless|{{|xxx|__SECRET__/i.test(String(error)), error);
    },
  ),
  check(
    'box/placeholders/values',
    ['choice/box/93'],
    'takes values for values that only look like placeholders',
    async (box) => {
      box.world.bundle({ name: 'reef', manifest: manifest('reef'), envExample: 'A=1\n' });
      const submitted = keyed(values);
      status(await box.install('reef', submitted), 200);
    },
  ),
  check(
    'box/placeholders/one-by-one',
    ['choice/box/93'],
    'finds each form of placeholder on its own',
    async (box) => {
      box.world.placeInstalled({ name: 'reef', manifest: manifest('reef'), env: 'A=1\n' });
      for (const A of placeholders) refused(await box.changeSettings('reef', { A }), 400);
    },
  ),
  check(
    'box/placeholders/settings-update',
    ['choice/box/96'],
    'refuses a settings update that would leave one, before anything is written',
    async (box) => {
      const app = { name: 'lagoon', manifest: manifest('lagoon', { settings: allSettings }) };
      box.world.placeInstalled({ ...app, env: 'GREETING=x\nSECRET=changeme\n' });
      await box.get('/api/apps');
      const before = treeDigest(installedFolder(box, 'lagoon'));
      refused(await box.changeSettings('lagoon', { GREETING: 'y' }), 400);
      equal('its files', treeDigest(installedFolder(box, 'lagoon')), before);
      equal('containers', await containersOf(box, 'lagoon'), []);
      status(await box.changeSettings('lagoon', { GREETING: 'y', SECRET: 'k3y' }), 200);
      equal('SECRET', (await runningContainer(box, 'lagoon')).env.SECRET, 'k3y');
    },
  ),
];
