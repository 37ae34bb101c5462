import packageFile from '../../../package.json' with { type: 'json' };
import { logLine } from '../../lib/log-line.ts';
import { type Call, type Command, command, print } from '../command.ts';
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

const operator = () => import('../../gateway/operator-commands.ts');
const updates = () => import('../../gateway/update-command.ts');
const doctor = () => import('../../gateway/doctor/doctor-command.ts');
const note = (text: string) => logLine(`boxgate: ${text}`);

const serve: Command['run'] = async (call) => {
  const settings = readAll(gatewaySettings, call);
  const { serveGateway } = await import('../../gateway/server.ts');
  await serveGateway(settings);
  return 0;
};

const copyStore: Command['run'] = async (call) => {
  const { from, to } = readAll(copySettings, call);
  const { copyStoreCommand } = await import('../../gateway/store-command.ts');
  return copyStoreCommand(from, to);
};

const checkUpdate: Command['run'] = async (call) => {
  const settings = readAll(gatewayUpdateSettings, asOperator(call));
  const { checkUpdateCommand, thisPlace } = await updates();
  return checkUpdateCommand(settings, thisPlace(packageFile.version));
};

const applyUpdate: Command['run'] = async (call) => {
  const settings = readAll(gatewayUpdateSettings, asOperator(call));
  const { applyUpdateCommand, runUpdateJob, thisPlace } = await updates();
  const place = thisPlace(packageFile.version);
  const { GATEWAY_UPDATE_ATTEMPT: attempt } = call.env;
  return attempt === undefined ? applyUpdateCommand(settings, place, print) : runUpdateJob(settings, place, attempt);
};

const examine: Command['run'] = async (call) => {
  const source = asUnit(call);
  const settings = readAll(gatewaySettings, source);
  const { status, text } = await (await doctor()).doctorCommand(settings, read(proxy, source), note);
  print(text);
  return status;
};

const tellChanges: Command['run'] = async (call) => {
  const source = process.getuid?.() === 0 ? asUnit(call) : call;
  const settings = readAll(gatewaySettings, source);
  return (await doctor()).notifyCommand(settings, read(gatewayNotify, source), note);
};

const notifyStatus: Command['run'] = async (call) => {
  const source = asUnit(call);
  return (await doctor()).notifyStatus(read(stateDir, source), read(gatewayNotify, source));
};

// biome-ignore format: a command is a row
export const gatewayCommands: readonly Command[] = [
  gatewaySetupCommand,
  ...gatewayBackupCommands,
  command('gateway serve', 'run the gateway control plane', gatewaySettings, serve),
  command('gateway boxes list', 'list the boxes of a gateway', { store, stateDir },
    async (call) => (await operator()).listBoxesCommand(read(store, asOperator(call)))),
  command('gateway boxes remove ID', 'remove a box, its routes and its tunnel peer; the gateway may be running',
    { store, stateDir },
    async (call) => (await operator()).removeBoxCommand(read(store, asOperator(call)), call.words[0] ?? '')),
  command('gateway store copy', 'copy the store of a stopped gateway to an empty one, so that no box has to join again',
    copySettings, copyStore),
  command('gateway update check', 'ask the release feed for a newer version of the gateway software',
    { releaseFeed, releaseKey }, checkUpdate),
  command('gateway update apply', 'update the gateway software; for root', gatewayUpdateSettings, applyUpdate),
  command('gateway doctor',
    'walk from each box over its peer and its route file to the proxy, and print what does not match',
    { ...gatewaySettings, proxy }, examine),
  command('gateway notify changes',
    'what boxgate-gateway-notify.service does: examine as the doctor, and send what has changed',
    { ...gatewaySettings, notify: gatewayNotify }, tellChanges),
  command('gateway notify test',
    'send a test message to the address of notifications, and say what the other side answered',
    { notify: gatewayNotify }, async (call) => (await doctor()).notifyTest(read(gatewayNotify, asUnit(call)))),
  command('gateway notify status', 'where notifications go, when the latest was sent, and what is still to be sent',
    { stateDir, notify: gatewayNotify }, notifyStatus),
];
