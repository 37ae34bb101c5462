import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPlaceholder, namesSecret, placeholderKeys } from './placeholder.ts';

test('choice/box/94: recognizes the placeholders that packagers write', () => {
  const placeholders = [
    ...['changeme', 'CHANGEME', 'change-me', 'change_me', 'Change Me', 'changeit', 'change this', 'replaceme'],
    ...['replace_it', 'change-me-now', 'changeme123', 'CHANGE THIS PLEASE', ' changeme\n'],
    ...['placeholder', 'TODO', 'FixMe', ' todo ', 'xxx', 'XXXXXXXX', 'secret', 'Password'],
    ...['<secret>', '<your secret>', '{{ secret }}', '__SECRET__', 'your-secret', 'YOUR_PASSWORD', '<a\nb>'],
  ];
  for (const value of placeholders) assert.equal(isPlaceholder(value), true, JSON.stringify(value));
});

test('choice/box/94: does not take values for placeholders', () => {
  const values = [
    ...['', ' ', 'exchange items', 'exchangeme', 'please-change-me', '1changeme', '!changeme', 'change--me'],
    ...['Be the change this world needs', 'changing it', 'change', 'me', 'replace', 'changes it'],
    ...['my placeholder', 'todolist', 'todo: x', 'xx', 'xxxy', 'axxx', 'secrets', 'my password'],
    ...['<secret', 'secret>', '<>', '{secret}', '{{}}', '____', '__secret', '_secret_'],
    ...['your', 'yours-truly', 'my-your-x'],
  ];
  for (const value of values) assert.equal(isPlaceholder(value), false, JSON.stringify(value));
});

test('choice/box/94: recognizes a secret by a word of its name', () => {
  const secrets = [
    ...['PASS', 'DB_PASS', 'dbPass', 'ROOT_PASSWORD', 'DBPASSWORD', 'PASSPHRASE', 'MAIL_PASSWD', 'PASSCODE'],
    ...['APP_SECRET', 'SECRETS', 'secret_of_x', 'TOKEN2', 'KEY', 'API_KEY_V2', 'apiKey', 'APIKEY', 'KEYS'],
    ...['CREDENTIAL', 'AWS_CREDENTIALS', 'ADMIN_PWD', '_KEY'],
  ];
  for (const name of secrets) assert.equal(namesSecret(name), true, name);
  const others = ['MOTTO', 'TITLE', 'MONKEY', 'KEYBOARD', 'COMPASS', 'PASSENGERS', 'TOKENIZER', 'SECRETARY', '_'];
  for (const name of others) assert.equal(namesSecret(name), false, name);
});

test('choice/box/94: lists the secrets that hold a placeholder, in order', () => {
  const values = new Map([
    ['B_KEY', 'changeme'],
    ['A_KEY', 'fine'],
    ['TITLE', 'todo'],
    ['HATCH', 'todo'],
  ]);
  const settings = [
    { name: 'HATCH', type: 'password' },
    { name: 'TITLE', type: 'text' },
  ];
  assert.deepEqual(placeholderKeys(values, settings), ['B_KEY', 'HATCH']);
});
