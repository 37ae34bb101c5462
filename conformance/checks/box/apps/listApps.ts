import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Check, check } from '../../../kernel/check.ts';
import { ensure, equal, list, status } from '../../../kernel/expect.ts';
import { library, manifest, settings } from '../apps.ts';
import type { BoxContext } from '../context.ts';

const summaryKeys = [
  'name',
  'display_name',
  'version',
  'description',
  'description_long',
  'ports',
  'icon',
  'icon_svg',
  'has_settings',
];

const hasKeys = (entry: Record<string, unknown> | undefined, keys: readonly string[]) =>
  keys.every((key) => entry !== undefined && key in entry);

export const checks: Check<BoxContext>[] = [
  check(
    'box/listApps/one-entry-a-directory',
    ['box/listApps/1', 'box/listApps/2', 'box/service/13'],
    'has one entry for each directory of the installed-apps directory',
    async (box) => {
      const answer = await box.get('/api/apps');
      status(answer, 200);
      const names = list(answer).map((app) => app.name);
      equal('the names, in any order', names.sort(), ['cairn', 'dusk', 'ember', 'hollow']);
    },
    { shared: library },
  ),
  check(
    'box/listApps/summary',
    ['box/listApps/3', ...Array.from({ length: 11 }, (_, index) => `box/summary/${index + 1}`), 'box/versioning/2'],
    'shows a readable app as its summary with ok: true',
    async (box) => {
      const apps = list(await box.get('/api/apps'));
      const cairn = apps.find((app) => app.name === 'cairn');
      const fields = ['ok', ...summaryKeys];
      const shown = Object.entries(cairn ?? {}).filter(([key]) => fields.includes(key));
      equal('the summary in the entry of cairn', Object.fromEntries(shown), {
        ok: true,
        name: 'cairn',
        display_name: 'Shown cairn',
        version: '1.0.0',
        description: 'Short about cairn',
        description_long: 'Long about cairn: ünïcode, "quotes", <tags>',
        ports: [18231, 9],
        icon: 'icon.svg',
        icon_svg: '<svg viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>',
        has_settings: true,
      });
      const ember = apps.find((app) => app.name === 'ember');
      ensure('an entry has every field of a summary and ok', hasKeys(ember, fields), ember);
      equal('has_settings of an app that declares none', ember?.has_settings, false);
      equal('icon_svg of an app without an icon', ember?.icon_svg, null);
    },
    { shared: library },
  ),
  check(
    'box/listApps/has-settings',
    ['box/summary/10'],
    'says that an app has settings if it has at least one',
    async (box) => {
      for (const [name, declares] of [
        ['none', []],
        ['one', [settings.bare]],
        ['two', [settings.bare, settings.text]],
      ] as const) {
        box.environment.placeInstalled({ name, manifest: manifest(name, { settings: declares }) });
      }
      const found = list(await box.get('/api/apps')).map((app) => [app.name, app.has_settings]);
      equal('has_settings', Object.fromEntries(found), { none: false, one: true, two: true });
    },
  ),
  check(
    'box/listApps/broken',
    ['box/listApps/4', 'box/broken/1', 'box/broken/2', 'box/broken/3'],
    'shows a directory with an unreadable or missing manifest as broken, with the reason',
    async (box) => {
      const apps = list(await box.get('/api/apps'));
      for (const name of ['dusk', 'hollow']) {
        const entry = apps.find((app) => app.name === name);
        ensure('name, ok and error', hasKeys(entry, ['name', 'ok', 'error']), entry);
        equal('ok', entry?.ok, false);
        ensure('error says something', typeof entry?.error === 'string' && entry.error !== '', entry);
      }
    },
    { shared: library },
  ),
  check(
    'box/listApps/follows-the-directory',
    ['box/listApps/2', 'box/listApps/4', 'box/listApps/5'],
    'answers 200 whatever the directory contains, and shows new entries at once',
    async (box) => {
      equal('nothing installed', (await box.get('/api/apps')).json, []);
      box.environment.placeInstalled({ name: 'late', manifest: manifest('late') });
      writeFileSync(join(box.environment.installedApps, 'notes.txt'), 'no directory\n');
      equal('one came', list(await box.get('/api/apps')).length, 1);
      for (const text of [
        '',
        '{',
        'no JSON',
        '{"name": "late",}',
        '{"name": "late", "version": "1"} x',
        '[]',
        'null',
      ]) {
        writeFileSync(join(box.environment.installedApps, 'late', 'manifest.json'), text);
        const answer = await box.get('/api/apps');
        status(answer, 200);
        equal(`ok with the manifest ${JSON.stringify(text)}`, list(answer)[0]?.ok, false);
      }
      const bytes = Buffer.concat([
        Buffer.from('{"name":"late","version":"'),
        Buffer.from([0xff, 0xfe]),
        Buffer.from('"}'),
      ]);
      writeFileSync(join(box.environment.installedApps, 'late', 'manifest.json'), bytes);
      equal('ok with bytes that are no UTF-8', list(await box.get('/api/apps'))[0]?.ok, false);
    },
  ),
  check(
    'box/listApps/comes-and-goes',
    ['box/listApps/3', 'box/listApps/4', 'box/icon/1', 'box/icon/5'],
    'shows the current manifests and icons, also of apps that were added, changed or removed later',
    async (box) => {
      const folder = box.environment.placeInstalled({ name: 'late', manifest: null });
      const write = (version: string) =>
        writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest('late', { version, icon: 'i.svg' })));
      const seen = async () => {
        // Not a synchronisation: gives an implementation that caches files time to answer from its cache.
        for (const pauseMs of [0, 150]) {
          await new Promise((resolve) => setTimeout(resolve, pauseMs));
          await box.get('/api/apps');
        }
        const [app] = list(await box.get('/api/apps'));
        return [app?.ok, app?.version, typeof app?.icon_svg === 'string'];
      };
      equal('ok without a manifest', (await seen())[0], false);
      write('1.0.0');
      equal('with a manifest', await seen(), [true, '1.0.0', false]);
      writeFileSync(join(folder, 'i.svg'), '<svg/>');
      equal('with an icon', await seen(), [true, '1.0.0', true]);
      write('2.0.0');
      equal('with another manifest of the same size', await seen(), [true, '2.0.0', true]);
      rmSync(join(folder, 'i.svg'));
      equal('without the icon', await seen(), [true, '2.0.0', false]);
      rmSync(join(folder, 'manifest.json'));
      equal('ok without a manifest again', (await seen())[0], false);
    },
  ),
  check(
    'box/manifests/folder',
    ['box/listApps/5', 'box/listBundledApps/7'],
    'lists apps although a manifest is a folder, and reports that one as broken',
    async (box) => {
      mkdirSync(join(box.environment.installedApps, 'odd', 'manifest.json'), { recursive: true });
      mkdirSync(join(box.environment.bundledApps, 'even', 'manifest.json'), { recursive: true });
      const apps = await box.get('/api/apps');
      status(apps, 200);
      equal(
        'name and ok',
        list(apps).map(({ name, ok }) => [name, ok]),
        [['odd', false]],
      );
      const bundled = await box.get('/api/bundled');
      status(bundled, 200);
      equal('the bundled list', bundled.json, []);
    },
  ),
];
