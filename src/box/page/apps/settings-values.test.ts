import { deepEqual, equal, match, notEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { stubSetting } from '../testing/stub-server.ts';
import { fieldKind, makePassword, namedIn, shownSetting, submittedSettings } from './settings-values.js';

const password = stubSetting('SECRET', { type: 'password', label: 'Password' });
const typed = (setting: typeof password, value: string) => ({
  setting,
  value,
  isTouched: value !== setting.value,
  isMalformed: false,
});

test('shows and sends the free port in the place of one in use', () => {
  const port = stubSetting('PORT', { type: 'number', value: '80', description: 'Of the page.' });
  equal(shownSetting(port), port);
  const shown = shownSetting({ ...port, free_port: '81' });
  equal(shown.description, 'Port 80 is in use. Of the page.');
  deepEqual(submittedSettings([typed(shown, '81')], 'install'), { PORT: '81' });
});

test('sends a number that was emptied as the empty text', () => {
  const port = stubSetting('PORT', { type: 'number', value: '80' });
  deepEqual(submittedSettings([typed(port, '')], 'edit'), { PORT: '' });
});

test('gives back unchanged what the browser could not show in a field that nobody touched', () => {
  const key = stubSetting('KEY', { value: 'line one\nline two' });
  const field = { setting: key, value: 'line oneline two', isTouched: false, isMalformed: false };
  deepEqual(submittedSettings([field], 'edit'), { KEY: 'line one\nline two' });
});

test('has a switch and a list only where their options can show the present value', () => {
  const onOff = { type: 'boolean', options: ['yes', 'no'] };
  const kind = (about: Parameters<typeof stubSetting>[1], mode: 'install' | 'edit' = 'edit') =>
    fieldKind(stubSetting('A', about), mode);
  equal(kind({ ...onOff, value: 'no' }), 'switch');
  equal(kind({ ...onOff, value: '' }, 'install'), 'switch');
  equal(kind({ ...onOff, value: '' }), 'text');
  equal(kind({ ...onOff, value: '1' }, 'install'), 'text');
  equal(kind({ type: 'boolean' }, 'install'), 'text');
  equal(kind({ type: 'select', options: ['a'], value: 'b' }), 'list');
  equal(kind({ type: 'select' }), 'text');
});

test('makes another password of 24 letters and digits each time', () => {
  match(makePassword(), /^[A-HJ-NP-Za-km-z2-9]{24}$/);
  notEqual(makePassword(), makePassword());
});

test('a refusal names a setting by a word of its own', () => {
  equal(namedIn('PORT: port 80 is in use', 'PORT'), true);
  equal(namedIn('DB_PORT is no number', 'PORT'), false);
  equal(namedIn('', 'PORT'), false);
});
