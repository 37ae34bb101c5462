import { deepEqual, equal, notEqual, ok } from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { AppState } from './api.js';
import { stateWords } from './apps/app-state.js';
import { accessibilityFaults, needsBrowser, openPage, overflow, press, says } from './testing/browser.ts';
import { type Live, type StubBox, stubApp, stubSetting } from './testing/stub-server.ts';

const states = Object.keys(stateWords) as AppState[];
const logLines = Array.from({ length: 12 }, (_, index) => `2026-11-23T07:10:${10 + index} cannot open the database`);

/** An app in each state, named after it. */
function oneInEachState(box: StubBox): void {
  box.installed = states.map((state) => ({
    ...stubApp(state, { has_settings: true, ports: [8080] }),
    ok: true,
    state,
    state_detail: state === 'not_started' ? 'Its .env still has placeholder values for KEY.' : `So it is: ${state}.`,
    ...(state === 'running' ? {} : { open_ports: [] }),
  }));
  const key = stubSetting('KEY', { label: 'Key', type: 'password' });
  box.settings = { not_started: [stubSetting('TITLE', { label: 'Title' }), key] };
}

const runs = (name: string) => ({ ...stubApp(name, { ports: [8080] }), ok: true as const });

function change(box: StubBox, name: string, more: Partial<Live>): void {
  box.installed = box.installed.map((app) => (app.name === name ? { ...app, ...more } : app));
}

function endOperations(box: StubBox): void {
  for (const app of [...box.installed, ...box.bundled]) delete app.operation;
}

const pulling = (bytes: number) => ({
  kind: 'install' as const,
  since: '2026-11-25T07:44:50Z',
  step: 'pulling' as const,
  ...{ bytes, bytes_total: 80_000_000, layers: 1, layers_total: 7 },
});

/**
 * Waits until the page has requested the installed apps `count` more times. It has then shown all answers but the
 * last.
 */
async function looks(page: Page, count: number): Promise<void> {
  for (let look = 0; look < count; look += 1) {
    await page.waitForResponse((response) => response.url().endsWith('/api/apps'));
  }
}

const announced = (page: Page) => page.locator('#announcer p').allTextContents();

test('shows the state of each installed app in words, and follows it without a reload', needsBrowser, async (t) => {
  const { box, app } = await openPage(t, oneInEachState);
  for (const state of states) {
    const text = (await app(state).locator('.state').textContent()) ?? '';
    equal(text.trim(), `${stateWords[state].sign} ${stateWords[state].word}`);
    const detail = app(state).getByText(state === 'not_started' ? /^Its \.env/ : /^So it is/);
    equal(await detail.isVisible(), state !== 'running', 'a tile that runs says no more');
  }
  const open_ports = [{ port: 5233, label: '' }];
  const public_urls = ['https://notes.example.test'];
  change(box, 'stopped', { state: 'running', state_detail: 'Running again.', open_ports, public_urls });
  const address = app('stopped').getByRole('link', { name: 'Public at notes.example.test' });
  equal(await address.getAttribute('href'), 'https://notes.example.test');
  const link = app('stopped').getByRole('link', { name: 'Open stopped in a new tab' });
  equal(await link.getAttribute('href'), 'http://127.0.0.1:5233/');
  equal(await app('unhealthy').getByRole('link').count(), 0);
  change(box, 'stopped', { open_ports: [{ port: 5233, label: '', loopback: true }] });
  change(box, 'unhealthy', { state: 'running', public_urls });
  await app('unhealthy').getByRole('link', { name: 'Open unhealthy in a new tab' }).waitFor();
});

test('a failed app has its reason over the full width, and tiles have one height', needsBrowser, async (t) => {
  const { page, box, app } = await openPage(t, (stub) => {
    stub.installed = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ ...stubApp(name, { ports: [8080] }), ok: true }));
  });
  const sizes = () =>
    page.locator('#installed-list > li').evaluateAll((all) =>
      all.map((one) => {
        const { width, height } = one.getBoundingClientRect();
        return [Math.round(width), Math.round(height)] as const;
      }),
    );
  const before = await sizes();
  equal(new Set(before.map(String)).size, 1);
  change(box, 'c', { state: 'restarting', state_detail: 'It ended with exit code 3.' });
  await app('c').getByText('It ended with exit code 3.').waitFor();
  const [width = 0] = (await sizes())[2] ?? [];
  const list = (await page.locator('#installed-list').boundingBox())?.width ?? 0;
  equal(width, Math.round(list));
  const text = (await app('c').innerText()).toLowerCase();
  equal(text.split('restart').length - 1, 1, text);
  const [d, before3] = [await app('d').boundingBox(), await app('b').boundingBox()];
  equal(d?.y, before3?.y, 'the next tile fills the hole');
});

test('a long success has the border of a success, and a failed app not', needsBrowser, async (t) => {
  const { box, app } = await openPage(t, (stub) => {
    stub.installed = [runs('notes'), runs('feeds')];
  });
  const border = (name: string) => app(name).evaluate((card) => getComputedStyle(card).borderTopColor);
  const plain = await border('notes');
  const warning = { kind: 'warn', target: 'notes', detail: 'nothing sets TOKEN' };
  box.answers.set('POST /api/apps/install', { status: 200, body: { installed: '/apps/notes', actions: [warning] } });
  await press(app('notes'), 'Reinstall notes');
  await app('notes').getByText('Note: nothing sets TOKEN.').waitFor();
  box.answers.set('POST /api/apps/feeds/update', { status: 502, body: { error: 'it does not stay up' } });
  await press(app('feeds'), 'Update feeds');
  await says(app('feeds'), /^Update failed/);
  const parts = async (name: string) => (await border(name)).match(/[\d.]+/g)?.map(Number) ?? [];
  const [good, bad] = [await parts('notes'), await parts('feeds')];
  notEqual(await border('notes'), plain);
  ok(Number(good[1]) > Number(good[0]), `green: ${good}`);
  ok(Number(bad[0]) > Number(bad[1]), `red: ${bad}`);
});

test('an empty box welcomes, with apps to begin with', needsBrowser, async (t) => {
  const { page, box, app } = await openPage(t, (stub) => {
    stub.bundled = ['zebra', 'memos', 'apple', 'banana', 'cherry'].map((name) => stubApp(name));
  });
  await page.getByRole('heading', { name: 'Welcome to your box' }).waitFor();
  deepEqual(await page.locator('#first-list h3').allTextContents(), ['memos', 'apple', 'banana']);
  deepEqual(await page.locator('#available-list h3').allTextContents(), ['cherry', 'zebra']);
  deepEqual(await accessibilityFaults(page), []);
  box.installed = [{ ...stubApp('memos'), ok: true }];
  await app('memos').getByText('Running').waitFor();
  equal(await page.getByText('Welcome to your box').isVisible(), false);
  deepEqual(await page.locator('#available-list h3').allTextContents(), ['apple', 'banana', 'cherry', 'zebra']);
});

test('filters twelve apps by their kind', needsBrowser, async (t) => {
  const { page } = await openPage(t, (stub) => {
    stub.bundled = Array.from({ length: 11 }, (_, index) =>
      stubApp(`app-${index}`, { category: index < 2 ? 'Media' : 'Files' }),
    );
    stub.installed = [{ ...stubApp('wiki', { category: 'Media' }), ok: true }];
  });
  await page.getByRole('group', { name: 'Kind of app' }).getByLabel('Media 3').check();
  await page.getByText('3 of 12 apps match.').waitFor();
  deepEqual(await page.locator('.card h3:visible').allTextContents(), ['wiki', 'app-0', 'app-1']);
});

test('leads to the room of an installed app where the console answers', needsBrowser, async (t) => {
  const { page, box, app } = await openPage(t, oneInEachState);
  const room = page.getByRole('dialog').getByRole('link', { name: /^Log, data, backups/ });
  for (const [reply, isThere] of [
    [{ status: 404, html: '<h1>Not found</h1>' }, false],
    [{ status: 200, html: '<h1>Settings of another program</h1>' }, false],
    [{ status: 200, body: { doing: '', result: null } }, true],
  ] as const) {
    box.answers.set('GET /settings/api/follow/box', reply);
    const answered = page.waitForResponse((response) => response.url().endsWith('/settings/api/follow/box'));
    await press(app('running'), 'About running');
    await answered;
    if (isThere) equal(await room.getAttribute('href'), '/settings/#/apps/running');
    else equal(await room.count(), 0);
    await press(page.getByRole('dialog'), 'Close');
  }
});

test('touches nothing of 300 apps while nothing changes, and one card when one app does', needsBrowser, async (t) => {
  const { page, box, app } = await openPage(t, (stub) => {
    stub.installed = Array.from({ length: 300 }, (_, index) => ({
      ...stubApp(`app-${index}`, { ports: [8000 + index], description_long: 'More.' }),
      ok: true as const,
    }));
  });
  await app('app-250').getByRole('button', { name: 'Update app-250' }).focus();
  await page.evaluate(() => {
    const touched: string[] = [];
    Object.assign(globalThis, { touched });
    new MutationObserver((records) => {
      for (const { target } of records) {
        const from = target instanceof Element ? target : target.parentElement;
        touched.push(from?.closest('[data-app]')?.getAttribute('data-app') ?? from?.outerHTML ?? '');
      }
    }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  });
  const touched = () => page.evaluate(() => [...new Set(Reflect.get(globalThis, 'touched') as string[])]);
  // Cards that came into sight are laid out first.
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  const before = await page.evaluate(() => scrollY);
  await looks(page, 4);
  deepEqual(await touched(), []);
  change(box, 'app-250', { state: 'starting', state_detail: 'It was started.' });
  await app('app-250').getByText('It was started.').waitFor();
  deepEqual(await touched(), ['app-250']);
  change(box, 'app-250', { operation: pulling(40_000_000) });
  await app('app-250').getByText('Pulling 40 of 80 MB').waitFor();
  deepEqual(
    (await touched()).map((one) => one.replace(/ hidden=""/, '').slice(0, 18)),
    ['app-250', '<p id="under-way">'],
  );
  equal(await page.locator(':focus').getAttribute('aria-label'), 'Update app-250');
  equal(await page.evaluate(() => scrollY), before);
});

test('writes times, sizes and seconds as the language of the browser does', needsBrowser, async (t) => {
  const german = { locale: 'de-DE', timezoneId: 'UTC' };
  const { box, app } = await openPage(t, oneInEachState, german);
  const text = 'Version 1.2.3 wrote 1.2 GB in 0.4 s until 2026-11-21 10:32 UTC.';
  change(box, 'stopped', { state_detail: text });
  await app('stopped').getByText('Version 1.2.3 wrote 1,2 GB in 0,4 s until 21.11.2026, 10:32.').waitFor();
});

test('keeps what is typed into a form, and tells of changes once', needsBrowser, async (t) => {
  const { page, box, app } = await openPage(t, oneInEachState);
  await press(app('not_started'), 'Settings not_started');
  const title = page.getByRole('dialog').getByLabel('Title');
  await title.fill('Half a');
  change(box, 'running', { state: 'restarting', state_detail: 'It ended with exit code 3.' });
  await page.locator('#announcer p', { hasText: 'running: Keeps restarting' }).waitFor();
  for (const [state, restart] of [
    ['starting', 4],
    ['restarting', 5],
  ] as const) {
    change(box, 'running', { state, state_detail: `Restart ${restart}.` });
    await app('running').getByText(`Restart ${restart}.`).waitFor({ state: 'attached' });
  }
  change(box, 'running', { state: 'running', state_detail: 'Running since now.' });
  await page.locator('#announcer p', { hasText: 'Running again: running.' }).waitFor();
  deepEqual(await announced(page), [
    'running: Keeps restarting. It ended with exit code 3.',
    'Running again: running.',
  ]);
  equal(await title.inputValue(), 'Half a');
});

test('starts an app that stopped, and leaves the focus at its card', needsBrowser, async (t) => {
  const { page, box, app } = await openPage(t, oneInEachState);
  const answered = box.hold('POST /api/apps/stopped/settings');
  await app('stopped').getByRole('button', { name: 'Start stopped' }).press('Enter');
  const release = await answered;
  change(box, 'stopped', { state: 'running', state_detail: 'Running since now.' });
  await page.locator('#app-installed-stopped:focus').waitFor();
  await app('stopped').getByText('Starting').waitFor();
  release();
  await says(app('stopped'), /^Started/);
  const [start] = box.requests.filter(({ method }) => method === 'POST');
  deepEqual(start, { method: 'POST', path: '/api/apps/stopped/settings', body: { settings: {} } });
});

test('leads to the setting that keeps an app from starting', needsBrowser, async (t) => {
  const { page, app } = await openPage(t, oneInEachState);
  await press(app('not_started'), 'Settings not_started');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('This is still the placeholder of the example.').waitFor();
  equal(await page.evaluate(() => document.activeElement?.getAttribute('name')), 'KEY');
  await page.keyboard.press('Escape');
  await app('restarting').getByText('docker compose logs').waitFor();
});

test('says once that Docker is down, with the reason, and when it answers again', needsBrowser, async (t) => {
  const { page, box, app } = await openPage(t, oneInEachState);
  const reason = '; is it running? (Cannot connect to the Docker daemon.)';
  const { installed } = box;
  box.installed = installed.map((each) => ({
    ...each,
    state: 'unknown',
    state_detail: `Docker does not answer${reason}`,
  }));
  await page.locator('#notice', { hasText: `Docker does not answer${reason}` }).waitFor();
  await page.getByText('systemctl status docker').first().waitFor();
  equal(await page.locator('.card').getByText('is it running?').filter({ visible: true }).count(), 0);
  await looks(page, 2);
  deepEqual((await announced(page)).length, 1);
  await press(app('stopped'), 'Update stopped');
  await says(app('stopped'), /^Nothing newer/);
  box.installed = installed;
  await page.locator('#notice').waitFor({ state: 'hidden' });
  await page.locator('#announcer p', { hasText: 'the box is well again' }).waitFor();
});

for (const width of [1280, 375]) {
  test(`shows a change that another page asked for, at ${width} pixels`, needsBrowser, async (t) => {
    const options = { viewport: { width, height: 800 } };
    const { page, box, app } = await openPage(
      t,
      (stub) => {
        oneInEachState(stub);
        stub.bundled = [{ ...stubApp('next'), operation: { ...pulling(0), step: 'waiting' } }];
      },
      options,
    );
    const card = app('not_started');
    change(box, 'not_started', { operation: pulling(12_000_000), state_detail: 'Not started yet.' });
    await card.getByText('Pulling 12 of 80 MB').waitFor();
    const bar = card.getByRole('progressbar', { name: 'Pulled for not_started' });
    equal(await bar.evaluate((node: HTMLProgressElement) => node.position), 12 / 80);
    await app('next').getByText('Waiting for its turn').waitFor();
    const note = 'not_started: installing. Until that is done, every other change waits. 1 change waits already.';
    await page.getByText(note).waitFor();
    equal(await card.getByRole('button', { name: 'Start not_started' }).count(), 0);
    equal(await card.getByRole('button', { name: 'Remove not_started' }).getAttribute('aria-disabled'), 'true');
    await card.getByRole('button', { name: 'Remove not_started' }).press('Enter');
    equal(await page.getByRole('dialog').count(), 0);
    const other = app('running').getByRole('button', { name: 'Remove running' });
    equal(await other.getAttribute('aria-disabled'), 'false');
    equal(await other.getAttribute('aria-describedby'), await page.getByText(note).getAttribute('id'));
    deepEqual(await accessibilityFaults(page), []);
    equal(await overflow(page), 0);
    await page.reload();
    await card.getByText('Pulling 12 of 80 MB').waitFor();
    endOperations(box);
    change(box, 'not_started', { state: 'running', state_detail: 'Running since now.' });
    await card.locator('.state.running').waitFor();
    await page.locator('#under-way').waitFor({ state: 'hidden' });
    equal(await bar.count(), 0);
  });
}

/** choice/box/160 */
for (const width of [1280, 320]) {
  test(`shows why an app did not come up, fits and is accessible at ${width} pixels`, needsBrowser, async (t) => {
    const { page, box, app } = await openPage(t, oneInEachState, { viewport: { width, height: 800 } });
    const detail = ['the container x-web-1 ended with status 3. Its last lines:', ...logLines].join('\n');
    const actions = [
      { kind: 'write_env', target: 'restarting', detail: '.env written: the submitted settings merged in' },
      { kind: 'error', target: 'restarting/web', detail },
      { kind: 'error', target: 'stopped', detail: 'The image cannot be pulled.' },
    ];
    box.answers.set('POST /api/apps/restarting/settings', { status: 207, body: { updated: 'restarting', actions } });
    await press(app('restarting'), 'Settings restarting');
    await press(page.getByRole('dialog'), 'Save settings');
    await says(app('restarting'), /but this app did not come up: the container x-web-1 ended with status 3/);
    equal(await app('restarting').locator('.output').textContent(), logLines.join('\n'));
    await app('restarting').getByText('run boxgate box settings undo restarting on the box').waitFor();
    await app('restarting').getByText('Trouble with another app: stopped.').waitFor();
    await says(app('stopped'), /The image cannot be pulled/);
    deepEqual(await accessibilityFaults(page), []);
    equal(await overflow(page), 0);
    // The status of an operation disappears once the app runs.
    change(box, 'stopped', { state: 'running', state_detail: 'Running since now.' });
    await app('stopped').locator('div.status').waitFor({ state: 'hidden' });
  });
}
