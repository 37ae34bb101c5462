import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPlaceholder, placeholderKeys } from './placeholder.ts';

test('choice/box/93: knows what packagers write', () => {
  const placeholders = [
    ...[
      'changeme',
      'CHANGEME',
      'change-me',
      'change_me',
      'Change Me',
      'changeit',
      'change this',
      'replaceme',
    ],
    ...[
      'replace_it',
      'please-change-me-now',
      'PLEASE_CHANGE_ME',
      '!changeme!',
      'changeme123',
      '1changeme',
      ' changeme\n',
    ],
    ...['placeholder', 'TODO', 'FixMe', ' todo ', 'xxx', 'XXXXXXXX'],
    ...['<secret>', '<your secret>', '{{ secret }}', '__SECRET__', 'your-secret', 'YOUR_PASSWORD', '<a\nb>'],
  ];
  for (const value of placeholders) assert.equal(isPlaceholder(value), true, JSON.stringify(value));
});

test('choice/box/93: takes values for values', () => {
  const values = [
    ...[
      '',
      ' ',
      'exchange items',
      'exchangeme',
      'changement',
      'change mesh',
      'change',
      'me',
      'replacements',
      'change--me',
    ],
    ...['my placeholder', 'todolist', 'todo: x', 'xx', 'xxxy', 'axxx'],
    ...[
      '<secret',
      'secret>',
      '<>',
      '{secret}',
      '{{}}',
      '____',
      '__secret',
      '_secret_',
      'your',
      'yours-truly',
      'my-your-x',
    ],
  ];
  for (const value of values) assert.equal(isPlaceholder(value), false, JSON.stringify(value));
});

test('choice/box/94: names every offending key in its order', () => {
  const env = new Map([
    ['B', 'changeme'],
    ['A', 'fine'],
    ['C', 'todo'],
  ]);
  assert.deepEqual(placeholderKeys(env), ['B', 'C']);
});
