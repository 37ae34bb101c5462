import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gatewayCommands } from '../commands/gateway.ts';
import { gatewaySettings } from './gateway-settings.ts';
import { gatewayUpdateSettings, readGatewayUpdateSettings } from './gateway-update-settings.ts';
import { readFlags } from './setting.ts';

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
