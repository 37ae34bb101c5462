/** The published schema of manifest.json, as the server applies it. choice/box/48 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { validateManifest } from '../src/box/api/validators.gen.ts';

const least = { name: 'paperless', version: '2.1' };

function findings(manifest: unknown): string[] {
  validateManifest(manifest);
  return (validateManifest.errors ?? []).map(({ instancePath, keyword }) => `${instancePath} ${keyword}`);
}

test('fills in the defaults of a manifest that has only a name and a version', () => {
  const manifest = { ...least };
  assert.equal(validateManifest(manifest), true);
  const texts = { description: '', description_long: '', icon: '' };
  assert.deepEqual(manifest, { ...least, ...texts, ports: [], settings: [] });
});

test('fills in the defaults of a setting', () => {
  const manifest = { ...least, settings: [{ name: 'TZ' }] };
  assert.equal(validateManifest(manifest), true);
  assert.deepEqual(manifest.settings, [{ name: 'TZ', description: '', type: 'text', required: false, default: null }]);
});

test('gives each manifest defaults of its own', () => {
  const [first, second] = [
    { ...least, ports: undefined },
    { ...least, ports: undefined },
  ];
  validateManifest(first);
  validateManifest(second);
  assert.notEqual(first.ports, second.ports);
});

for (const [what, extra] of [
  ['fields that nobody knows', { homepage: 'https://example.org', x: { y: [] } }],
  ['ports as numbers and as objects', { ports: [80, { port: 53, protocol: 'udp', label: 'DNS', more: true }] }],
  ['any type of setting', { settings: [{ name: '_A1', type: 'colour', default: '', required: true }] }],
  ['what a backup leaves out', { backup: { exclude: ['cache/**'], volumes: { exclude: ['thumbs'] }, more: 1 } }],
  ['a default that is null', { settings: [{ name: 'A', default: null }] }],
] as const) {
  test(`takes ${what}`, () => {
    assert.deepEqual(findings({ ...least, ...extra }), []);
  });
}

for (const [manifest, finding] of [
  [null, ' type'],
  [[], ' type'],
  [{ version: '1' }, ' required'],
  [{ name: 'a' }, ' required'],
  [{ ...least, version: 1 }, '/version type'],
  [{ ...least, description: null }, '/description type'],
  [{ ...least, icon: {} }, '/icon type'],
  [{ ...least, ports: 80 }, '/ports type'],
  [{ ...least, ports: ['80'] }, '/ports/0 type'],
  [{ ...least, ports: [8.5] }, '/ports/0 type'],
  [{ ...least, ports: [{}] }, '/ports/0 required'],
  [{ ...least, ports: [{ port: '80' }] }, '/ports/0/port type'],
  [{ ...least, settings: {} }, '/settings type'],
  [{ ...least, backup: { exclude: 'cache' } }, '/backup/exclude type'],
  [{ ...least, backup: { exclude: [''] } }, '/backup/exclude/0 pattern'],
  [{ ...least, backup: { volumes: ['thumbs'] } }, '/backup/volumes type'],
  [{ ...least, settings: ['A'] }, '/settings/0 type'],
  [{ ...least, settings: [{}] }, '/settings/0 required'],
  [{ ...least, settings: [{ name: '1A' }] }, '/settings/0/name pattern'],
  [{ ...least, settings: [{ name: 'A-B' }] }, '/settings/0/name pattern'],
  [{ ...least, settings: [{ name: 'A\n' }] }, '/settings/0/name pattern'],
  [{ ...least, settings: [{ name: 'A', required: 'yes' }] }, '/settings/0/required type'],
  [{ ...least, settings: [{ name: 'A', default: 5 }] }, '/settings/0/default type'],
] as const) {
  test(`finds ${finding.trim()} in ${JSON.stringify(manifest)}`, () => {
    assert.deepEqual(findings(structuredClone(manifest)), [finding]);
  });
}
