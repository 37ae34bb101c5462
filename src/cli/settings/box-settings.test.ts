import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { boxSettings, readBoxSettings } from './box-settings.ts';
import { readFlags } from './setting.ts';
import { problemOf as usageProblem } from './testing/problem-of.ts';

const settingsOf = (args: string[], env: Record<string, string> = {}) =>
  readBoxSettings({ flags: readFlags(args, boxSettings).flags, env: { HOME: '/home/x', ...env } });

const problemOf = (args: string[], env: Record<string, string> = {}) => usageProblem(() => settingsOf(args, env));

test('a repeatable flag is a list, and its variable has commas', () => {
  assert.deepEqual(settingsOf(['--allowed-host', 'a.b', '--allowed-host', 'c.d']).allowedHosts, ['a.b', 'c.d']);
  assert.deepEqual(settingsOf([], { BOX_ALLOWED_HOSTS: 'a.b, c.d,' }).allowedHosts, ['a.b', 'c.d']);
  assert.deepEqual(settingsOf(['--allowed-host', 'x.y'], { BOX_ALLOWED_HOSTS: 'a.b' }).allowedHosts, ['x.y']);
});

test('choice/box/300: own apps are in the state directory unless told otherwise; the variable has colons', () => {
  assert.deepEqual(settingsOf(['--state-dir', '/s']).catalogue, ['/s/catalogue']);
  assert.deepEqual(settingsOf(['--catalogue', '/a', '--catalogue', '/b,c']).catalogue, ['/a', '/b,c']);
  assert.deepEqual(settingsOf([], { BOX_CATALOGUE: '/a,b:/c:' }).catalogue, ['/a,b', '/c']);
});

test('a bad value is refused under the name it came by', () => {
  const expected = 'expected a whole number from 0 to 65535, found';
  assert.equal(problemOf(['--port', '65536']), `--port: ${expected} "65536"`);
  assert.equal(problemOf([], { BOX_PORT: '1.5' }), `BOX_PORT: ${expected} "1.5"`);
  // biome-ignore format: a table
  const badValues = {
    '--port': ['-1', ''], '--host': ['', 'a b'], '--state-dir': [''], '--catalogue': ['/a:/b'],
    '--allowed-host': ['http://a.b', 'a.b:80'], '--keep-removed-days': ['x'],
    '--unit': ['own', '-x.service', 'a b.service', '../a.service'], '--update-wait': ['0'],
    '--release-feed': ['x', 'http://example.com/feed', 'ftp://127.0.0.1/feed'],
  };
  for (const [flag, values] of Object.entries(badValues)) {
    for (const value of values) assert.match(problemOf([`${flag}=${value}`]), new RegExp(`^${flag}: expected `), value);
  }
});

test('box/process/10: the versions of the software are in the folder that BOX_SOFTWARE_DIR names', () => {
  assert.equal(settingsOf([], { BOX_SOFTWARE_DIR: '/srv/box' }).softwareDir, '/srv/box');
  assert.equal(settingsOf([]).softwareDir, '/opt/boxgate');
});

test('takes every kind of release feed that there is', () => {
  const local = ['http://127.0.0.1:1/', 'http://localhost/x', 'http://[::1]:2/'];
  for (const feed of ['https://a.b/c', 'file:///a', ...local]) {
    assert.equal(settingsOf(['--release-feed', feed]).releaseFeed, feed);
  }
  assert.equal(settingsOf([]).releaseFeed, null);
});

test('a release feed with a password in its address is refused without showing it', () => {
  const problem = problemOf([], { BOX_RELEASE_FEED: 'https://me:hunter2@a.b/c' });
  assert.match(problem, /^BOX_RELEASE_FEED: expected an address without/);
  assert.doesNotMatch(problem, /hunter2/);
});

test('gateway/process/34: the state directory without root is that of XDG, for boxes and gateways alike', () => {
  const getuid = process.getuid;
  process.getuid = () => 1000;
  try {
    assert.equal(settingsOf([], { XDG_STATE_HOME: '/x' }).stateDir, '/x/boxgate');
    assert.match(settingsOf([], { XDG_STATE_HOME: 'relative' }).stateDir, /^\/.*\/\.local\/state\/boxgate$/);
    process.getuid = () => 0;
    assert.equal(settingsOf([]).stateDir, '/var/lib/boxgate');
  } finally {
    Object.assign(process, { getuid });
  }
});

test('the sample apps and the key of the package are where it ships them', () => {
  const { bundledApps, releaseKey } = settingsOf([]);
  const { files } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  for (const path of [bundledApps, releaseKey]) {
    assert.ok(
      files.some((file: string) => path.endsWith(`/${file}`)),
      path,
    );
  }
});

test('an update restarts the unit that BOX_UNIT names, and waits as long as BOX_UPDATE_WAIT says', () => {
  const { unit, updateWaitSeconds } = settingsOf([]);
  assert.deepEqual([unit, updateWaitSeconds], [null, 60]);
  const named = settingsOf(['--update-wait', '5'], { BOX_UNIT: 'own@1.service' });
  assert.deepEqual([named.unit, named.updateWaitSeconds], ['own@1.service', 5]);
});

test('how many backups are kept is one text', () => {
  const usual = { daily: 7, weekly: 4, monthly: 6, 'other-days': 14 };
  assert.equal(settingsOf([]).backupKeep, null);
  assert.deepEqual(settingsOf([], { BOX_BACKUP_KEEP: 'daily=3' }).backupKeep, { ...usual, daily: 3 });
  assert.equal(settingsOf(['--backup-keep', 'all']).backupKeep, 'all');
  assert.match(problemOf(['--backup-keep', '7']), /^--backup-keep: expected all, or numbers such as daily=7/);
});

test('the address of notifications is a secret: it has no flag, and no error quotes it', () => {
  assert.equal(settingsOf([]).notify, null);
  assert.equal(settingsOf([], { BOX_NOTIFY: 'https://ntfy.sh/topic' }).notify, 'https://ntfy.sh/topic');
  assert.equal(
    problemOf([], { BOX_NOTIFY: 'ntfy.sh/topic' }),
    'BOX_NOTIFY: expected an address that begins with https:// or http://',
  );
});
