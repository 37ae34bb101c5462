import packageFile from '../../../package.json' with { type: 'json' };
import { logLine } from '../../lib/log-line.ts';
import { type Call, type Command, print } from '../command.ts';
import {
  copySettings,
  gatewayNotify,
  gatewaySettings,
  gatewayUpdateSettings,
  proxy,
  settingsFile,
} from '../settings/gateway-settings.ts';
import { operatorVariables, unitVariables } from '../settings/operator-variables.ts';
import { read, readAll } from '../settings/setting.ts';
import { gatewayBackupCommands } from './gateway-backup.ts';
import { gatewaySetupCommand } from './gateway-setup.ts';

const { store, stateDir } = gatewaySettings;
const { releaseFeed, releaseKey } = gatewayUpdateSettings;

/** With the variables of the file that the service reads. */
const asOperator = ({ flags, env }: Call) => ({ flags, env: operatorVariables(env, settingsFile) });
const asUnit = ({ flags, env }: Call) => ({ flags, env: unitVariables(env) });

const doctor = () => import('../../gateway/doctor/doctor-command.ts');
const note = (text: string) => logLine(`boxgate: ${text}`);

export const gatewayCommands: readonly Command[] = [
  gatewaySetupCommand,
  ...gatewayBackupCommands,
  {
    usage: 'gateway serve',
    summary: 'run the gateway control plane',
    settings: gatewaySettings,
    async run(call) {
      const settings = readAll(gatewaySettings, call);
      const { serveGateway } = await import('../../gateway/server.ts');
      await serveGateway(settings);
      return 0;
    },
  },
  {
    usage: 'gateway boxes list',
    summary: 'list the boxes of a gateway',
    settings: { store, stateDir },
    async run(call) {
      const { listBoxesCommand } = await import('../../gateway/operator-commands.ts');
      return listBoxesCommand(read(store, asOperator(call)));
    },
  },
  {
    usage: 'gateway boxes remove ID',
    summary: 'remove a box, its routes and its tunnel peer; the gateway may be running',
    settings: { store, stateDir },
    async run(call) {
      const { removeBoxCommand } = await import('../../gateway/operator-commands.ts');
      return removeBoxCommand(read(store, asOperator(call)), call.words[0] ?? '');
    },
  },
  {
    usage: 'gateway store copy',
    summary: 'copy the store of a stopped gateway to an empty one, so that no box has to join again',
    settings: copySettings,
    async run(call) {
      const { from, to } = readAll(copySettings, call);
      const { copyStoreCommand } = await import('../../gateway/store-command.ts');
      return copyStoreCommand(from, to);
    },
  },
  {
    usage: 'gateway update check',
    summary: 'ask the release feed for a newer version of the gateway software',
    settings: { releaseFeed, releaseKey },
    async run(call) {
      const settings = readAll(gatewayUpdateSettings, asOperator(call));
      const { checkUpdateCommand, thisPlace } = await import('../../gateway/update-command.ts');
      return checkUpdateCommand(settings, thisPlace(packageFile.version));
    },
  },
  {
    usage: 'gateway update apply',
    summary: 'update the gateway software; for root',
    settings: gatewayUpdateSettings,
    async run(call) {
      const settings = readAll(gatewayUpdateSettings, asOperator(call));
      const { applyUpdateCommand, runUpdateJob, thisPlace } = await import('../../gateway/update-command.ts');
      const place = thisPlace(packageFile.version);
      const { GATEWAY_UPDATE_ATTEMPT: attempt } = call.env;
      return attempt === undefined
        ? applyUpdateCommand(settings, place, print)
        : runUpdateJob(settings, place, attempt);
    },
  },
  {
    usage: 'gateway doctor',
    summary: 'walk from each box over its peer and its route file to the proxy, and print what does not match',
    settings: { ...gatewaySettings, proxy },
    async run(call) {
      const source = asUnit(call);
      const settings = readAll(gatewaySettings, source);
      const { status, text } = await (await doctor()).doctorCommand(settings, read(proxy, source), note);
      print(text);
      return status;
    },
  },
  {
    usage: 'gateway notify changes',
    summary: 'what boxgate-gateway-notify.service does: examine as the doctor, and send what has changed',
    settings: { ...gatewaySettings, notify: gatewayNotify },
    async run(call) {
      const source = process.getuid?.() === 0 ? asUnit(call) : call;
      const settings = readAll(gatewaySettings, source);
      return (await doctor()).notifyCommand(settings, read(gatewayNotify, source), note);
    },
  },
  {
    usage: 'gateway notify test',
    summary: 'send a test message to the address of notifications, and say what the other side answered',
    settings: { notify: gatewayNotify },
    run: async (call) => (await doctor()).notifyTest(read(gatewayNotify, asUnit(call))),
  },
  {
    usage: 'gateway notify status',
    summary: 'where notifications go, when the latest was sent, and what is still to be sent',
    settings: { stateDir, notify: gatewayNotify },
    async run(call) {
      const source = asUnit(call);
      return (await doctor()).notifyStatus(read(stateDir, source), read(gatewayNotify, source));
    },
  },
];
