import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { accessibilityFaults, checkFit, choose, needsBrowser, openPage, press, says } from './testing/browser.ts';
import { type StubBox, stubApp, stubSetting } from './testing/stub-server.ts';

/** One installed app with settings, one without, a broken one that is bundled and one that is not, one available. */
function household(box: StubBox): void {
  const wiki = stubApp('wiki', { display_name: 'Wiki', has_settings: true, ports: [8080] });
  box.installed = [
    { ...wiki, ok: true },
    { ...stubApp('feeds', { display_name: 'Feeds', description_long: 'Reads what others write.' }), ok: true },
    { name: 'cellar', ok: false, error: 'manifest.json: not JSON' },
    { name: 'own', ok: false, error: 'no manifest.json' },
  ];
  box.bundled = [stubApp('cellar'), stubApp('vault', { display_name: 'Vault', has_settings: true })];
  const settings = [
    stubSetting('TITLE', { label: 'Title', required: true, description: 'Shown on top.' }),
    stubSetting('PASSWORD', { label: 'Password', type: 'password' }),
    stubSetting('LIMIT', { label: 'Limit', type: 'number', value: '20' }),
  ];
  box.settings = { vault: settings, wiki: settings.map((setting) => ({ ...setting, required: true })) };
}

const posted = (box: StubBox) =>
  box.requests.filter(({ method }) => method === 'POST').map(({ path, body }) => [path, body]);

test(
  'installs with a password that it made, names what is missing, and the focus goes along',
  needsBrowser,
  async (t) => {
    const { page, box, app } = await openPage(t, household);
    const dialog = page.getByRole('dialog');
    await press(app('vault'), 'Install Vault');
    await press(dialog, 'Generate a password for Password');
    const secret = await dialog.getByRole('textbox', { name: 'Password' }).inputValue();
    await press(dialog, 'Install');
    await dialog.getByText('Title has to be filled in.').waitFor();
    equal(await page.evaluate(() => document.activeElement?.getAttribute('name')), 'TITLE');
    await dialog.getByLabel('Title').fill('Ours');
    await press(dialog, 'Install');
    await says(app('vault'), /^Installed/);
    deepEqual(posted(box), [
      ['/api/apps/install', { name: 'vault', settings: { TITLE: 'Ours', PASSWORD: secret, LIMIT: '20' } }],
    ]);
    ok(!(await page.content()).includes(secret), 'the password is nowhere in the page');
    await page.locator('#app-installed-vault:focus').waitFor();
  },
);

/** choice/box/151 */
test('asks before it installs with an empty password, and makes one if wanted', needsBrowser, async (t) => {
  const { page, box, app } = await openPage(t, household);
  await press(app('vault'), 'Install Vault');
  const form = page.getByRole('dialog', { name: 'Install Vault' });
  await form.getByLabel('Title').fill('Ours');
  await press(form, 'Install');
  const question = page.getByRole('dialog', { name: 'Install without a password?' });
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  deepEqual(posted(box), []);
  await press(form, 'Install');
  await press(question, 'Make one for me');
  await form.getByText('A password was made').waitFor();
  match(await form.getByRole('textbox', { name: 'Password' }).inputValue(), /^\w{24}$/);
  await form.getByRole('textbox', { name: 'Password' }).fill('');
  await press(form, 'Install');
  await press(question, 'Install with it empty');
  await says(app('vault'), /^Installed/);
  deepEqual(posted(box), [
    ['/api/apps/install', { name: 'vault', settings: { TITLE: 'Ours', PASSWORD: '', LIMIT: '20' } }],
  ]);
});

test('has switches, lists, secrets that are made, and a fold', needsBrowser, async (t) => {
  const { page, box, app } = await openPage(t, (stub) => {
    household(stub);
    const onOff = { type: 'boolean', options: ['yes', 'no'] };
    stub.bundled = [stubApp('vault', { display_name: 'Vault', description_long: 'long '.repeat(100) })];
    stub.settings.vault = [
      stubSetting('DEEP', { label: 'Deep', advanced: true, required: true }),
      stubSetting('OPEN', { label: 'Open', ...onOff }),
      stubSetting('LOUD', { label: 'Loud', ...onOff, value: 'yes' }),
      stubSetting('SIZE', { label: 'Size', type: 'select', options: ['small', 'large'], value: 'small' }),
      stubSetting('KEY', { label: 'Key', type: 'password', required: true, generate: { length: 64, encoding: 'hex' } }),
    ];
    stub.settings.wiki = stub.settings.vault.slice(-1);
  });
  await press(app('vault'), 'Install Vault');
  const form = page.getByRole('dialog');
  await form.locator('[name=OPEN]:focus').waitFor();
  await form.getByText('What vault is for').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  equal(await form.getByRole('switch', { name: 'Loud' }).isChecked(), false);
  await form.getByLabel('Size').selectOption('large');
  await form.getByText('(made for you)').waitFor();
  deepEqual(await accessibilityFaults(page), []);
  equal(await form.getByLabel('Deep').isVisible(), false);
  await press(form, 'Install');
  await form.getByText('Deep has to be filled in.').waitFor();
  await page.keyboard.type('down');
  await press(form, 'Install');
  await says(app('vault'), /^Installed/);
  const settings = { OPEN: 'no', LOUD: 'no', SIZE: 'large', KEY: '', DEEP: 'down' };
  deepEqual(posted(box), [['/api/apps/install', { name: 'vault', settings }]]);
  await choose(app('wiki'), 'Settings Wiki');
  await form.getByText('It was made at the install, unless you typed one. Leave it empty to keep').waitFor();
});

test('takes a complaint about a field back once the field changes', needsBrowser, async (t) => {
  const { page, app } = await openPage(t, (box) => {
    household(box);
    const required = { required: true };
    box.settings.vault = [
      stubSetting('TITLE', { label: 'Title', ...required }),
      stubSetting('PASSWORD', { label: 'Password', type: 'password', ...required }),
    ];
  });
  const form = page.getByRole('dialog');
  const complaints = () => form.locator('.problem:visible').allTextContents();
  await press(app('vault'), 'Install Vault');
  await press(form, 'Install');
  deepEqual(await complaints(), ['Title has to be filled in.', 'Password has to be filled in.']);
  await press(form, 'Generate a password for Password');
  deepEqual(await complaints(), ['Title has to be filled in.']);
  equal(await form.getByRole('textbox', { name: 'Password' }).getAttribute('aria-invalid'), 'false');
  await form.getByLabel('Title').fill('O');
  deepEqual(await complaints(), []);
});

test('refuses text in a number field, and saves no empty value in its place', needsBrowser, async (t) => {
  const { page, box, app } = await openPage(t, household);
  await choose(app('wiki'), 'Settings Wiki');
  const form = page.getByRole('dialog');
  const limit = form.getByLabel('Limit');
  for (const text of ['abc', '12 apples', '5m', '1-2']) {
    await limit.press('Control+a');
    await limit.pressSequentially(text);
    await press(form, 'Save settings');
    deepEqual(await form.locator('.problem:visible').allTextContents(), ['Limit has to be a number.'], text);
  }
  await limit.fill('30');
  await press(form, 'Save settings');
  await says(app('wiki'), /^Settings saved/);
  deepEqual(posted(box), [['/api/apps/wiki/settings', { settings: { TITLE: '', LIMIT: '30' } }]]);
});

test('shows a refusal beside its field, and opens the form again with values and reason', needsBrowser, async (t) => {
  const { page, box, app } = await openPage(t, household);
  box.answers.set('POST /api/apps/wiki/settings', { status: 400, body: { error: 'TITLE holds a NUL' } });
  await choose(app('wiki'), 'Settings Wiki');
  const form = page.getByRole('dialog', { name: 'Settings of Wiki' });
  await form.getByLabel('Title').fill('Typed');
  await press(form, 'Save settings');
  const reason = form.locator('.field', { has: page.getByLabel('Title') }).getByText('refused: TITLE holds a NUL');
  await reason.waitFor();
  equal(await form.getByLabel('Title').inputValue(), 'Typed', 'the form stays open');
  await page.keyboard.press('Escape');
  await says(app('wiki'), /refused: TITLE holds a NUL/);
  await press(app('wiki'), 'Change and try again');
  equal(await form.getByLabel('Title').inputValue(), 'Typed');
  await reason.waitFor();
});

test('removes after a question that says what goes and what stays', needsBrowser, async (t) => {
  const { page, app } = await openPage(t, household);
  await choose(app('wiki'), 'Remove Wiki');
  const question = page.getByRole('dialog', { name: 'Remove Wiki?' });
  await question.getByText('Its settings and data are kept for 7 days').waitFor();
  await question.getByText('boxgate box trash restore wiki').waitFor();
  equal(await page.evaluate(() => document.activeElement?.textContent), 'Cancel');
  await press(question, 'Remove');
  await page.locator('#available-list [data-app=wiki]').waitFor();
  await page.locator('#app-available-wiki:focus').waitFor();
  await press(app('wiki'), 'Removed apps');
  await page.getByRole('dialog').getByText('boxgate box trash restore wiki').waitFor();
});

test('tells what is happening and for how long', needsBrowser, async (t) => {
  const { page, box, app } = await openPage(t, household);
  const coming = box.hold('POST /api/apps/wiki/update');
  await choose(app('wiki'), 'Update Wiki');
  const release = await coming;
  await app('wiki').getByText('… 2 s.').waitFor();
  await press(app('wiki'), 'Menu of Wiki');
  equal(await app('wiki').getByRole('button', { name: 'Remove Wiki' }).getAttribute('aria-disabled'), 'true');
  await app('wiki').getByRole('button', { name: 'Update Wiki' }).click({ force: true });
  release();
  await says(app('wiki'), /^Nothing newer/);
  equal(posted(box).length, 1, 'a press while it runs does nothing');
  match((await page.locator('#announcer').textContent()) ?? '', /Updating: Wiki[\s\S]*Wiki: Nothing newer/);
});

/** choice/box/160 */
test('works by keyboard alone', needsBrowser, async (t) => {
  const { page, app } = await openPage(t, household);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const reach = async (name: string) => {
    for (let presses = 0; presses < 60; presses += 1) {
      const focused = page.locator(':focus');
      if ((await focused.count()) === 1 && (await focused.getAttribute('aria-label')) === name) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`Tab never came to ${name}`);
  };
  await reach('Install Vault');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.type('Ours');
  await page.keyboard.press('Tab');
  await page.keyboard.type('a secret of mine');
  await page.keyboard.press('Enter');
  await says(app('vault'), /^Installed/);
  await reach('Menu of Vault');
  await page.keyboard.press('Enter');
  await reach('Remove Vault');
  await page.keyboard.press('Space');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  equal(await page.locator(':focus').getAttribute('aria-label'), 'Menu of Vault', 'the focus comes back');
});

/** choice/box/160 */
for (const width of [1280, 320]) {
  test(`is accessible and fits at ${width} pixels, with a form and a question open too`, needsBrowser, async (t) => {
    const { page, app, box } = await openPage(t, household, { viewport: { width, height: 800 } });
    await checkFit(page);
    const dialog = page.getByRole('dialog');
    await press(app('vault'), 'Install Vault');
    await press(dialog, 'Install');
    await checkFit(page);
    await press(dialog, 'Cancel');
    await choose(app('wiki'), 'Remove Wiki');
    await checkFit(page);
    await press(dialog, 'Cancel');
    box.answers.set('POST /api/apps/install', {
      status: 207,
      body: { installed: '/x', actions: [{ kind: 'error', target: 'feeds/web', detail: 'The port is taken.' }] },
    });
    await choose(app('wiki'), 'Repair with a reinstall that keeps its data Wiki');
    await says(app('feeds'), /port is taken/);
    await page.locator('#log > summary').click();
    await checkFit(page);
    await choose(app('feeds'), 'About Feeds');
    await dialog.getByText('Reads what others write.').waitFor();
    await checkFit(page);
    await press(dialog, 'Close');
    const small = await page.locator('button, a, summary, input, select').evaluateAll((all) =>
      all
        .filter((each) => each.checkVisibility() && !each.matches('.skip, .opener, p > a'))
        .filter((each) => Math.min(each.getBoundingClientRect().width, each.getBoundingClientRect().height) < 24)
        .map((each) => each.outerHTML),
    );
    deepEqual(small, [], 'every target has 24 pixels');
  });
}

/** choice/box/28, choice/box/242 */
test('addresses an app whatever its name, and its card has a name', needsBrowser, async (t) => {
  const name = 'Grüße 1';
  const { page, box, app } = await openPage(t, (stub) => {
    stub.installed = [{ ...stubApp(name, { has_settings: true }), ok: true }];
    stub.settings = { [name]: [stubSetting('TITLE', { label: 'Title' })] };
  });
  await page.getByRole('article', { name }).waitFor();
  await choose(app(name), `Settings ${name}`);
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Title').fill('x');
  await press(dialog, 'Save settings');
  await says(app(name), /\S/);
  await choose(app(name), `Update ${name}`);
  await says(app(name), /Nothing newer/);
  const path = '/api/apps/Gr%C3%BC%C3%9Fe%201';
  deepEqual(posted(box), [
    [`${path}/settings`, { settings: { TITLE: 'x' } }],
    [`${path}/update`, {}],
  ]);
});
