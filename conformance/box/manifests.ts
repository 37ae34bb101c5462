import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { World } from '../../fakes/world.ts';
import { type Check, check } from '../check.ts';
import { equal, holds, list, matches, record, refused, status } from '../expect.ts';
import type { Fixture } from '../fixture.ts';
import { treeDigest } from '../tree.ts';
import { manifest, settings } from './apps.ts';
import { installedFolder } from './disk.ts';

const setting = (fields: Record<string, unknown>) => ({ settings: [{ name: 'KEY', ...fields }] });

/** Manifests that cannot be read, and the word that their error has to hold. */
const unreadable: [string, Record<string, unknown> | string, RegExp][] = [
  ['array', '[]', /object/],
  ['no-name', { version: '1' }, /name/],
  ['no-version', { name: 'x' }, /version/],
  ['name-number', { name: 7, version: '1' }, /name/],
  ['version-number', { name: 'x', version: 1.2 }, /version/],
  ['description-null', { name: 'x', version: '1', description: null }, /description/],
  ['ports-text', { name: 'x', version: '1', ports: '80' }, /ports/],
  ['port-text', { name: 'x', version: '1', ports: ['80'] }, /ports/],
  ['icon-number', { name: 'x', version: '1', icon: 7 }, /icon/],
  ['settings-object', { name: 'x', version: '1', settings: {} }, /settings/],
  ['setting-unnamed', { name: 'x', version: '1', settings: [{ label: 'x' }] }, /name/],
  ['setting-name', { name: 'x', version: '1', ...setting({ name: '1A' }) }, /name/],
  ['setting-required', { name: 'x', version: '1', ...setting({ required: 'yes' }) }, /required/],
  ['setting-default', { name: 'x', version: '1', ...setting({ default: 7 }) }, /default/],
  [
    'setting-twice',
    { name: 'x', version: '1', settings: [{ name: 'A' }, { name: 'A' }] },
    /A|twice|duplicate/,
  ],
  ['too-long', { name: 'x', version: '1', description_long: 'x'.repeat(65536) }, /64 ?KiB|65536/],
];

const zoo: Fixture<World> = {
  name: 'manifests',
  prepare: (world) => {
    for (const [name, content] of unreadable) world.placeInstalled({ name, manifest: content });
    world.placeInstalled({ name: 'gone', manifest: null });
    world.placeInstalled({ name: 'bare', manifest: { name: 'bare', version: '0' } });
    world.placeInstalled({
      name: 'bare-setting',
      manifest: { name: 'b', version: '0', settings: [{ name: 'K' }] },
    });
    const ports = [80, { port: 53, protocol: 'udp', label: 'DNS' }, { port: 8443 }];
    world.placeInstalled({
      name: 'newer',
      manifest: { ...manifest('newer', { ports }), future: { a: 1 }, x: null },
    });
    const widest = { name: 'w', version: '1', description_long: '' };
    const room = 65536 - Buffer.byteLength(JSON.stringify(widest));
    world.placeInstalled({ name: 'widest', manifest: { ...widest, description_long: 'x'.repeat(room) } });
  },
};

/** What a manifest may hold, and what is said of one that cannot be read. */
export const checks: Check[] = [
  check(
    'box/manifests/unreadable',
    ['choice/box/42', 'choice/box/46', 'choice/box/47'],
    'calls a manifest broken that misses or mistypes a field, and says which',
    async (box) => {
      const apps = list(await box.get('/api/apps'));
      for (const [name, , word] of unreadable) {
        const entry = apps.find((app) => app.name === name);
        equal(`ok of ${name}`, entry?.ok, false);
        matches(`error of ${name}`, entry?.error, word);
      }
      matches(
        'error without a manifest',
        apps.find((app) => app.name === 'gone')?.error,
        /manifest\.json|missing|not there/,
      );
    },
    { shared: zoo },
  ),
  check(
    'box/manifests/folder',
    ['box/listApps/5', 'box/listBundledApps/7'],
    'lists apps also where a folder stands in the place of a manifest, which is a broken one',
    async (box) => {
      mkdirSync(join(box.world.installedApps, 'odd', 'manifest.json'), { recursive: true });
      mkdirSync(join(box.world.bundledApps, 'even', 'manifest.json'), { recursive: true });
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
  check(
    'box/manifests/defaults',
    ['choice/box/42', 'choice/box/43'],
    'fills every field that a manifest leaves out',
    async (box) => {
      const apps = list(await box.get('/api/apps'));
      equal(
        'the entry of a bare one',
        apps.find((app) => app.name === 'bare'),
        {
          ok: true,
          name: 'bare',
          display_name: 'bare',
          version: '0',
          description: '',
          description_long: '',
          ports: [],
          icon: '',
          icon_svg: null,
          has_settings: false,
        },
      );
      equal('the widest that is allowed', apps.find((app) => app.name === 'widest')?.ok, true);
    },
    { shared: zoo },
  ),
  check(
    'box/manifests/setting-defaults',
    ['choice/box/44'],
    'fills every field that a setting leaves out',
    async (box) => {
      const { settings: entries } = record(await box.get('/api/apps/bare-setting/settings'));
      const expected = {
        name: 'K',
        label: 'K',
        description: '',
        type: 'text',
        required: false,
        default: null,
        value: '',
      };
      equal('settings', entries, [expected]);
    },
    { shared: zoo },
  ),
  check(
    'box/manifests/unknown-fields',
    ['choice/box/45', 'choice/box/49'],
    'ignores fields that it does not know, and passes ports on as they are',
    async (box) => {
      const entry = list(await box.get('/api/apps')).find((app) => app.name === 'newer');
      equal('ok', entry?.ok, true);
      equal('ports', entry?.ports, [80, { port: 53, protocol: 'udp', label: 'DNS' }, { port: 8443 }]);
      const text = readFileSync(join(installedFolder(box, 'newer'), 'manifest.json'), 'utf8');
      holds('the file keeps them', text.includes('"future"'));
    },
    { shared: zoo },
  ),
  check(
    'box/manifests/broken-and-bundled',
    ['choice/box/50', 'choice/box/51', 'choice/box/52', 'choice/box/60'],
    'has no settings for an installed app with a broken manifest, lists it as bundled and installs it again',
    async (box) => {
      const app = { name: 'dusk', manifest: manifest('dusk', { settings: [settings.text] }) };
      box.world.bundle(app);
      const folder = box.world.placeInstalled({ name: 'dusk', manifest: 'broken', env: 'GREETING=mine\n' });
      refused(await box.get('/api/apps/dusk/settings'), 404);
      const before = treeDigest(folder);
      refused(await box.changeSettings('dusk', { GREETING: 'x' }), 400);
      equal('its files', treeDigest(folder), before);
      equal(
        'the bundled list',
        list(await box.get('/api/bundled')).map((one) => one.name),
        ['dusk'],
      );
      status(await box.install('dusk'), 200);
      const view = record(await box.get('/api/apps/dusk/settings'));
      equal('value', (view.settings as { value: string }[] | undefined)?.[0]?.value, 'mine');
    },
  ),
];
