import assert from 'node:assert/strict';
import { test } from 'node:test';
import { appSummary } from './app-summary.ts';
import type { Manifest } from './manifest.ts';

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
});

test('box/summary/10: has settings when the manifest declares at least one', () => {
  const setting = { name: 'A', label: 'A', description: '', type: 'text', required: false, default: null };
  assert.equal(appSummary({ ...manifest, settings: [setting] }, null, null).has_settings, true);
});
