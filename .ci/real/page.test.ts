import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { type AppFiles, type Box, startBox } from './box.ts';
import { container, containers, docker, environment, forget, imageId, volumes } from './docker.ts';
import { moveTag, newTag, registry } from './registry.ts';
import { required } from './required.ts';
import { freePort } from './server-process.ts';
import { pageAt } from './until.ts';

const shots = join(required('BOXGATE_ARTEFACTS'), 'page');
const home = mkdtempSync(join(required('BOXGATE_REAL'), 'browser-'));
mkdirSync(shots, { recursive: true });

let launched: Promise<Browser> | undefined;
const browser = () => {
  launched ??= chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox'],
    env: { ...process.env, HOME: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home, TMPDIR: home },
  });
  return launched;
};
after(async () => (await launched)?.close());

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><defs><linearGradient id="g"><stop stop-color="#4ade80"/><stop offset="1" stop-color="#0ea5e9"/></linearGradient></defs><rect x="2" y="2" width="20" height="20" rx="6" fill="url(#g)"/><path d="M7 13l3 3 7-8" stroke="#0b1220" stroke-width="2.5" fill="none"/></svg>`;

function noteApp(name: string, tag: string, port: number): AppFiles {
  return {
    compose: `
services:
  web:
    image: "${registry}/web:${tag}"
    env_file: .env
    ports: ["127.0.0.1:${port}:8080"]
    volumes: ["notes:/data"]
volumes: { notes: {} }
`,
    manifest: {
      display_name: 'Garden notes',
      description: 'Short notes, kept on your own box.',
      description_long: 'Write short notes and find them again. They stay in a volume of their own.',
      icon: 'icon.svg',
      ports: [{ port, label: 'Web' }],
      settings: [
        {
          name: 'TITLE',
          label: 'Title',
          description: 'Shown above the notes.',
          type: 'text',
          required: true,
        },
        { name: 'ADMIN_PASSWORD', label: 'Administrator password', type: 'password', required: true },
        { name: 'LIMIT', label: 'Notes a page', type: 'number', default: '20' },
      ],
    },
    files: { 'icon.svg': icon, '.env.example': `# ${name}\nTITLE=\nADMIN_PASSWORD=change-me\nLIMIT=20\n` },
  };
}

type Screen = {
  box: Box;
  page: Page;
  card: Locator;
  shot: (name: string) => Promise<void>;
};

async function openPage(
  t: TestContext,
  box: Box,
  app: string,
  width: number,
  height: number,
): Promise<Screen> {
  const context = await (await browser()).newContext({ viewport: { width, height }, isMobile: width < 500 });
  t.after(() => context.close());
  const page = await context.newPage();
  const faults: string[] = [];
  let isLookedAt = false;
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    // Refusals and a stopped server are in the console too; they belong to the story. The style that a screenshot
    // or axe tries to add is refused, as it should be.
    if (!isLookedAt && /Content Security Policy|Trusted/.test(message.text())) faults.push(message.text());
  });
  t.after(() => assert.deepEqual(faults, [], 'the browser had nothing to complain about'));
  await page.goto(`${box.url}/apps`);
  let count = 0;
  const shot = async (name: string) => {
    count += 1;
    isLookedAt = true;
    await page.screenshot({
      path: join(shots, `${width}-${count}-${name}.png`),
      fullPage: (await page.getByRole('dialog').count()) === 0,
      caret: 'initial',
    });
    await accessible(page, name);
    isLookedAt = false;
    const overflow = await page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    assert.equal(overflow, 0, `${name}: nothing sticks out at ${width} pixels`);
  };
  return { box, page, card: page.locator(`[data-app="${app}"]`), shot };
}

async function accessible(page: Page, name: string): Promise<void> {
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
  const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze();
  const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`);
  assert.deepEqual(told, [], name);
}

const press = (from: Locator | Page, name: string) => from.getByRole('button', { name, exact: true }).click();
const says = (card: Locator, text: RegExp) =>
  card.locator('.status-text').filter({ hasText: text }).waitFor({ timeout: 60_000 });

for (const [width, height] of [
  [1280, 900],
  [375, 812],
] as const) {
  test(`an owner installs, sets, updates, reinstalls and removes an app at ${width} pixels`, async (t) => {
    const name = `real-page-${width}`;
    const tag = newTag(`page-${width}`);
    const port = await freePort();
    await moveTag(tag, '1');
    const box = await startBox(t, {
      [name]: noteApp(name, tag, port),
      'real-page-other': {
        compose: `services: { web: { image: "${registry}/web:3" } }`,
        manifest: { display_name: 'Other' },
      },
    });
    t.after(() => forget([name]));
    const screen = await openPage(t, box, name, width, height);
    const { page, card, shot } = screen;
    await page.getByText('no authentication').waitFor();
    await card.getByRole('button', { name: 'Install Garden notes' }).waitFor();
    await shot('available');

    await press(card, 'Install Garden notes');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Title').fill('Beans & "peas" $5');
    const password = dialog.getByRole('textbox', { name: 'Administrator password' });
    await press(dialog, 'Generate a password for Administrator password');
    const secret = await password.inputValue();
    assert.ok(secret.length >= 16);
    await shot('install-form');
    await press(dialog, 'Install');
    await says(card, /^Installed/);
    await shot('installed');
    const web = container(name, 'web');
    const seen = environment(web.id);
    assert.deepEqual(
      [seen.get('TITLE'), seen.get('ADMIN_PASSWORD'), seen.get('LIMIT')],
      ['Beans & "peas" $5', secret, '20'],
    );
    assert.ok(!(await page.content()).includes(secret), 'the password is nowhere in the page');

    const link = card.getByRole('link', { name: /^Open Garden notes/ });
    const address = new URL((await link.getAttribute('href')) ?? '');
    assert.equal(address.port, String(port));
    assert.equal(await pageAt(address), 'web 1\n');
    docker('exec', web.id, 'sh', '-c', 'echo kept >/data/note');

    await press(card, 'Settings Garden notes');
    await dialog.getByLabel('Notes a page').waitFor();
    assert.equal(await password.inputValue(), '', 'a password is never shown again');
    await dialog.getByLabel('Notes a page').fill('50');
    await shot('settings-form');
    await press(dialog, 'Save settings');
    await says(card, /^Settings saved/);
    const changed = environment(container(name, 'web').id);
    assert.deepEqual([changed.get('LIMIT'), changed.get('ADMIN_PASSWORD')], ['50', secret]);

    await moveTag(tag, '2');
    await press(card, 'Update Garden notes');
    await says(card, /^Updated/);
    await shot('updated');
    assert.equal(container(name, 'web').image, imageId(`${registry}/web:${tag}`));
    assert.equal(await pageAt(address), 'web 2\n');
    await press(card, 'Update Garden notes');
    await says(card, /^Nothing newer/);

    const { id } = container(name, 'web');
    await press(card, 'Reinstall Garden notes');
    await says(card, /^Reinstalled/);
    assert.equal(container(name, 'web').id, id, 'nothing changed, so the container is the same');

    await press(card, 'Remove Garden notes');
    await dialog.getByText('Stays').waitFor();
    await shot('remove-question');
    await page.keyboard.press('Escape');
    assert.equal(containers(name).length, 1, 'Escape removes nothing');
    await press(card, 'Remove Garden notes');
    await press(dialog, 'Remove');
    await card.getByRole('button', { name: 'Install Garden notes' }).waitFor();
    await shot('removed');
    assert.deepEqual(containers(name), []);
    assert.deepEqual(volumes(name), [`${name}_notes`]);
  });
}

test('what goes wrong is told on the card: a refusal, an app that does not come up, a stopped server', async (t) => {
  const box = await startBox(t, {
    'real-page-refused': {
      compose: `services: { web: { image: "${registry}/web:1" } }`,
      manifest: { display_name: 'Vault', settings: [{ name: 'KEY', label: 'Key', type: 'text' }] },
      files: { '.env.example': 'KEY=change-me\n' },
    },
    'real-page-absent': {
      compose: `services: { web: { image: "${registry}/web:absent" } }`,
      manifest: { display_name: 'Absent' },
    },
  });
  const { page, shot } = await openPage(t, box, 'real-page-refused', 1280, 900);
  const dialog = page.getByRole('dialog');
  const vault = page.locator('[data-app="real-page-refused"]');
  const absent = page.locator('[data-app="real-page-absent"]');
  await press(vault, 'Install Vault');
  await press(dialog, 'Install');
  await says(vault, /refused.*KEY/);
  await press(absent, 'Install Absent');
  await press(dialog, 'Install');
  await says(absent, /did not come up/);
  await shot('trouble');
  assert.deepEqual(containers('real-page-refused'), []);

  await box.stop();
  await press(absent, 'Update Absent');
  await says(absent, /connection|reach|answer/i);
});
