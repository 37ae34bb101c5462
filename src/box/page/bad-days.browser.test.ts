import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { accessibilityFaults, checkFit, needsBrowser, openPage, press, says } from './testing/browser.ts';
import { type StubBox, stubApp } from './testing/stub-server.ts';

function oneOfEach(box: StubBox): void {
  box.installed = [{ ...stubApp('wiki', { display_name: 'Wiki' }), ok: true }];
  box.bundled = [stubApp('vault', { display_name: 'Vault' })];
}

test('tells a dropped connection from a failure, and looks what became of an install', needsBrowser, async (t) => {
  const { page, box, app } = await openPage(t, oneOfEach);
  const coming = box.hold('POST /api/apps/install');
  await press(app('vault'), 'Install Vault');
  await press(page.getByRole('dialog'), 'Install');
  const release = await coming;
  box.isDown = true;
  box.answers.set('POST /api/apps/install', 'drop');
  release();
  await says(app('vault'), /connection to the box was lost.*looking/);
  await page.locator('#notice', { hasText: 'The box does not answer.' }).waitFor();
  equal(await app('wiki').count(), 1, 'what was loaded before is still there');
  box.installed.push({ ...stubApp('vault', { display_name: 'Vault' }), ok: true });
  box.isDown = false;
  await says(app('vault'), /was lost, but the app is installed now/);
  await page.locator('#notice').waitFor({ state: 'hidden' });
});

test('offers to load a list again that could not be loaded', needsBrowser, async (t) => {
  const { page, box, app } = await openPage(t, (box) => {
    oneOfEach(box);
    box.answers.set('GET /api/apps', { status: 500, body: { error: 'internal error (7f3a)' } });
  });
  await page.getByText('internal error (7f3a)').first().waitFor();
  await app('vault').waitFor();
  box.answers.clear();
  await press(page, 'Try again to load the list');
  await app('wiki').waitFor();
});

/** Rules for bare elements, such as the style sheet of a site around the page may contain. */
const foreignStyle = `
  body { background: #fff; color: #222; font-size: 12px; display: flex; max-width: 40em }
  button { width: 100%; text-transform: uppercase; background: #fee; color: #333; margin: 20px }
  input, select { width: 400px; background: #fff; color: #000 } main { max-width: 300px; padding: 50px }
  h1, h2, h3 { color: #111; text-align: center } a { color: #00c } ul { list-style: square; padding-left: 60px }
  section { background: #eee; padding: 30px } dialog { background: #fff; color: #000 } p { color: #444 }
  li { background: #ddd; margin: 10px } article { border: 3px solid } header { position: fixed }
  .card { background: #fff; color: #000 } .status, .icon { display: none } nav { display: none }`;

/** choice/box/150 */
for (const [name, style] of [
  ['without the shared style sheet', null],
  ['with a shared style sheet that has other ideas', foreignStyle],
] as const) {
  test(`is legible ${name}`, needsBrowser, async (t) => {
    const { page, app } = await openPage(t, (box) => {
      oneOfEach(box);
      box.styleSheet = style;
    });
    await checkFit(page);
    const width = await app('wiki').evaluate((card) => card.getBoundingClientRect().width);
    ok(width > 270 && width < 700, `the card is ${width} pixels wide`);
    equal(await page.getByRole('link', { name: 'boxgate' }).isVisible(), true);
    await press(app('vault'), 'Install Vault');
    deepEqual(await accessibilityFaults(page), []);
  });
}

test('no name turns the words behind it around', needsBrowser, async (t) => {
  const title = 'Wiki\u202egnp.\u2066';
  const { page } = await openPage(t, (box) => {
    box.installed = [{ ...stubApp('wiki', { display_name: title, description: title, version: title }), ok: true }];
    box.answers.set('POST /api/apps/wiki/update', { status: 502, body: { error: `no ${title}` } });
  });
  await page.getByRole('button', { name: /^Menu of Wiki/ }).click();
  await page.getByRole('button', { name: /^Update Wiki/ }).click();
  await page
    .getByText(/^Update failed: no Wiki/)
    .first()
    .waitFor();
  const text = (await page.locator('body').textContent()) ?? '';
  ok(text.includes('Wiki\\u{202e}gnp.\\u{2066}'));
  equal(/[\u202a-\u202e\u2066-\u2069]/.test(text), false);
});
