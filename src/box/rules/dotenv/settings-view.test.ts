import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Manifest } from '../manifest/manifest.ts';
import { settingsView } from './settings-view.ts';

const setting = (name: string, type: string, initial: string | null) => ({
  name,
  label: `${name}?`,
  description: 'help',
  type,
  required: true,
  default: initial,
});

const manifest: Manifest = {
  name: 'notes',
  display_name: 'Notes',
  version: '1',
  description: 'd',
  description_long: 'D',
  ports: [],
  icon: '',
  settings: [setting('A', 'text', 'x'), setting('B', 'password', 'y'), setting('C', 'number', null)],
};

const valuesIn = (env: Record<string, string>) =>
  settingsView(manifest, new Map(Object.entries(env)), true).settings.map(({ value }) => value);

test('box/settings-view/1-6: has exactly the fields of a view and of its entries', () => {
  assert.deepEqual(settingsView({ ...manifest, settings: [setting('A', 'text', 'x')] }, new Map(), false), {
    name: 'notes',
    display_name: 'Notes',
    description: 'd',
    description_long: 'D',
    installed: false,
    settings: [{ name: 'A', label: 'A?', description: 'help', type: 'text', required: true, default: 'x', value: 'x' }],
  });
});

test('box/value/1: a password is never shown', () => {
  assert.equal(valuesIn({ B: 'secret' })[1], '');
  assert.equal(valuesIn({})[1], '');
});

test('box/value/2: a value comes from .env, else is the default, else empty', () => {
  assert.deepEqual(valuesIn({ A: '1', C: '2' }), ['1', '', '2']);
  assert.deepEqual(valuesIn({}), ['x', '', '']);
});

test('an empty value in .env counts as a value', () => {
  assert.equal(valuesIn({ A: '' })[0], '');
});
