import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPlaceholder, namesSecret, placeholderKeys } from './placeholder.ts';

test('choice/box/94: recognizes the orders that packagers write in the place of a secret', () => {
  const placeholders = [
    ...['changeme', 'CHANGEME', 'change-me', 'change_me', 'Change Me', 'changeit', 'change this', 'replaceme'],
    ...['replace_it', 'change-me-now', 'changeme123', ' changeme\n', 'changePassword', 'change_this_password'],
    ...['please-change-me', 'PLEASE_CHANGE_THIS', 'pleaseChangeMe', 'Please change this', 'generate_me', 'setme'],
    ...['replace_with_random_string', 'replace-with-32-characters', 'INSERT_YOUR_KEY_HERE', 'enter-your-token'],
    ...[
      'fill-in',
      'FILL_ME_IN',
      'fillMeIn',
      'put_it_here',
      'PutYourSecretHere',
      'set-password',
      'SET_A_STRONG_PASSWORD',
    ],
    ...['changeThisToARandomSecret', 'changemenow', 'changethispassword', 'generate-a-long-random-string', 'ChangeMe!'],
    ...[
      'replaceWithYourApiKey',
      'CHANGE--ME',
      'change_the_credentials',
      'insertSaltHere',
      'enterPassphrase',
      'setPwd1',
    ],
    ...['placeholder', 'TODO', 'FixMe', ' todo ', 'xxx', 'XXXXXXXX', 'secret', 'Password'],
    ...['<secret>', '<your secret>', '{{ secret }}', '__SECRET__', 'your-secret', 'YOUR_PASSWORD', '<a\nb>'],
    ...['[generate a long random string]', '[[ key ]]', '[ your key ]', 'your-256-bit-secret', '<paste the key here>'],
  ];
  for (const value of placeholders) assert.equal(isPlaceholder(value), true, JSON.stringify(value));
});

test('choice/box/94: does not take values and sentences of an owner for placeholders', () => {
  const values = [
    ...['', ' ', 'exchange items', 'exchangeme', '1changeme', '!changeme', 'exchange-rate-7', 'mysecretpassword'],
    ...['Be the change this world needs', 'changing it', 'change', 'me', 'replace', 'changes it', 'change-of-heart'],
    ...['change me when the tide turns', 'please change the record', 'set this house on fire', 'enter sandman at 3'],
    ...['changing seasons over the quiet bay', 'changeling', 'changement', 'replacements-1985', 'replacementKey'],
    ...[
      'generated9f8e7d6c5b4a',
      'generator-7',
      'insertion-sort-Is-fine-42',
      'inserting',
      'entertainment-9',
      'entering',
    ],
    ...[
      'settlement',
      'setting-suns',
      'setThistle',
      'set-theory-1908',
      'putter-green',
      'puttyInHand',
      'filling-station',
    ],
    ...['change-itinerary', 'changekeyboard', 'change-passport', 'entertokenring', 'pleased-to-meet-you', 'please'],
    ...['yourself and 12 horses', 'correct horse battery staple', 'k3Y!xxxx-Ab', 'a-change-me-down', 'unset-me'],
    ...['my placeholder', 'todolist', 'todo: x', 'xx', 'xxxy', 'axxx', 'secrets', 'my password', 'password1'],
    ...['<secret', 'secret>', '<>', '{secret}', '{{}}', '____', '__secret', '_secret_', '[]', '[ ]', '[a', 'a]'],
    ...['["k1","k2"]', '[{"k":1}]', "[ 'k' ]", 'your', 'yours-truly', 'my-your-x', 'yourself'],
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
