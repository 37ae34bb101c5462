import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withNamedDefaults } from './named-defaults.ts';

test('an address of the app itself becomes its name, and nothing else does', () => {
  const setting = { name: 'A', label: '', description: '', type: 'text', required: false };
  const address = 'https://vault.box.example.org';
  const cases: [string | null, string | null][] = [
    ['http://localhost:8222', address],
    ['http://localhost:81', address],
    ['http://localhost:8223', 'http://localhost:8223'],
    ['http://localhost:8222/admin', 'http://localhost:8222/admin'],
    ['8222', '8222'],
    [null, null],
  ];
  for (const [before, after] of cases) {
    const manifest = { ports: [{ port: 8222 }, 81], settings: [{ ...setting, default: before }] };
    const { settings, values } = withNamedDefaults(manifest, new Map([['A', before ?? '']]), address);
    assert.deepEqual([settings[0]?.default, values.get('A')], [after, after ?? '']);
  }
});
