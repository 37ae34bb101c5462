import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Check, check } from '../../../kernel/check.ts';
import { equal, fields, list, status } from '../../../kernel/expect.ts';
import { library, manifest } from '../apps.ts';
import type { BoxContext } from '../context.ts';

export const checks: Check<BoxContext>[] = [
  check(
    'box/listBundledApps/available',
    [
      'box/listBundledApps/1',
      'box/listBundledApps/2',
      'box/listBundledApps/3',
      'box/listBundledApps/4',
      'box/listBundledApps/5',
      'box/states/1',
      'box/states/9',
    ],
    'lists, sorted, every readable bundled app that is not installed with a valid manifest',
    async (box) => {
      const answer = await box.get('/api/bundled');
      status(answer, 200);
      const names = list(answer).map((app) => app.name);
      // The requirements do not say whether a broken installed app hides the bundled one.
      const shown = names.includes('dusk') ? ['dusk'] : [];
      equal('the names in order', names, ['atlas', 'beacon', ...shown, 'zephyr']);
    },
    { shared: library },
  ),
  check(
    'box/listBundledApps/summary',
    ['box/summary/1', 'box/listBundledApps/1'],
    'shows an app as its summary',
    async (box) => {
      const beacon = list(await box.get('/api/bundled')).find((app) => app.name === 'beacon');
      fields('the entry of beacon', beacon, {
        name: 'beacon',
        display_name: 'Shown beacon',
        version: '4.5.6-rc.7',
        description: 'Short about beacon',
        description_long: 'Long about beacon: ünïcode, "quotes", <tags>',
        ports: [18231, 9],
        icon: 'icon.svg',
        icon_svg: '<svg viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>',
        has_settings: true,
      });
    },
    { shared: library },
  ),
  check(
    'box/listBundledApps/by-directory-name',
    ['box/listBundledApps/2'],
    'sorts by directory names, not by display names',
    async (box) => {
      for (const [name, shown] of [
        ['cove', 'Aaa'],
        ['bay', 'Mmm'],
        ['ait', 'Zzz'],
        ['ait9', 'Bbb'],
        ['ait10', 'Ccc'],
        ['ait-x', 'Ddd'],
      ] as const) {
        box.environment.bundle({ name, manifest: manifest(name, { display_name: shown }) });
      }
      const names = list(await box.get('/api/bundled')).map((app) => app.name);
      equal('the names in order', names, ['ait', 'ait-x', 'ait10', 'ait9', 'bay', 'cove']);
    },
  ),
  check(
    'box/listBundledApps/no-directory',
    ['box/listBundledApps/6', 'box/listBundledApps/7'],
    'is [] when there is no bundled-apps directory',
    async (box) => {
      rmSync(box.environment.bundledApps, { recursive: true });
      const answer = await box.get('/api/bundled');
      status(answer, 200);
      equal('the list', answer.json, []);
    },
  ),
  check(
    'box/listBundledApps/comes-and-goes',
    ['box/states/1', 'box/states/9'],
    'hides an app while it is installed, and shows it again afterwards',
    async (box) => {
      box.environment.bundle({ name: 'tide', manifest: manifest('tide') });
      const names = async () => list(await box.get('/api/bundled')).map((app) => app.name);
      equal('before', await names(), ['tide']);
      const folder = box.environment.placeInstalled({ name: 'tide', manifest: manifest('tide') });
      equal('while installed', await names(), []);
      rmSync(folder, { recursive: true });
      equal('after', await names(), ['tide']);
      box.environment.bundle({ name: 'ebb', manifest: manifest('ebb') });
      writeFileSync(join(box.environment.bundledApps, 'README.md'), 'no directory\n');
      equal('with one that came to the bundled apps, and a file', await names(), ['ebb', 'tide']);
    },
  ),
];
