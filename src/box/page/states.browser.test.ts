import { deepEqual, equal, notEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { AppState } from './api.js';
import { stateWords } from './apps/app-state.js';
import {
  accessibilityFaults,
  checkFit,
  choose,
  needsBrowser,
  openPage,
  overflow,
  press,
  says,
} from './testing/browser.ts';
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
    const details = app(state).locator('.words summary');
    equal(await details.isVisible(), !['running', 'starting'].includes(state), 'a tile that runs says no more');
    if (await details.isVisible()) await details.click();
    const found = app(state).getByText(state === 'not_started' ? /^Its \.env/ : /^So it is/);
    equal(await found.isVisible(), await details.isVisible());
  }
  await app('restarting').getByText('It stops after every start.').waitFor();
  const open_ports = [{ port: 5233, label: '' }];
  const public_urls = ['https://notes.example.test'];
  change(box, 'stopped', { state: 'running', state_detail: 'Running again.', open_ports, public_urls });
  const address = app('stopped').getByRole('link', { name: 'Public at notes.example.test' });
  equal(await address.getAttribute('href'), 'https://notes.example.test');
  const link = app('stopped').getByRole('link', { name: 'stopped', exact: true });
  equal(await link.getAttribute('href'), 'http://127.0.0.1:5233/');
  equal(await app('unhealthy').getByRole('link').count(), 0);
  await app('unhealthy').getByText('It runs, but not as it should.').waitFor();
  change(box, 'stopped', { open_ports: [{ port: 5233, label: '', loopback: true }] });
  change(box, 'unhealthy', { state: 'running', public_urls });
  await app('unhealthy').getByRole('link', { name: 'unhealthy', exact: true }).waitFor();
});

test('a failed app has the size of the others, and a long result the full width', needsBrowser, async (t) => {
  const { page, box, app } = await openPage(t, (stub) => {
    stub.installed = ['a', 'b', 'c', 'd', 'e'].map(runs);
  });
  const widthOf = async (name: string) => Math.round((await app(name).boundingBox())?.width ?? 0);
  change(box, 'c', { state: 'restarting', state_detail: 'It ended with exit code 3.' });
  await app('c').getByText('It stops after every start.').waitFor();
  equal(await widthOf('c'), await widthOf('a'));
  await app('c').locator('.words summary').click();
  await app('c').getByText('It ended with exit code 3.').waitFor();
  box.answers.set('POST /api/apps/b/update', { status: 502, body: { error: 'it does not stay up' } });
  await choose(app('b'), 'Update b');
  await says(app('b'), /^Update failed/);
  const list = (await page.locator('#installed-list').boundingBox())?.width ?? 0;
  equal(await widthOf('b'), Math.round(list));
});

test('a success with more to say looks like any tile, and a failed app not', needsBrowser, async (t) => {
  const { box, app } = await openPage(t, (stub) => {
    stub.installed = [runs('notes'), runs('feeds'), runs('wiki')];
  });
  const look = (name: string) =>
    app(name).evaluate((card) => [getComputedStyle(card).borderTopColor, card.getBoundingClientRect().width].join());
  const warning = { kind: 'warn', target: 'notes', detail: 'nothing sets TOKEN' };
  box.answers.set('POST /api/apps/install', { status: 200, body: { installed: '/apps/notes', actions: [warning] } });
  await choose(app('notes'), 'Repair with a reinstall that keeps its data notes');
  await app('notes').getByText('Note: nothing sets TOKEN.').waitFor();
  box.answers.set('POST /api/apps/feeds/update', { status: 502, body: { error: 'it does not stay up' } });
  await choose(app('feeds'), 'Update feeds');
  await says(app('feeds'), /^Update failed/);
  await app('wiki').hover();
  equal(await look('notes'), await look('notes'));
  notEqual(await look('feeds'), await look('notes'));
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
  const rows = [
    { text: 'other', facts: ['1.0 GB of data'] },
    { text: 'running', facts: ['99 MB of memory, 2 % of one processor', '1.5 GB of data'] },
  ];
  box.answers.set('GET /settings/api/rooms/use', { status: 200, body: { title: 'Use', sections: [{ rows }] } });
  for (const [reply, isThere] of [
    [{ status: 404, html: '<h1>Not found</h1>' }, false],
    [{ status: 200, html: '<h1>Settings of another program</h1>' }, false],
    [{ status: 200, body: { ok: true, text: '' } }, true],
  ] as const) {
    box.answers.set('GET /settings/api/follow/box', reply);
    const answered = page.waitForResponse((response) => response.url().endsWith('/settings/api/follow/box'));
    await choose(app('running'), 'About running');
    await answered;
    if (isThere) {
      equal(await room.getAttribute('href'), '/settings/#/apps/running');
      await page.getByText('99 MB of memory, 2 % of one processor; 1.5 GB of data').waitFor();
    } else equal(await room.count(), 0);
    await press(page.getByRole('dialog'), 'Close');
  }
});

/** choice/box/158 */
test('touches nothing of 300 apps while nothing changes, and one card when one app does', needsBrowser, async (t) => {
  const { page, box, app } = await openPage(t, (stub) => {
    stub.installed = Array.from({ length: 300 }, (_, index) => ({
      ...stubApp(`app-${index}`, { ports: [8000 + index], description_long: 'More.' }),
      ok: true as const,
    }));
  });
  await app('app-250').getByRole('button', { name: 'Menu of app-250' }).focus();
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
  await app('app-250').locator('.state.starting').waitFor();
  deepEqual(await touched(), ['app-250']);
  change(box, 'app-250', { operation: pulling(40_000_000) });
  await app('app-250').getByText('Downloading 40 of 80 MB').waitFor();
  deepEqual(
    (await touched()).map((one) => one.replace(/ hidden=""/, '').slice(0, 18)),
    ['app-250', '<p id="under-way">'],
  );
  equal(await page.evaluate(() => scrollY), before);
  box.installed = box.installed.filter(({ name }) => name !== 'app-3');
  await page.locator('#installed-count', { hasText: '299' }).waitFor();
  equal(await page.locator(':focus').getAttribute('aria-label'), 'Menu of app-250');
});

test('writes times, sizes and seconds as the language of the browser does', needsBrowser, async (t) => {
  const german = { locale: 'de-DE', timezoneId: 'UTC' };
  const { box, app } = await openPage(t, oneInEachState, german);
  const text = 'Version 1.2.3 wrote 1.2 GB in 0.4 s until 2026-11-21 10:32 UTC.';
  change(box, 'stopped', { state_detail: text });
  await app('stopped').locator('.words summary').click();
  await app('stopped').getByText('Version 1.2.3 wrote 1,2 GB in 0,4 s until 21.11.2026, 10:32.').waitFor();
});

test('keeps what is typed into a form, and tells of changes once', needsBrowser, async (t) => {
  const { page, box, app } = await openPage(t, oneInEachState);
  await press(app('not_started'), 'Settings not_started');
  const title = page.getByRole('dialog').getByLabel('Title');
  await title.fill('Half a');
  change(box, 'running', { state: 'restarting', state_detail: 'It ended with exit code 3.' });
  await page.locator('#announcer p', { hasText: 'running: Keeps restarting' }).waitFor();
  for (const state of ['starting', 'restarting'] as const) {
    change(box, 'running', { state, state_detail: 'Again.' });
    await app('running').locator(`.state.${state}`).waitFor();
  }
  change(box, 'running', { state: 'running', state_detail: 'Running since now.' });
  await page.locator('#announcer p', { hasText: 'Running again: running.' }).waitFor();
  deepEqual(await announced(page), [
    'running: Keeps restarting. It stops after every start. See its log.',
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
  await press(app('restarting'), 'Log restarting');
  await dialog.getByText('boxgate box logs restarting').waitFor();
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
  await choose(app('stopped'), 'Update stopped');
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
    await card.getByText('Downloading 12 of 80 MB').waitFor();
    const bar = card.getByRole('progressbar', { name: 'Pulled for not_started' });
    equal(await bar.evaluate((node: HTMLProgressElement) => node.position), 12 / 80);
    await app('next').getByText('Waiting for its turn').waitFor();
    const note = 'not_started: installing. Until that is done, every other change waits. 1 change waits already.';
    await page.getByText(note).waitFor();
    equal(await card.getByRole('button', { name: 'Start not_started' }).count(), 0);
    await press(card, 'Menu of not_started');
    equal(await card.getByRole('button', { name: 'Remove not_started' }).getAttribute('aria-disabled'), 'true');
    await card.getByRole('button', { name: 'Remove not_started' }).press('Enter');
    equal(await page.getByRole('dialog').count(), 0);
    await page.keyboard.press('Escape');
    await press(app('running'), 'Menu of running');
    const other = app('running').getByRole('button', { name: 'Remove running' });
    equal(await other.getAttribute('aria-disabled'), 'false');
    equal(await other.getAttribute('aria-describedby'), await page.getByText(note).getAttribute('id'));
    deepEqual(await accessibilityFaults(page), []);
    await page.keyboard.press('Escape');
    equal(await overflow(page), 0);
    await page.reload();
    await card.getByText('Downloading 12 of 80 MB').waitFor();
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
    const detail = ['x-web-1 ended with status 3. Its last lines:', ...logLines].join('\n');
    const actions = [
      { kind: 'write_env', target: 'restarting', detail: '.env written: the submitted settings merged in' },
      { kind: 'error', target: 'restarting/web', detail },
      { kind: 'error', target: 'stopped', detail: 'The image cannot be pulled.' },
    ];
    box.answers.set('POST /api/apps/restarting/settings', { status: 207, body: { updated: 'restarting', actions } });
    await choose(app('restarting'), 'Settings restarting');
    await press(page.getByRole('dialog'), 'Save settings');
    await says(app('restarting'), /but this app did not come up\.$/);
    await app('restarting').locator('.status summary').click();
    equal(await app('restarting').locator('.output').innerText(), detail);
    await press(app('restarting'), 'Take the settings back');
    await page.getByRole('dialog').getByText('boxgate box settings undo restarting').waitFor();
    await press(page.getByRole('dialog'), 'Close');
    await app('restarting').getByText('Trouble with another app: stopped.').waitFor();
    await says(app('stopped'), /The image cannot be pulled/);
    await checkFit(page);
    // The status of an operation disappears once the app runs.
    change(box, 'stopped', { state: 'running', state_detail: 'Running since now.' });
    await app('stopped').locator('div.status').waitFor({ state: 'hidden' });
  });
}
