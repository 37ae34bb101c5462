import { type Check, check } from '../../../kernel/check.ts';
import type { Exchange } from '../../../kernel/exchange.ts';
import { ensure, equal, fields, list, pluck, record, refused, status } from '../../../kernel/expect.ts';
import { library, manifest, settings } from '../apps.ts';
import type { BoxContext } from '../context.ts';

const view = (name: string, installed: boolean) => ({
  name,
  display_name: `Shown ${name}`,
  description: `Short about ${name}`,
  description_long: `Long about ${name}: ünïcode, "quotes", <tags>`,
  installed,
});

/** Verifies the fields of a view, and of its entries in any order. */
function agrees(answer: Exchange, expected: Record<string, unknown>, entries: readonly { name: string }[]): void {
  fields('the view', answer.json, expected);
  const found = list({ json: record(answer).settings });
  equal('the names of the settings', pluck(found, 'name').sort(), pluck(entries, 'name').sort());
  for (const entry of entries) {
    const one = found.find(({ name }) => name === entry.name);
    fields(`the setting ${entry.name}`, one, entry);
  }
}

/** Names that no app has. An implementation may refuse them as invalid. */
export const impossible = ['..', '.', '%2e%2e', 'Cairn', '..%2fbundled%2fbeacon', '%2e%2e%2Finstalled%2Fcairn'];

export const checks: Check<BoxContext>[] = [
  check(
    'box/getAppSettings/installed',
    [
      'box/getAppSettings/1',
      'box/settings-view/1',
      'box/settings-view/2',
      'box/settings-view/3',
      'box/settings-view/4',
      'box/settings-view/5',
      'box/value/1',
      'box/value/2',
      'box/value/4',
      'box/endpoints/8',
      'box/setting/2',
      'box/setting/3',
      'box/setting/4',
      'box/setting/5',
      'box/setting/9',
    ],
    "shows an installed app's values from its .env, else the default, else nothing, and never a password",
    async (box) => {
      const answer = await box.get('/api/apps/cairn/settings');
      status(answer, 200);
      const entries = [
        { ...settings.text, value: 'hello there' },
        { ...settings.number, value: '7' },
        { ...settings.password, value: '' },
        { ...settings.bare, value: '' },
      ];
      agrees(answer, view('cairn', true), entries);
      equal('the password is nowhere', answer.text.includes('k3y-that-stays-here'), false);
    },
    { shared: library },
  ),
  check(
    'box/getAppSettings/bundled',
    ['box/getAppSettings/1', 'box/value/1', 'box/value/3', 'box/settings-view/2'],
    'shows starting values of a bundled app from its .env.example',
    async (box) => {
      const answer = await box.get('/api/apps/beacon/settings');
      status(answer, 200);
      const entries = [
        { ...settings.text, value: 'from the example' },
        { ...settings.number, value: '11' },
        { ...settings.password, value: '' },
        { ...settings.bare, value: '' },
      ];
      agrees(answer, view('beacon', false), entries);
    },
    { shared: library },
  ),
  check(
    'box/getAppSettings/bundled-without-example',
    ['box/value/5'],
    'shows only defaults for a bundled app without .env.example',
    async (box) => {
      const { json } = await box.get('/api/apps/atlas/settings');
      const values = (json as { settings: { default: string | null; value: string }[] }).settings;
      for (const { value, default: fallback } of values) {
        ensure('value is the default or empty', value === '' || value === fallback, value);
      }
    },
    { shared: library },
  ),
  check(
    'box/getAppSettings/no-settings',
    ['box/setting/1', 'box/settings-view/3'],
    'has no entries for an app whose manifest declares no settings',
    async (box) => {
      const { settings: _, ...without } = manifest('plain');
      box.environment.bundle({ name: 'plain', manifest: without });
      const answer = await box.get('/api/apps/plain/settings');
      status(answer, 200);
      equal('settings', (answer.json as { settings: unknown }).settings, []);
    },
  ),
  check(
    'box/getAppSettings/invalid-name',
    ['box/getAppSettings/2', 'box/getAppSettings/3', 'box/errors/2'],
    'refuses a name that is empty or has a slash',
    async (box) => {
      for (const path of ['/api/apps//settings', '/api/apps/a/b/settings', '/api/apps/cairn//settings']) {
        refused(await box.get(path), 400, 'invalid app name');
      }
    },
    { shared: library },
  ),
  check(
    'box/getAppSettings/not-there',
    ['box/getAppSettings/4', 'box/getAppSettings/5', 'box/errors/7'],
    'answers 404 for an app that is neither installed nor bundled, or whose manifest is unreadable',
    async (box) => {
      for (const name of ['nobody', 'CAIRN', 'Beacon', 'torn', 'unlabelled', 'hollow'])
        refused(await box.get(`/api/apps/${name}/settings`), 404);
      for (const name of impossible) {
        const answer = await box.get(`/api/apps/${name}/settings`);
        // An impossible name may be reported as an invalid name.
        refused(answer, answer.status === 400 ? 400 : 404);
      }
    },
    { shared: library },
  ),
  check(
    'box/getAppSettings/bundled-env',
    ['box/value/3'],
    'shows starting values of a bundled app from its .env.example even if it has a .env',
    async (box) => {
      const app = { name: 'reed', manifest: manifest('reed', { settings: [settings.text] }) };
      box.environment.bundle({ ...app, envExample: 'GREETING=example\n', env: 'GREETING=of somebody\n' });
      const { settings: entries } = record(await box.get('/api/apps/reed/settings'));
      equal('value', list({ json: entries })[0]?.value, 'example');
    },
  ),
  check(
    'box/getAppSettings/env-of-the-moment',
    ['box/value/1', 'box/value/2', 'box/settings-view/3'],
    'reads the .env at each request, only for declared settings and never for passwords',
    async (box) => {
      const secret = { ...settings.password, default: 'hush' };
      const app = { name: 'reed', manifest: manifest('reed', { settings: [settings.text, secret] }) };
      const value = async () => {
        const { settings: entries } = record(await box.get('/api/apps/reed/settings'));
        const found = new Map(list({ json: entries }).map((entry) => [entry.name, entry.value]));
        equal('the value of a password that has a default', found.get('VAULT_KEY'), '');
        equal('entries of keys that the manifest does not declare', found.size, 2);
        return found.get('GREETING');
      };
      box.environment.placeInstalled(app);
      equal('without a .env, the default', await value(), 'ahoy');
      const example = 'GREETING=from the example\n';
      box.environment.placeInstalled({ ...app, env: 'OTHER=1\n', envExample: example });
      equal('with a .env that lacks the key, the default', await value(), 'ahoy');
      box.environment.placeInstalled({ ...app, env: '# a comment\n\nGREETING=changed by hand\nOTHER=1\n' });
      equal('with the key, what it holds', await value(), 'changed by hand');
      box.environment.placeInstalled({ ...app, env: 'GREETING=\n' });
      equal('with an empty value, not the default', await value(), '');
    },
  ),
];
