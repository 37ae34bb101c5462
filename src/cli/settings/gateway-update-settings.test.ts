import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gatewayCommands } from '../commands/gateway.ts';
import { gatewaySettings } from './gateway-settings.ts';
import { gatewayUpdateSettings, readGatewayUpdateSettings } from './gateway-update-settings.ts';
import { readFlags } from './setting.ts';
import { problemOf } from './testing/problem-of.ts';

const rows = { ...gatewayUpdateSettings, stateDir: gatewaySettings.stateDir };

const settingsOf = (args: string[], env: Record<string, string> = {}) =>
  readGatewayUpdateSettings(readFlags(args, rows).flags, { HOME: '/home/x', ...env });

test('choice/gateway/394: the defaults of an update', () => {
  const { releaseKey, ...settings } = settingsOf(['--state-dir', '/s']);
  assert.deepEqual(settings, {
    stateDir: '/s',
    releaseFeed: null,
    softwareDir: '/opt/boxgate',
    unit: 'boxgate-gateway.service',
    updateWaitSeconds: 60,
    migrateStore: false,
  });
  assert.match(releaseKey, /\/src\/box\/release-key\.pem$/);
});

test('choice/gateway/394: every setting of an update has a flag, which wins over its variable', () => {
  const given = {
    releaseFeed: ['https://example.org/release.json', 'https://example.org/release.json'],
    releaseKey: ['/k', '/k'],
    softwareDir: ['/d', '/d'],
    unit: ['mine.service', 'mine.service'],
    updateWaitSeconds: ['5', 5],
  } as const;
  for (const [key, [text, value]] of Object.entries(given)) {
    const { flag, variable } = rows[key as keyof typeof given];
    const settings = settingsOf([`${flag}=${text}`], { [variable]: 'nonsense' });
    assert.deepEqual(settings[key as keyof typeof given], value);
    assert.deepEqual(settingsOf([], { [variable]: text })[key as keyof typeof given], value);
  }
  assert.equal(settingsOf(['--migrate-store']).migrateStore, true);
  assert.equal(settingsOf([], { GATEWAY_MIGRATE_STORE: '1' }).migrateStore, true);
});

test('choice/gateway/394: a bad value is refused and named', () => {
  for (const [flag, text] of [
    ['--release-feed', 'http://example.org/release.json'],
    ['--release-feed', 'https://me:secret@example.org/release.json'],
    ['--unit', 'boxgate-gateway'],
    ['--unit', '--user.service'],
    ['--update-wait', '0'],
    ['--update-wait', 'soon'],
    ['--software-dir', ''],
  ] as const) {
    const problem = problemOf(() => settingsOf([`${flag}=${text}`]));
    assert.ok(problem.startsWith(`${flag}: expected`), problem);
  }
});

test('choice/gateway/394: the settings of an update belong to its commands alone', () => {
  const flagsOf = (words: string) =>
    Object.values(gatewayCommands.find((command) => command.words === words)?.settings ?? {}).map(({ flag }) => flag);
  assert.deepEqual(flagsOf('gateway update check'), ['--release-feed', '--release-key']);
  const ofApply = Object.values(rows).map(({ flag }) => flag);
  assert.deepEqual(flagsOf('gateway update apply'), ofApply);
  const ofUpdate = Object.values(gatewayUpdateSettings).map(({ flag }) => flag);
  for (const { words } of gatewayCommands.filter((command) => !command.words.startsWith('gateway update'))) {
    assert.ok(!flagsOf(words).some((flag) => ofUpdate.includes(flag)), words);
  }
});
