import assert from 'node:assert/strict';
import { test } from 'node:test';
import { appNameFault, appTitles, isAppName, nameInPath, projectOfDirectory } from './app-name.ts';

test('choice/box/28: accepts every name that a directory can have', () => {
  const names = ['a', '0', 'notes', 'a_b', 'My_App', 'Grüße 1', 'a+b', '-a', '_', 'a.b', '日本', '100%', 'a\\b', '~'];
  const odd = ['constructor', '__proto__', '%2e%2e', 'x'.repeat(255), 'ü'.repeat(127), ' ', 'e\u0301', '\u202eppa'];
  for (const name of [...names, ...odd]) assert.equal(isAppName(name), true, name);
});

test('choice/box/28: accepts no other name', () => {
  const others = ['', '.', '..', '.boxgate', '.a', 'a/b', 'a\n', 'a\0', 'a\u007f', 'a\u0085', 'a\ud800', 'a\ufffd'];
  for (const name of [...others, 'x'.repeat(256), 'ü'.repeat(128)]) {
    assert.equal(isAppName(name), false, JSON.stringify(name));
  }
});

test('choice/box/32: says which name was expected and which was found', () => {
  assert.match(appNameFault('a\n'), /without control characters; found "a\\n"$/);
});

test('choice/box/242: decodes escapes of characters that a path cannot hold', () => {
  const rows = [
    ['notes', 'notes'],
    ['Gr%C3%BC%c3%9fe%201', 'Grüße 1'],
    ['a+b', 'a+b'],
    ['a%2Bb', 'a+b'],
    ['100%25', '100%'],
    ['%252e%252e', '%2e%2e'],
    ['%22%3C%3E%23%3F%5B%40%60%7B', '"<>#?[@`{'],
  ];
  for (const [sent, name] of rows) assert.equal(nameInPath(sent ?? ''), name, sent);
});

test('choice/box/242: keeps a name with any other escape unchanged', () => {
  const needless = [
    '%6eotes',
    '%4E%20',
    '%2e%2e',
    '%2E',
    '%2f',
    'a%2Fb',
    '%00',
    '%0a',
    '%1F',
    '%7F',
    '%7e',
    '%5f',
    '%35',
  ];
  const broken = ['50%', '%', '%2', '%zz', '%ff', '%C3', '%C3%28', '%ED%A0%80', '%F0%9F'];
  for (const sent of [...needless, ...broken]) assert.equal(nameInPath(sent), sent);
});

test('box/process/20: makes the project name that Compose itself makes of a directory', () => {
  const rows = [
    ['notes', 'notes'],
    ['a_b-1', 'a_b-1'],
    ['My_App', 'my_app'],
    ['Grüße 1', 'gre1'],
    ['_-a', 'a'],
    ['a.b', 'ab'],
    ['\u212aiosk', 'kiosk'],
  ];
  for (const [name, project] of rows) assert.equal(projectOfDirectory(name ?? ''), project);
});

test('makes a project name if Compose makes none', () => {
  assert.equal(projectOfDirectory('日本'), 'app-65e5-672c');
  assert.equal(projectOfDirectory('__'), 'app-5f-5f');
  assert.notEqual(projectOfDirectory('日'), projectOfDirectory('本'));
  assert.match(projectOfDirectory('💡'.repeat(63)), /^[a-z0-9][a-z0-9_-]*$/);
});

test('a title that two apps share has their names', () => {
  const apps = [
    { name: 'memos', title: 'Memos' },
    { name: 'diary', title: 'memos' },
    { name: 'notes', title: 'Notes' },
    { name: 'Notes', title: 'Notes' },
    { name: 'files', title: 'files' },
    { name: 'disk', title: 'Files' },
  ];
  assert.deepEqual(Object.fromEntries(appTitles(apps)), {
    memos: 'Memos (memos)',
    diary: 'memos (diary)',
    notes: 'Notes (notes)',
    Notes: 'Notes',
    files: 'files',
    disk: 'Files (disk)',
  });
  // The catalogue has the app as well.
  assert.equal(
    appTitles([
      { name: 'a', title: 'A' },
      { name: 'a', title: 'A' },
    ]).get('a'),
    'A',
  );
});
