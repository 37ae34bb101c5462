import { type Check, check } from '../../../kernel/check.ts';
import { ensure, equal, isObject } from '../../../kernel/expect.ts';
import type { BoxContext } from '../context.ts';
import { lookOf, typeOf } from './dom.ts';
import { buttons } from './elements.ts';
import { type ManagementPage, onPage, type PageRequest } from './management-page.ts';
import { fillShelf, harbour, mole, settings, shelf } from './shelf.ts';

const label = (name: string) => settings.find((one) => one.name === name)?.label ?? name;

/** The two ways to the form: of an available app, and of an installed one. */
const ways = [
  { app: mole, button: buttons.install },
  { app: harbour, button: buttons.settings },
];

const fill = async ({ field }: ManagementPage, values: Record<string, string>) => {
  for (const [name, value] of Object.entries(values)) await field(label(name)).fill(value);
};

/** The submitted settings as texts: a page may send a number as a number. */
function submitted({ body }: PageRequest): Record<string, string> {
  const sent = isObject(body) && isObject(body.settings) ? body.settings : {};
  return Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, String(value ?? '')]));
}

function has(what: string, request: PageRequest, values: Record<string, string>): void {
  const sent = submitted(request);
  const named = Object.keys(values).map((name) => [name, sent[name]]);
  equal(what, Object.fromEntries(named), values);
}

/** Opens an installed app's form, fills fields, submits, and waits until the box has answered. */
async function edit(page: ManagementPage, values: Record<string, string>): Promise<PageRequest> {
  await page.openForm(harbour.title, buttons.settings, label('GREETING'));
  await fill(page, values);
  await page.submit(label('GREETING'));
  const request = await page.posted();
  await request.answer();
  return request;
}

const onFilledPage = (box: BoxContext, steps: (page: ManagementPage) => Promise<void>) => {
  fillShelf(box.environment);
  return onPage(box, steps);
};

export const readingChecks: Check<BoxContext>[] = [
  check(
    'box/page/form-fields',
    ['box/page/6', 'box/page/15', 'box/setting/6'],
    'fetches the settings, then shows a field of the right type for each',
    async (box) => {
      for (const { app, button } of ways)
        await onPage(box, async ({ field, openForm, requests }) => {
          await openForm(app.title, button, label('SEATS'));
          const paths = requests.filter(({ method }) => method === 'GET').map(({ path }) => path);
          ensure('the settings are fetched', paths.includes(`/api/apps/${app.name}/settings`), paths);
          const types = [];
          for (const { name } of settings) types.push([name, await typeOf(field(label(name)))]);
          const expected = settings.map(({ name, type }) => [name, type === 'color' ? 'text' : type]);
          equal('the types of the fields', types, expected);
        });
    },
    { shared: shelf },
  ),
  check(
    'box/page/required-marked',
    ['box/page/16'],
    'marks required fields, so that they look different from others',
    async (box) => {
      for (const { app, button } of ways)
        await onPage(box, async ({ field, openForm, page }) => {
          await openForm(app.title, button, label('GREETING'));
          await page.evaluate('document.activeElement?.blur()');
          const look = async (name: string) => {
            const { description } = settings.find((one) => one.name === name) ?? { description: '' };
            return lookOf(field(label(name)), [label(name), description]);
          };
          const optional = await look('NICK');
          ensure(`a required field looks different: ${optional}`, (await look('GREETING')) !== optional, optional);
        });
    },
    { shared: shelf },
  ),
];

export const changingChecks: Check<BoxContext>[] = [
  check(
    'box/page/required-on-install',
    ['box/page/17', 'box/setting/8'],
    'sends no install while a required field is empty',
    (box) =>
      onFilledPage(box, async (page) => {
        await page.openForm(mole.title, buttons.install, label('GREETING'));
        await fill(page, { VAULT_KEY: box.secret(), SEATS: '3' });
        await page.submit(label('GREETING'));
        await fill(page, { GREETING: 'ahoy' });
        await page.submit(label('GREETING'));
        const first = await page.posted();
        has('the first POST, after the field was filled in', first, { GREETING: 'ahoy' });
        await first.answer();
      }),
  ),
  check(
    'box/page/required-not-on-edit',
    ['box/page/17', 'box/setting/8'],
    'sends an edit with an empty required field',
    (box) =>
      onFilledPage(box, async (page) => {
        const { path } = await edit(page, { GREETING: '' });
        equal('the path of the edit', path, `/api/apps/${harbour.name}/settings`);
      }),
  ),
  check('box/page/install', ['box/page/18'], 'sends an install with its name and what the form has', (box) =>
    onFilledPage(box, async (page) => {
      const values = { GREETING: 'ahoy there', VAULT_KEY: box.secret(), SEATS: '3', TINT: 'teal', NICK: 'Cap' };
      await page.openForm(mole.title, buttons.install, label('GREETING'));
      await fill(page, values);
      await page.submit(label('GREETING'));
      const request = await page.posted();
      equal('the path', request.path, '/api/apps/install');
      const { name, settings: sent, ...other } = isObject(request.body) ? request.body : {};
      equal('the name', name, mole.name);
      ensure('settings', isObject(sent), request.body);
      equal('other fields', other, {});
      has('the settings', request, values);
      await request.answer();
    }),
  ),
  check(
    'box/page/edit',
    ['box/page/19'],
    'sends an edit with what was changed to the settings of the app, and nothing else',
    (box) =>
      onFilledPage(box, async (page) => {
        const request = await edit(page, { GREETING: 'good day', SEATS: '12' });
        equal('the path', request.path, `/api/apps/${harbour.name}/settings`);
        equal('the fields of the body', Object.keys(isObject(request.body) ? request.body : {}), ['settings']);
        has('the settings', request, { GREETING: 'good day', SEATS: '12' });
      }),
  ),
  check(
    'box/page/blank-passwords',
    ['box/page/7'],
    'leaves a blank password out of an edit, and sends a new one',
    async (box) => {
      fillShelf(box.environment);
      await onPage(box, async (page) => {
        const sent = submitted(await edit(page, { GREETING: 'good day' }));
        ensure('the blank password is left out', !Object.hasOwn(sent, 'VAULT_KEY'), sent);
      });
      await onPage(box, async (page) => {
        const secret = box.secret();
        has('the settings with a new password', await edit(page, { VAULT_KEY: secret }), { VAULT_KEY: secret });
      });
    },
  ),
];
