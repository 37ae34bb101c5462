import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { components } from '../../../src/box/api.gen.ts';
import { type StubBox, startStubBox, stubApp, stubSetting } from '../../../src/box/page/testing/stub-server.ts';
import { isIn, openScreen, press, says, shots, sizes } from './screen.ts';

type AppState = components['schemas']['AppState'];

/**
 * Takes pictures of the page in each state. The box is a fake, since an engine cannot easily produce every state. All
 * apps are the bundled ones.
 */
const folder = join(import.meta.dirname, '..', '..', '..', 'src', 'box', 'sample-apps');
const samples = readdirSync(folder).map((name) => {
  const manifest = JSON.parse(readFileSync(join(folder, name, 'manifest.json'), 'utf8'));
  const icon_svg = readFileSync(join(folder, name, manifest.icon), 'utf8');
  return stubApp(name, { ...manifest, icon_svg, has_settings: manifest.settings?.length > 0 });
});
const sample = (name: string) => samples.find((app) => app.name === name) ?? stubApp(name);
const ports = (name: string) =>
  sample(name).ports.map((port) => ({ port: typeof port === 'number' ? port : port.port, label: '' }));

const logLines = [
  '[2026-11-23][07:10:12][vaultwarden][INFO] Starting Vaultwarden',
  '[2026-11-23][07:10:12][vaultwarden][INFO] Using saved config from `data/config.json` for configuration.',
  '[2026-11-23][07:10:12][panic][ERROR] thread main panicked at src/db/mod.rs:171:26: cannot open the database file',
  '/data/db.sqlite3: Permission denied (os error 13)',
  'note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace',
];

const inStates: [name: string, state: AppState, detail: string, newer?: string][] = [
  ['jellyfin', 'starting', 'It was started at 2026-11-23 07:10 UTC, and its health check has not passed yet.'],
  ['linkding', 'unhealthy', 'It fails its health check; it was started at 2026-11-23 06:55 UTC.'],
  ['mealie', 'stopped', 'It stopped at 2026-11-23 07:02 UTC with exit code 137.'],
  ['memos', 'running', 'Running since 2026-11-21 10:32 UTC.', '0.31.0'],
  ['miniflux', 'not_started', 'Not started: its .env still has placeholder values for ADMIN_PASSWORD, DB_PASSWORD.'],
  ['pihole', 'running', 'Running since 2026-11-21 10:32 UTC, after 2 restart(s) by Docker.', '2026.11.0'],
  [
    'vaultwarden',
    'restarting',
    'It ended with exit code 3 at 2026-11-23 07:10 UTC, and Docker restarts it again and again (restart 12).',
  ],
];

function inEachState(box: StubBox): void {
  box.installed = inStates.map(([name, state, state_detail, available_version = null]) => ({
    ...sample(name),
    ok: true,
    state,
    state_detail,
    open_ports: state === 'running' ? ports(name).slice(0, 1) : [],
    available_version,
  }));
  box.installed.push({
    name: 'old-notes',
    ok: false,
    error: 'manifest.json is not there',
    state: 'not_started',
    state_detail: 'Not started, because it is broken: manifest.json is not there.',
    open_ports: [],
  });
  box.bundled = samples.filter(({ name }) => !inStates.some(([used]) => used === name));
  const setting = stubSetting('ADMIN_PASSWORD', { label: 'Administrator password', type: 'password' });
  box.settings = { miniflux: [stubSetting('ADMIN_USERNAME', { label: 'User name' }), setting] };
}

async function startBox(t: TestContext): Promise<StubBox> {
  const box = await startStubBox();
  t.after(() => box.close());
  inEachState(box);
  return box;
}

const down =
  'Docker does not answer; is it running? (Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?)';

for (const [width, height] of sizes) {
  test(`the page shows each state, and Docker that is down, at ${width} pixels`, async (t) => {
    const box = await startBox(t);
    const { page, app, shot } = await openScreen(t, `${box.url}apps`, width, height);
    await shot('states');
    await press(app('miniflux'), 'Settings Miniflux');
    await page.getByRole('dialog').getByText('still the placeholder').waitFor();
    await shot('states-placeholder');
    await page.keyboard.press('Escape');
    const feed = 'no release feed is configured: set BOX_RELEASE_FEED in /etc/boxgate/box.env';
    box.answers.set('POST /api/self/update/check', { status: 502, body: { error: feed } });
    await press(page, 'Check for updates');
    await page.getByText('No release feed is configured').first().waitFor();
    await shot('states-no-feed');
    box.installed = box.installed.map((one) => ({ ...one, state: 'unknown', state_detail: down, open_ports: [] }));
    await page.locator('#notice', { hasText: 'Docker does not answer' }).waitFor();
    await shot('states-docker-down');
    box.isDown = true;
    await page.locator('#notice', { hasText: 'The box does not answer.' }).waitFor();
    await shot('states-box-away');
  });

  test(`the page shows operations from their begin to their end at ${width} pixels`, async (t) => {
    const box = await startBox(t);
    const { page, app, shot } = await openScreen(t, `${box.url}apps`, width, height);
    const start = box.hold('POST /api/apps/mealie/settings');
    await press(app('mealie'), 'Start Mealie');
    const startOn = await start;
    await shot('operations-running');
    startOn();
    await says(app('mealie'), /^Started/);

    const detail = [
      'the container vaultwarden-vaultwarden-1 ended with status 3, and Docker starts it again and again. Its last lines:',
      ...logLines,
    ].join('\n');
    box.answers.set('POST /api/apps/vaultwarden/settings', {
      status: 207,
      body: {
        updated: 'vaultwarden',
        actions: [
          { kind: 'write_env', target: 'vaultwarden', detail: '.env written: the submitted settings merged in' },
          { kind: 'error', target: 'vaultwarden/vaultwarden', detail },
          { kind: 'error', target: 'mealie', detail: 'The image ghcr.io/mealie-recipes/mealie:v9 is not there.' },
          { kind: 'noop', target: 'memos', detail: 'in line' },
        ],
      },
    });
    await press(app('vaultwarden'), 'Settings Vaultwarden');
    await press(page.getByRole('dialog'), 'Save settings');
    await says(app('vaultwarden'), /did not come up/);
    await shot('operations-failed');

    box.answers.set('POST /api/apps/pihole/update', {
      status: 502,
      body: {
        error: `version 2026.11.0 does not stay up; version 2026.07.2 runs again. Its last lines:\n${logLines[2]}`,
      },
    });
    const update = box.hold('POST /api/apps/pihole/update');
    await press(page, 'Update all');
    const updateOn = await update;
    await shot('operations-update-all');
    updateOn();
    await page.locator('#update-all').getByText('1 of 2 apps updated').waitFor();
    await shot('operations-updated-all');
  });
}

/** When the page has changed, a person copies this picture to deploy/screenshot.png. */
test('a picture of the page for the README', async (t) => {
  const box = await startBox(t);
  const installed: [name: string, newer: string | null][] = [
    ['miniflux', null],
    ['pihole', '2026.11.0'],
    ['uptime-kuma', null],
    ['vaultwarden', null],
  ];
  box.installed = installed.map(([name, available_version]) => ({
    ...sample(name),
    ok: true,
    state_detail: 'Running since 2026-11-21 10:32 UTC.',
    open_ports: ports(name).slice(0, 1),
    available_version,
  }));
  box.bundled = samples.filter(({ name }) => !installed.some(([used]) => used === name));
  const { page, app } = await openScreen(t, `${box.url}apps`, 1280, 860);
  await isIn(app('miniflux'), 'Running');
  await page.screenshot({ path: join(shots, 'readme.png') });
});
