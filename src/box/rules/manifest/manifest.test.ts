import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { holds } from '../../../lib/testing/holds.ts';
import { appSummary, type Manifest, maxManifestBytes, parseManifest } from './manifest.ts';

const parse = (value: unknown) => parseManifest(Buffer.from(JSON.stringify(value)), 'notes');
const least = { name: 'notes', version: '1' };

function manifestOf(value: unknown) {
  const result = parse(value);
  return result.ok ? result.manifest : assert.fail(result.error);
}

function errorOf(bytes: Uint8Array | string | object): string {
  const isBytes = typeof bytes === 'string' || bytes instanceof Uint8Array;
  const result = isBytes ? parseManifest(Buffer.from(bytes), 'notes') : parse(bytes);
  return result.ok ? assert.fail('it was readable') : result.error;
}

test('choice/box/48: requires a name and a version, and fills in the rest', () => {
  assert.deepEqual(manifestOf(least), {
    name: 'notes',
    display_name: 'notes',
    version: '1',
    description: '',
    description_long: '',
    ports: [],
    icon: '',
    settings: [],
  });
});

test('keeps the fields of a manifest', () => {
  const full = {
    name: 'notes',
    display_name: 'Notes',
    version: '2.1',
    description: 'd',
    description_long: 'D',
    ports: [8080, { port: 53, protocol: 'udp', label: 'DNS', extra: true }],
    icon: 'icon.svg',
    settings: [
      {
        ...{ name: 'A', label: 'L', description: 'x', type: 'password', required: true, default: 'y' },
        ...{ options: ['y', 'n'], generate: { length: 64, encoding: 'hex' }, advanced: true },
      },
    ],
    category: 'Notes',
    release_notes: 'https://notes.example/releases',
    store: 'casaos',
    backup: { exclude: ['cache/**'], volumes: { exclude: ['thumbs'] } },
  };
  assert.deepEqual(manifestOf(full), full);
});

test('choice/box/48: fills in missing fields of a setting', () => {
  assert.deepEqual(manifestOf({ ...least, settings: [{ name: 'A' }] }).settings, [
    { name: 'A', label: 'A', description: '', type: 'text', required: false, default: null },
  ]);
});

test('leaves out a store in a form that is no name', () => {
  for (const store of ['', 5, null, '../casaos']) assert.equal(manifestOf({ ...least, store }).store, undefined);
});

test('leaves out a category or options in a form that is not its own', () => {
  for (const category of ['', 5, null, ['Notes']]) {
    for (const options of ['yes', [], { a: 'b' }, [{ label: 'Yes', value: 'y' }], null]) {
      const manifest = manifestOf({ ...least, category, settings: [{ name: 'A', options }] });
      assert.equal(Object.hasOwn(manifest, 'category'), false);
      assert.equal(Object.hasOwn(manifest.settings[0] ?? {}, 'options'), false);
    }
  }
});

for (const address of ['', 5, null, 'javascript:alert(1)', '/releases', 'https://', 'file:///etc/passwd']) {
  test(`leaves out release notes at ${JSON.stringify(address)}`, () => {
    assert.equal(Object.hasOwn(manifestOf({ ...least, release_notes: address }), 'release_notes'), false);
  });
}

test("the name must be the directory's", () => {
  const manifest = manifestOf({ name: 'other', version: '1' });
  assert.equal(manifest.name, 'notes');
  assert.equal(manifest.display_name, 'notes');
});

test('choice/box/48: ignores unknown fields', () => {
  const manifest = manifestOf({ ...least, later: { x: 1 }, settings: [{ name: 'A', later: 1 }] });
  assert.equal('later' in manifest, false);
  assert.equal('later' in (manifest.settings[0] ?? {}), false);
});

test('reads a file that starts with a byte-order mark', () => {
  assert.equal(parseManifest(Buffer.from(`\uFEFF${JSON.stringify(least)}`), 'notes').ok, true);
});

test('choice/box/48: says which field is wrong, what was expected and what was found', () => {
  const rows: [Uint8Array | string | object, string][] = [
    ['', 'manifest.json: expected JSON, found an empty file'],
    ['{', 'manifest.json: expected JSON, found text that is not JSON'],
    [Uint8Array.of(0x22, 0xff, 0x22), 'manifest.json: expected UTF-8 text, found other bytes'],
    [[], 'manifest.json: expected an object, found an array'],
    ['null', 'manifest.json: expected an object, found null'],
    ['"x"', 'manifest.json: expected an object, found a string'],
    [{ version: '1' }, 'manifest.json: name: expected a value, found nothing'],
    [{ name: 'a' }, 'manifest.json: version: expected a value, found nothing'],
    [{ ...least, version: 1 }, 'manifest.json: version: expected a string, found a number'],
    [{ ...least, name: null }, 'manifest.json: name: expected a string, found null'],
    [{ ...least, display_name: true }, 'manifest.json: display_name: expected a string, found a boolean'],
    [{ ...least, description: [] }, 'manifest.json: description: expected a string, found an array'],
    [{ ...least, ports: {} }, 'manifest.json: ports: expected an array, found an object'],
    [{ ...least, ports: [1, '2'] }, 'manifest.json: ports[1]: expected an integer or an object, found a string'],
    [{ ...least, ports: [1.5] }, 'manifest.json: ports[0]: expected an integer or an object, found a number'],
    [{ ...least, ports: [{}] }, 'manifest.json: ports[0].port: expected a value, found nothing'],
    [{ ...least, settings: [{}] }, 'manifest.json: settings[0].name: expected a value, found nothing'],
    [
      { ...least, settings: [{ name: 'A', default: 1 }] },
      'manifest.json: settings[0].default: expected a string or null, found a number',
    ],
    [
      { ...least, settings: [{ name: 'A', required: 'yes' }] },
      'manifest.json: settings[0].required: expected a boolean, found a string',
    ],
    [
      { ...least, settings: [{ name: 'A B' }] },
      'manifest.json: settings[0].name: expected text that matches ^[A-Za-z_][A-Za-z0-9_]*$, found "A B"',
    ],
    [
      { ...least, settings: [{ name: 'A' }, { name: 'B' }, { name: 'A' }] },
      'manifest.json: settings[2].name: expected a name that no other setting has, found "A"',
    ],
  ];
  for (const [bytes, error] of rows) assert.equal(errorOf(bytes), error);
});

test('choice/box/48: reads 64 KiB and no more', () => {
  const padded = (size: number) => JSON.stringify(least).padEnd(size, ' ');
  assert.equal(parseManifest(Buffer.from(padded(maxManifestBytes)), 'notes').ok, true);
  assert.equal(errorOf(padded(65537)), 'manifest.json: expected at most 65536 bytes, found more');
});

test('a long wrong name is shortened in the message', () => {
  assert.ok(errorOf({ ...least, settings: [{ name: '!'.repeat(10_000) }] }).length < 300);
});

test('for any bytes the result is a manifest or a reason', () => {
  const field = fc.oneof(fc.jsonValue(), fc.constant([{ name: 'A' }]), fc.constant([80]), fc.constant('x'));
  const almost = fc.dictionary(
    fc.constantFrom('name', 'version', 'ports', 'settings', 'icon', 'display_name', '__proto__'),
    field,
  );
  const bytes = fc.oneof(
    fc.uint8Array(),
    almost.map((value) => Buffer.from(JSON.stringify(value))),
  );
  holds(
    fc.property(bytes, (content) => {
      const result = parseManifest(content, 'notes');
      if (result.ok) assert.equal(result.manifest.name, 'notes');
      else assert.match(result.error, /^manifest\.json: .*expected .*found ./s);
    }),
  );
});

const manifest: Manifest = {
  name: 'notes',
  display_name: 'Notes',
  version: '1.2',
  description: 'd',
  description_long: 'D',
  ports: [80, { port: 53, protocol: 'udp' }],
  icon: 'icon.svg',
  settings: [],
};

test('box/summary/1-9: has exactly the fields of a summary', () => {
  assert.deepEqual(appSummary(manifest, '<svg/>', null), {
    name: 'notes',
    display_name: 'Notes',
    version: '1.2',
    description: 'd',
    description_long: 'D',
    ports: [80, { port: 53, protocol: 'udp' }],
    icon: 'icon.svg',
    icon_svg: '<svg/>',
    has_settings: false,
  });
  assert.equal(appSummary(manifest, null, null).icon_svg, null);
  assert.equal(
    appSummary({ ...manifest, name: 'a b' }, null, '0123456789abcdef0').icon_url,
    '/settings/icons/a%20b?v=0123456789abcdef',
  );
  assert.equal(appSummary({ ...manifest, category: 'Notes' }, null, null).category, 'Notes');
  assert.equal(appSummary({ ...manifest, store: 'casaos' }, null, null).store, 'casaos');
});

test('box/summary/10: has settings when the manifest declares at least one', () => {
  const setting = { name: 'A', label: 'A', description: '', type: 'text', required: false, default: null };
  assert.equal(appSummary({ ...manifest, settings: [setting] }, null, null).has_settings, true);
});
