import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BoxEnvironment } from '../../../../fakes/box-environment.ts';
import type { Fixture } from '../../../kernel/check.ts';
import { type Check, check } from '../../../kernel/check.ts';
import { ensure, equal, list, matches, pluck, record, refused, status } from '../../../kernel/expect.ts';
import { treeDigest } from '../../../kernel/tree.ts';
import { manifest, settings } from '../apps.ts';
import type { BoxContext } from '../context.ts';
import { containersOf, installedFolder, runningContainer } from '../disk.ts';

const setting = (fields: Record<string, unknown>) => ({ settings: [{ name: 'KEY', ...fields }] });

const least = { name: 'x', version: '1' };

/** Invalid manifests, and what their error has to name: the field, the expected and the actual value. */
const unreadable: [string, Record<string, unknown> | string, RegExp][] = [
  ['empty', '', /JSON.*empty/],
  ['no-json', '{"name": ', /JSON.*found \w/],
  ['array', '[]', /object.*array/],
  ['null', 'null', /object.*null/],
  ['text', '"x"', /object.*string/],
  ['no-name', { version: '1' }, /json: name\b.*value.*nothing/],
  ['no-version', { name: 'x' }, /json: version\b.*value.*nothing/],
  ['name-number', { ...least, name: 7 }, /json: name\b.*string.*number/],
  ['version-number', { ...least, version: 1.2 }, /version.*string.*number/],
  ['display-name-boolean', { ...least, display_name: true }, /display_name.*string.*boolean/],
  ['description-null', { ...least, description: null }, /description.*a string.*null/],
  ['description-list', { ...least, description_long: [] }, /description_long.*string.*an array/],
  ['ports-text', { ...least, ports: '80' }, /ports.*array.*string/],
  ['ports-object', { ...least, ports: {} }, /ports.*an array.*an object/],
  ['port-text', { ...least, ports: [1, '80'] }, /ports\[1\].*integer or an object.*a string/],
  ['port-half', { ...least, ports: [1.5] }, /ports\[0\].*integer.*number/],
  ['port-none', { ...least, ports: [{}] }, /ports\[0\]\.port\b.*value.*nothing/],
  ['icon-number', { ...least, icon: 7 }, /icon.*string.*number/],
  ['settings-object', { ...least, settings: {} }, /settings.*array.*object/],
  ['setting-unnamed', { ...least, settings: [{ label: 'x' }] }, /settings\[0\]\.name\b.*value.*nothing/],
  ['setting-name', { ...least, ...setting({ name: '1A' }) }, /settings\[0\]\.name\b.*A-Z.*"1A"/],
  ['setting-required', { ...least, ...setting({ required: 'yes' }) }, /required.*boolean.*string/],
  ['setting-default', { ...least, ...setting({ default: 7 }) }, /default.*string or null.*number/],
  [
    'setting-twice',
    { ...least, settings: [{ name: 'A' }, { name: 'B' }, { name: 'A' }] },
    /settings\[2\]\.name\b.*no other.*"A"/,
  ],
  ['too-long', { ...least, description_long: 'x'.repeat(65536) }, /65536 bytes.*more/],
];

const zoo: Fixture<BoxEnvironment> = {
  name: 'manifests',
  prepare: (environment) => {
    for (const [name, content] of unreadable) environment.placeInstalled({ name, manifest: content });
    environment.placeInstalled({ name: 'gone', manifest: null });
    const bytes = environment.placeInstalled({ name: 'bytes', manifest: least });
    writeFileSync(join(bytes, 'manifest.json'), Buffer.from('{"name":"x","version":"\xff"}', 'latin1'));
    environment.placeInstalled({ name: 'bare', manifest: { name: 'bare', version: '0' } });
    environment.placeInstalled({
      name: 'bare-setting',
      manifest: { name: 'b', version: '0', settings: [{ name: 'K' }] },
    });
    const ports = [80, { port: 53, protocol: 'udp', label: 'DNS' }, { port: 8443 }];
    environment.placeInstalled({
      name: 'newer',
      manifest: { ...manifest('newer', { ports }), future: { a: 1 }, x: null },
    });
    const widest = { name: 'w', version: '1', description_long: '' };
    const room = 65536 - Buffer.byteLength(JSON.stringify(widest));
    environment.placeInstalled({ name: 'widest', manifest: { ...widest, description_long: 'x'.repeat(room) } });
  },
};

export const checks: Check<BoxContext>[] = [
  check(
    'box/manifests/unreadable',
    ['choice/box/42', 'choice/box/46', 'choice/box/47'],
    'reports a manifest with a missing or mistyped field as broken, and says which, what was expected and what was found',
    async (box) => {
      const apps = list(await box.get('/api/apps'));
      for (const [name, , word] of unreadable) {
        const entry = apps.find((app) => app.name === name);
        equal(`ok of ${name}`, entry?.ok, false);
        matches(`error of ${name}`, entry?.error, word);
      }
      matches('error of bytes', apps.find((app) => app.name === 'bytes')?.error, /UTF-8.*bytes/);
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
  check(
    'box/manifests/defaults',
    ['choice/box/42', 'choice/box/43'],
    'fills in every field that a manifest omits',
    async (box) => {
      const apps = list(await box.get('/api/apps'));
      const defaults = {
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
      };
      const bare = apps.find((app) => app.name === 'bare') ?? {};
      const shown = Object.keys(defaults).map((key) => [key, bare[key]]);
      equal('the summary of a bare one', Object.fromEntries(shown), defaults);
      equal('the widest that is allowed', apps.find((app) => app.name === 'widest')?.ok, true);
    },
    { shared: zoo },
  ),
  check(
    'box/manifests/setting-defaults',
    ['choice/box/44'],
    'fills in every field that a setting omits',
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
    'ignores unknown fields, and returns ports unchanged',
    async (box) => {
      const entry = list(await box.get('/api/apps')).find((app) => app.name === 'newer');
      equal('ok', entry?.ok, true);
      equal('ports', entry?.ports, [80, { port: 53, protocol: 'udp', label: 'DNS' }, { port: 8443 }]);
      const text = readFileSync(join(installedFolder(box, 'newer'), 'manifest.json'), 'utf8');
      ensure('the file keeps them', text.includes('"future"'));
    },
    { shared: zoo },
  ),
  check(
    'box/manifests/broken-and-used',
    ['choice/box/245'],
    'updates and removes an installed app with a broken manifest, and says why it cannot be reinstalled',
    async (box) => {
      const { docker } = box.environment;
      for (const name of ['dusk', 'anchor']) box.environment.placeInstalled({ name, manifest: manifest(name) });
      status(await box.changeSettings('anchor', {}), 200);
      const folder = box.environment.placeInstalled({ name: 'dusk', manifest: '{' });
      const image = 'registry.example/dusk:1.4';
      await docker.advance(image);
      const update = await box.updateApp('dusk');
      status(update, 200);
      equal('updated', record(update).updated, true);
      equal('the image', (await runningContainer(box, 'dusk')).imageId, await docker.imageId(image));
      const before = treeDigest(folder);
      const again = await box.install('dusk');
      refused(again, 400);
      matches('the error', record(again).error, /manifest\.json/);
      equal('its files', treeDigest(folder), before);
      const { compose_warning } = record(await box.remove('dusk'));
      equal('compose_warning', compose_warning, null);
      equal('containers', await containersOf(box, 'dusk'), []);
    },
    { timeoutMs: 90_000 },
  ),
  check(
    'box/manifests/broken-and-bundled',
    ['choice/box/50', 'choice/box/51', 'choice/box/52', 'choice/box/60'],
    'has no settings for an installed app with a broken manifest, lists it as bundled and installs it again',
    async (box) => {
      const app = { name: 'dusk', manifest: manifest('dusk', { settings: [settings.text] }) };
      box.environment.bundle(app);
      const folder = box.environment.placeInstalled({ name: 'dusk', manifest: 'broken', env: 'GREETING=mine\n' });
      refused(await box.get('/api/apps/dusk/settings'), 404);
      const before = treeDigest(folder);
      refused(await box.changeSettings('dusk', { GREETING: 'x' }), 400);
      equal('its files', treeDigest(folder), before);
      equal('the bundled list', pluck(list(await box.get('/api/bundled')), 'name'), ['dusk']);
      status(await box.install('dusk'), 200);
      const view = record(await box.get('/api/apps/dusk/settings'));
      equal('value', (view.settings as { value: string }[] | undefined)?.[0]?.value, 'mine');
    },
  ),
];
