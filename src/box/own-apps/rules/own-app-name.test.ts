import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAppName, projectOfDirectory } from '../../rules/manifest/app-name.ts';
import { nextVersion, ownAppNameOf } from './own-app-name.ts';

const names: [title: string, name: string | RegExp][] = [
  ['My Notes', 'my-notes'],
  [' Gitea & Co. ', 'gitea-co'],
  ['Überwachung', 'uberwachung'],
  ['../../etc', 'etc'],
  ['..', /needs a letter/],
  ['/', /needs a letter/],
  ['日記', /needs a letter/],
  ['', /needs a letter/],
  ['a'.repeat(61), /more than 60 characters/],
];

test('the name of an app is made of its title', () => {
  for (const [title, wanted] of names) {
    const made = ownAppNameOf(title);
    if (typeof wanted !== 'string') assert.match('fault' in made ? made.fault : made.name, wanted, title);
    else {
      assert.deepEqual(made, { name: wanted }, title);
      assert.ok(isAppName(wanted));
      assert.equal(projectOfDirectory(wanted), wanted);
    }
  }
});

test('the version is higher than that of the apps that it replaces', () => {
  const app = (version: string) => ({ manifest: { version } });
  assert.equal(nextVersion([]), '1');
  assert.equal(nextVersion([app('2'), app('9'), { manifest: null }, app('beta')]), '10');
});
