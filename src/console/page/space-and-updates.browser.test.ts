import { deepEqual, equal, match } from 'node:assert/strict';
import { test } from 'node:test';
import { installApp } from '../../box/apps/install.ts';
import { accessibilityFaults, needsBrowser, overflow, press } from '../../box/page/testing/browser.ts';
import { openConsole } from './testing/console-screen.ts';

/** Axe adds styles, which the page's policy would refuse. */
const phone = { bypassCSP: true, viewport: { width: 390, height: 800 } };

test('space: what takes it, what can go, and an app whose disk is missing', needsBrowser, async (t) => {
  const { testBox, page, open, said } = await openConsole(
    t,
    async (testBox) => {
      const { box, containers } = testBox;
      testBox.mount('/mnt/disk');
      const compose = 'services: { web: { image: "w:1", restart: always, volumes: ["/mnt/disk/photos:/p"] } }';
      testBox.bundle('photos', { 'compose.yaml': compose });
      await installApp(box, { name: 'photos', settings: {} });
      testBox.mount();
      const { imageId = '' } = containers.containers[0] ?? {};
      const volume = { name: `photos_${'x'.repeat(60)}`, project: 'photos', bytes: 2e9 };
      box.space.engineUsage = async () => ({
        images: [
          { id: imageId, tags: ['w:1'], bytes: 5e6, own: 5e6 },
          { id: 'old', tags: [], bytes: 3e6, own: 3e6 },
        ],
        volumes: Array.from({ length: 20 }, (_, number) => ({ ...volume, name: `${volume.name}${number}` })),
      });
      box.space.disks = async () => [{ uses: ['Docker (/var/lib/docker)'], free: 1e9, size: 100e9 }];
      const replacedAt = box.now().toISOString();
      await box.space.replaced.save([{ id: 'old', app: 'photos', tags: ['w:0'], replacedAt }]);
    },
    phone,
  );
  await open('space');
  await page.getByText('1.0 GB of 100 GB free: nearly full').waitFor();
  await page.getByText('w:0 of photos: 3.0 MB, goes ').waitFor();
  deepEqual([await overflow(page), await accessibilityFaults(page)], [0, []]);
  await press(page, 'Remove now: images that updates have replaced');
  await said(/^removed w:0 of photos$/);
  deepEqual(testBox.containers.removed, ['old']);

  await page.getByText('Not started: nothing is mounted at /mnt/disk').waitFor();
  await open('apps/photos');
  await page.getByText('Not started: nothing is mounted at /mnt/disk').waitFor();
  deepEqual([await overflow(page), await accessibilityFaults(page)], [0, []]);
  equal(await page.getByRole('link', { name: 'Backups of photos' }).getAttribute('href'), '#/backups/photos');
  await press(page, 'Accept the disk: photos');
  await press(page.getByRole('dialog'), 'Start it');
  await said(/^photos takes its folders as they are/);
  await page.getByText('Not started:').waitFor({ state: 'detached' });
  match(testBox.changes.map(({ operation }) => operation).join(), /remove replaced images,accept disks$/);
});

test('updates: what is newer, a look now, and updates by themselves', needsBrowser, async (t) => {
  const calls: string[] = [];
  const { testBox, page, open, said } = await openConsole(
    t,
    async (testBox) => {
      const { versions } = testBox.box;
      const manifest = { name: 'notes', version: '1', release_notes: 'https://notes.example/new' };
      testBox.bundle('notes', { 'manifest.json': JSON.stringify(manifest) });
      await installApp(testBox.box, { name: 'notes', settings: {} });
      versions.askRegistry = async () => ({ digest: 'sha256:newer' });
      versions.timer = { enable: async () => void calls.push('on'), disable: async () => void calls.push('off') };
    },
    phone,
  );
  await open('updates');
  await page.getByText('Nobody has looked yet.').waitFor();
  await press(page, 'Look now');
  await said(/^1 app\(s\) have a newer version\.$/);
  await page.getByText('A newer image of registry/web:1, known since').waitFor();
  const notes = page.getByRole('link', { name: 'Release notes: notes' });
  equal(await notes.getAttribute('href'), 'https://notes.example/new');
  deepEqual([await overflow(page), await accessibilityFaults(page)], [0, []]);

  await page.getByLabel('Days that a newer version has to be known').fill('5');
  await press(page, 'Turn on');
  await said(/^Apps are updated by themselves now\.$/);
  await press(page, 'Turn off');
  await said(/any more\.$/);
  const { isEnabled, minAgeHours } = testBox.box.versions.known.load();
  deepEqual([calls, isEnabled, minAgeHours], [['on', 'off'], false, 120]);

  testBox.containers.fail('observe', 'Cannot connect to the Docker daemon.', true);
  await press(page, 'Look now');
  await said(/Cannot connect to the Docker daemon/);
});
