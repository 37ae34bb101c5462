import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Manifest, Setting } from '../../rules/manifest/manifest.ts';
import type { AddressPart } from '../../rules/manifest/setting-hints.ts';
import { withOwnAddress } from './own-address.ts';

const named = 'https://vault.box.example.org';
const home = '192.168.1.7';
const other = { label: '', description: '', type: 'text', required: false };

/** The only setting of an app at the ports 8222 and 81 in its form. */
function formOf(
  about: Partial<Setting>,
  value: string,
  { installed = false, ...address }: { installed?: boolean; named?: string | null; home?: string | null },
  ports: Manifest['ports'] = [{ port: 8222, protocol: 'http', label: '' }, 81],
) {
  const setting: Setting = { ...other, name: 'A', default: null, ...about };
  const { address: _, ...entry } = setting;
  const port = { ...other, name: 'PORT', default: '8222', value: '8222', free_port: '8223' };
  const of = { name: 'vault', display_name: '', description: '', description_long: '', installed };
  const view = { ...of, settings: [{ ...entry, value }, port] };
  const found = withOwnAddress(view, { settings: [setting], ports }, { named: null, home: null, ...address });
  assert.deepEqual(found.settings[1], port);
  const [filled] = found.settings;
  return { preset: filled?.default, shown: filled?.value, options: filled?.options };
}

test('an address of the app itself becomes its name, and nothing else does', () => {
  const cases: [string | null, string | null][] = [
    ['http://localhost:8222', named],
    ['http://localhost:81', named],
    ['http://localhost:8223', 'http://localhost:8223'],
    ['http://localhost:8222/admin', 'http://localhost:8222/admin'],
    ['8222', '8222'],
    [null, null],
  ];
  for (const [before, after] of cases) {
    const { preset, shown } = formOf({ default: before }, before ?? '', { named, home });
    assert.deepEqual([preset, shown], [after, after ?? '']);
  }
  assert.equal(
    formOf({ default: 'http://localhost:8222' }, 'http://localhost:8222', { home }).shown,
    'http://localhost:8222',
  );
});

test('a part of the address is filled in where the manifest asks for it, with the free port if there is no name', () => {
  const shown = (address: AddressPart, of: { named?: string; home?: string }, value = '') =>
    formOf({ address, default: 'x' }, value, of).shown;
  assert.deepEqual(
    (['url', 'host', 'protocol', 'ip'] as const).map((part) => [shown(part, { named, home }), shown(part, { home })]),
    [
      [named, 'http://192.168.1.7:8223'],
      ['vault.box.example.org', '192.168.1.7:8223'],
      ['https', 'http'],
      [home, home],
    ],
  );
  assert.equal(shown('host', { home: 'fd00::7' }), '[fd00::7]:8223');
  assert.equal(shown('url', {}), '');
  assert.equal(shown('url', { named }, 'https://elsewhere.org'), 'https://elsewhere.org');
  assert.equal(shown('url', { named }, 'x'), named);
  assert.equal(formOf({ address: 'url' }, '', { home }, []).shown, '');
});

test('an installed app keeps its value, and its name is suggested', () => {
  const of = { installed: true, named, home };
  const before = 'http://localhost:8222';
  assert.deepEqual(formOf({ default: before }, 'http://box:8222', of), {
    ...{ preset: before, shown: 'http://box:8222', options: [named] },
  });
  assert.deepEqual(formOf({ address: 'host', options: ['b'] }, 'a', of).options, ['vault.box.example.org', 'b']);
  assert.equal(formOf({ default: before }, named, of).options, undefined);
  assert.equal(formOf({ address: 'ip' }, 'a', of).options, undefined);
  assert.equal(formOf({ address: 'url' }, 'a', { ...of, named: null }).options, undefined);
});
