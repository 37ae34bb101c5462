import { type Check, check } from '../../../kernel/check.ts';
import { ensure, equal, matches, record, refused, status } from '../../../kernel/expect.ts';
import { treeDigest } from '../../../kernel/tree.ts';
import { actionsOf, appOf } from '../actions.ts';
import { allSettings, manifest, placeInstalled, settings } from '../apps.ts';
import type { BoxContext } from '../context.ts';
import { containersOf, env, installedFolder, runningContainer } from '../disk.ts';

const placeholders = [
  'changeme', 'CHANGE_ME', 'Change-Me', 'change me', 'change-this', 'changeit', 'replaceme', 'replace_this', 'REPLACE-IT',
  'placeholder', 'TODO', 'fixme', 'xxx', 'XXXXXX', 'secret', ' Password', '<password>', '{{ secret }}', '__SECRET__',
  'your-password', 'your_key', '  changeme\t', 'changeme123', 'change-me-now', 'CHANGE THIS PLEASE', ' todo ', '<a\nb>',
  '{{a\nb}}', '__a\nb__', 'your-a\nb', '<x>', '{{x}}', '__x__', 'your-x',
]; // biome-ignore format: a table

const values = [
  'exchange items', 'interchangeme', 'change', 'changes it', 'unreplaceme', 'xx', 'please changeme now', '1changeme',
  'todo list', 'placeholders', 'my placeholder', 'x', '', '<', '<>x', '{}', '{{x', '_x_', 'yours-truly', 'your', 'me',
  'not your-key', 'mexxx', 'exchangeme', 'change--me', 'changing it', 'replace', 'a-change-me-b', 'my.changeme!', 'fix me',
  'todo: x', 'xxxy', 'axxx', '<secret', 'secret>', 'a<b>', '<b>a', '{secret}', '{{}}', 'a{{b}}', '{{b}}a', '____',
  '__secret', 'secret__', 'a__b__', '__b__a', 'your-', 'my-your-x', 'üchangeme', 'secrets', 'my password',
]; // biome-ignore format: a table

/** Words that make a key a secret. */
const secretNames = [
  'PASS', 'DB_PASS', 'dbPass', 'ROOT_PASSWORD', 'DBPASSWORD', 'PASSPHRASE', 'MAIL_PASSWD', 'APP_SECRET', 'SECRETS',
  'secret_of_the_reef', 'AUTH_TOKEN', 'TOKEN2', 'KEY', 'API_KEY_V2', 'apiKey', 'APIKEY', 'SIGNING_KEYS', 'CREDENTIAL',
  'AWS_CREDENTIALS', 'ADMIN_PWD',
]; // biome-ignore format: a table

const otherNames = [
  'MOTTO',
  'TITLE',
  'HOST',
  'MONKEY',
  'KEYBOARD',
  'COMPASS',
  'PASSENGERS',
  'TOKENIZER',
  'SECRETARY',
  'A',
];

const keyed = (list: string[]) => Object.fromEntries(list.map((value, index) => [`KEY${index}`, value]));

/** A secret that no setting declares still has a placeholder. */
function placeHalfFilled(box: BoxContext): void {
  const app = { name: 'lagoon', manifest: manifest('lagoon', { settings: allSettings }) };
  box.environment.placeInstalled({ ...app, env: 'GREETING=x\nSECRET=changeme\n' });
}

export const checks: Check<BoxContext>[] = [
  check(
    'box/placeholders/found',
    ['choice/box/93', 'choice/box/94', 'choice/box/95'],
    'finds the placeholders of all secrets, and names the keys and the file but never a value',
    async (box) => {
      const all = keyed(placeholders);
      const example = `FINE=harmless-9\n${Object.entries(all)
        .map(([key, value]) => `${key}="${value}"\n`)
        .join('')}`;
      box.environment.bundle({ name: 'reef', manifest: manifest('reef'), envExample: example });
      const answer = await box.install('reef');
      const { error } = record(answer);
      refused(answer, 400);
      for (const [key, value] of Object.entries(all))
        matches(`the error names the key of ${value}`, error, new RegExp(`\\b${key}\\b`));
      matches('the error names the file', error, /\.env/);
      ensure('no other key', !/FINE/.test(String(error)), error);
      ensure('no value', !/harmless|{{|xxx|__SECRET__/i.test(String(error)), error);
    },
  ),
  check(
    'box/placeholders/values',
    ['choice/box/93'],
    'accepts values that only look like placeholders',
    async (box) => {
      box.environment.bundle({ name: 'reef', manifest: manifest('reef'), envExample: 'A=1\n' });
      const submitted = keyed(values);
      status(await box.install('reef', submitted), 200);
    },
  ),
  check('box/placeholders/one-by-one', ['choice/box/93'], 'finds each form of placeholder on its own', async (box) => {
    box.environment.placeInstalled({ name: 'reef', manifest: manifest('reef'), env: 'KEY=1\n' });
    for (const KEY of placeholders) refused(await box.changeSettings('reef', { KEY }), 400);
  }),
  check(
    'box/placeholders/keys',
    ['choice/box/94'],
    'recognises a secret by its type or by a word of its name, and ignores other keys',
    async (box) => {
      const fields = { settings: [{ ...settings.password, name: 'HATCH' }, settings.bare] };
      const app = { name: 'reef', manifest: manifest('reef', fields) };
      const example = otherNames.map((key) => `${key}=Change me\n`).join('');
      box.environment.bundle({ ...app, envExample: `${example}NICK=todo\n` });
      status(await box.install('reef'), 200);
      for (const key of ['HATCH', ...secretNames])
        refused(await box.changeSettings('reef', { [key]: 'Change me' }), 400);
      const values = { MOTTO: 'Be the change this world needs', TITLE: 'todo', HOST: 'your-nas.local' };
      status(await box.changeSettings('reef', values), 200);
      const { MOTTO, TITLE, HOST } = env(box, 'reef');
      equal('the values', { MOTTO, TITLE, HOST }, values);
    },
  ),
  check(
    'box/placeholders/settings-update',
    ['choice/box/96'],
    'refuses a settings update that submits a placeholder, before it writes anything',
    async (box) => {
      placeHalfFilled(box);
      await box.get('/api/apps');
      const before = treeDigest(installedFolder(box, 'lagoon'));
      const answer = await box.changeSettings('lagoon', { GREETING: 'y', VAULT_KEY: 'change-me' });
      refused(answer, 400);
      const { error } = record(answer);
      matches('the error names the key', error, /\bVAULT_KEY\b/);
      ensure('it names no key that was not submitted', !/\bSECRET\b/.test(String(error)), error);
      equal('its files', treeDigest(installedFolder(box, 'lagoon')), before);
      equal('containers', await containersOf(box, 'lagoon'), []);
    },
  ),
  check(
    'box/placeholders/other-key',
    ['choice/box/96', 'choice/box/108'],
    'writes a settings update although another key has a placeholder, and reports the app as an error until that is fixed',
    async (box) => {
      placeHalfFilled(box);
      placeInstalled(box, 'anchor');
      const answer = await box.changeSettings('lagoon', { GREETING: 'y' });
      status(answer, 207);
      equal('GREETING', env(box, 'lagoon').GREETING, 'y');
      const errors = actionsOf(answer).filter(({ kind }) => kind === 'error');
      equal('the errors', errors.map(appOf), ['lagoon']);
      matches('the error names the key', errors[0]?.detail, /\bSECRET\b/);
      equal('containers', await containersOf(box, 'lagoon'), []);
      await runningContainer(box, 'anchor');
      status(await box.changeSettings('anchor', {}), 200);
      status(await box.changeSettings('lagoon', { SECRET: 'k3y' }), 200);
      equal('SECRET', (await runningContainer(box, 'lagoon')).env.SECRET, 'k3y');
    },
  ),
];
