import packageFile from '../../../package.json' with { type: 'json' };
import { logLine } from '../../lib/log-line.ts';
import { type Command, print, tell } from '../command.ts';
import {
  copySecrets,
  copySettings,
  gatewayNotifySecret,
  gatewaySecrets,
  gatewaySettings,
  proxySetting,
  readCopySettings,
  readGatewaySettings,
  readStoreSettings,
  storeSecret,
} from '../settings/gateway-settings.ts';
import { gatewayUpdateSettings, readGatewayUpdateSettings } from '../settings/gateway-update-settings.ts';
import { operatorVariables, unitVariables } from '../settings/operator-variables.ts';
import { given, UsageError } from '../settings/setting.ts';
import { readNotifyAddress } from '../settings/shared-settings.ts';
import { gatewayBackupCommands } from './gateway-backup.ts';
import { gatewaySetupCommand } from './gateway-setup.ts';

const { store, stateDir } = gatewaySettings;
const storeSettings = { store, stateDir };
const { releaseFeed, releaseKey } = gatewayUpdateSettings;
const settingsFile = '/etc/boxgate/gateway.env';

export const gatewayCommands: readonly Command[] = [
  gatewaySetupCommand,
  ...gatewayBackupCommands,
  {
    words: 'gateway serve',
    summary: 'run the gateway control plane',
    settings: gatewaySettings,
    secrets: gatewaySecrets,
    async run(flags, _words, env) {
      const settings = readGatewaySettings(flags, env);
      const { serveGateway } = await import('../../gateway/server.ts');
      await serveGateway(settings);
      return 0;
    },
  },
  {
    words: 'gateway boxes list',
    summary: 'list the boxes of a gateway',
    settings: storeSettings,
    secrets: [storeSecret],
    async run(flags, _words, env) {
      const address = readStoreSettings(flags, operatorVariables(env, settingsFile)).store;
      const { listBoxesCommand } = await import('../../gateway/operator-commands.ts');
      return tell(await listBoxesCommand(address));
    },
  },
  {
    words: 'gateway boxes remove',
    takes: ['ID'],
    summary: 'remove a box, its routes and its tunnel peer; the gateway may be running',
    settings: storeSettings,
    secrets: [storeSecret],
    async run(flags, [id = ''], env) {
      const address = readStoreSettings(flags, operatorVariables(env, settingsFile)).store;
      const { removeBoxCommand } = await import('../../gateway/operator-commands.ts');
      return tell(await removeBoxCommand(address, id));
    },
  },
  {
    words: 'gateway store copy',
    summary: 'copy the store of a stopped gateway to an empty one, so that no box has to join again',
    settings: copySettings,
    secrets: copySecrets,
    async run(flags, _words, env) {
      const { from, to } = readCopySettings(flags, env);
      const { copyStoreCommand } = await import('../../gateway/store-command.ts');
      return tell(await copyStoreCommand(from, to));
    },
  },
  {
    words: 'gateway update check',
    summary: 'ask the release feed for a newer version of the gateway software',
    settings: { releaseFeed, releaseKey },
    async run(flags, _words, env) {
      const settings = readGatewayUpdateSettings(flags, operatorVariables(env, settingsFile));
      const { checkUpdateCommand, thisPlace } = await import('../../gateway/update-command.ts');
      return tell(await checkUpdateCommand(settings, thisPlace(packageFile.version)));
    },
  },
  {
    words: 'gateway update apply',
    summary: 'update the gateway software; for root',
    settings: { ...gatewayUpdateSettings, stateDir },
    async run(flags, _words, env) {
      const settings = readGatewayUpdateSettings(flags, operatorVariables(env, settingsFile));
      const { applyUpdateCommand, runUpdateJob, thisPlace } = await import('../../gateway/update-command.ts');
      const place = thisPlace(packageFile.version);
      const { GATEWAY_UPDATE_ATTEMPT: attempt } = env;
      if (attempt !== undefined) return tell(await runUpdateJob(settings, place, attempt));
      return tell(await applyUpdateCommand(settings, place, print));
    },
  },
  {
    words: 'gateway doctor',
    summary: 'walk from each box over its peer and its route file to the proxy, and print what does not match',
    settings: { ...gatewaySettings, proxy: proxySetting },
    secrets: gatewaySecrets,
    async run(flags, _words, env) {
      const variables = unitVariables(env);
      const settings = readGatewaySettings(flags, variables);
      const { doctorCommand, usualProxy } = await import('../../gateway/doctor/doctor-command.ts');
      const proxy = given(proxySetting, flags, variables) ?? usualProxy;
      const { status, text } = await doctorCommand(settings, proxy, (note) => logLine(`boxgate: ${note}`));
      print(text);
      return status;
    },
  },
  {
    words: 'gateway notify changes',
    summary: 'what boxgate-gateway-notify.service does: examine as the doctor, and send what has changed',
    settings: gatewaySettings,
    secrets: [...gatewaySecrets, gatewayNotifySecret],
    async run(flags, _words, env) {
      const variables = process.getuid?.() === 0 ? unitVariables(env) : env;
      const settings = readGatewaySettings(flags, variables);
      const address = notifyAddress(variables);
      const { notifyCommand } = await import('../../gateway/doctor/doctor-command.ts');
      return tell(await notifyCommand(settings, address, (note) => logLine(`boxgate: ${note}`)));
    },
  },
  {
    words: 'gateway notify test',
    summary: 'send a test message to the address of notifications, and say what the other side answered',
    settings: {},
    secrets: [gatewayNotifySecret],
    async run(_flags, _words, env) {
      const { notifyTest } = await import('../../gateway/doctor/doctor-command.ts');
      return tell(await notifyTest(notifyAddress(unitVariables(env))));
    },
  },
  {
    words: 'gateway notify status',
    summary: 'where notifications go, when the latest was sent, and what is still to be sent',
    settings: { stateDir },
    secrets: [gatewayNotifySecret],
    async run(flags, _words, env) {
      const variables = unitVariables(env);
      const { notifyStatus } = await import('../../gateway/doctor/doctor-command.ts');
      return tell(notifyStatus(readStoreSettings(flags, variables).stateDir, notifyAddress(variables)));
    },
  },
];

function notifyAddress(variables: NodeJS.ProcessEnv): string {
  const address = readNotifyAddress(gatewayNotifySecret, variables);
  if (address === null) throw new UsageError(`set ${gatewayNotifySecret.variable}_FILE in ${settingsFile}`);
  return address;
}
