import { existsSync } from 'node:fs';
import packageFile from '../../../package.json' with { type: 'json' };
import type { makeBackupCommands } from '../../gateway/backup/backup-commands.ts';
import { usualProxy } from '../../gateway/gateway-settings.ts';
import { logLine } from '../../lib/log-line.ts';
import { terminalAsk } from '../ask.ts';
import { type Call, type Command, command, print } from '../command.ts';
import {
  copySettings,
  gatewayNotify,
  gatewaySettings,
  gatewayUpdateSettings,
  keepSettings,
  placeSettings,
  proxy,
  readBackupPlace,
  readRepositorySettings,
  repositorySettings,
} from '../settings/gateway-settings.ts';
import { readSetupRequest, setupSettings } from '../settings/gateway-setup-settings.ts';
import { unitVariables } from '../settings/operator-variables.ts';
import { read, readAll } from '../settings/setting.ts';

const { store, stateDir } = gatewaySettings;
const { releaseFeed, releaseKey } = gatewayUpdateSettings;

/** With the variables of the gateway's service. */
const asUnit = ({ flags, env }: Call) => ({ flags, env: unitVariables(env) });

const operator = () => import('../../gateway/operator-commands.ts');
const updates = () => import('../../gateway/update-command.ts');
const doctor = () => import('../../gateway/doctor/doctor.ts');
const notify = () => import('../../gateway/doctor/notify-commands.ts');
const note = (text: string) => logLine(`boxgate: ${text}`);

/** Without the flags, which are those of the setup. */
const settingsOfUnit = (call: Call) => asUnit({ ...call, flags: {} });

async function hasBoxes(call: Call): Promise<boolean> {
  const store = read(gatewaySettings.store, settingsOfUnit(call));
  if (store.kind === 'file' && !existsSync(store.path)) return false;
  const { viewStore } = await import('../../gateway/store/open-store.ts');
  const view = await viewStore(store);
  try {
    return (await view.listBoxes()).length > 0;
  } finally {
    await view.close();
  }
}

const setUp: Command['run'] = async (call) => {
  if (process.getuid?.() !== 0) return { status: 1, text: 'this is for root: run it with sudo' };
  const { inTurn, newerInstalled, savedVariables, setupCommand } = await import('../../gateway/setup/setup-command.ts');
  const notes = new Set<string>();
  const outside = {
    dnsServers: read(setupSettings.dnsServers, call),
    say: (line: string) => void print(line),
    async doctor() {
      const warn = (text: string) => {
        if (!notes.has(text)) print(`note: ${text}`);
        notes.add(text);
      };
      const settings = readAll(gatewaySettings, settingsOfUnit(call));
      return (await doctor()).doctorCommand(settings, usualProxy, warn, ({ isOfBox }) => isOfBox !== true);
    },
  };
  return inTurn(async () => {
    if (read(setupSettings.remove, call)) return setupCommand(null, outside);
    const newer = newerInstalled(packageFile.version);
    if (newer !== null) return newer;
    const request = await readSetupRequest(call, savedVariables(), terminalAsk(), () => hasBoxes(call));
    return setupCommand(request, outside);
  });
};

type BackupCommands = ReturnType<typeof makeBackupCommands>;

function onBackups(work: (commands: BackupCommands, call: Call) => ReturnType<Command['run']>): Command['run'] {
  return async (call) => {
    const { makeBackupCommands } = await import('../../gateway/backup/backup-commands.ts');
    const settings = readRepositorySettings(asUnit(call));
    return work(
      makeBackupCommands(settings, () => readBackupPlace(asUnit(call)), call.env),
      call,
    );
  };
}

const serve: Command['run'] = async (call) => {
  const settings = readAll(gatewaySettings, call);
  const { serveGateway } = await import('../../gateway/server.ts');
  await serveGateway(settings);
  return 0;
};

const copyStore: Command['run'] = async (call) => {
  const { from, to } = readAll(copySettings, call);
  const { copyStoreCommand } = await operator();
  return copyStoreCommand(from, to);
};

const checkUpdate: Command['run'] = async (call) => {
  const settings = readAll(gatewayUpdateSettings, asUnit(call));
  const { checkUpdateCommand, thisPlace } = await updates();
  return checkUpdateCommand(settings, thisPlace(packageFile.version));
};

const applyUpdate: Command['run'] = async (call) => {
  const settings = readAll(gatewayUpdateSettings, asUnit(call));
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
  return (await notify()).notifyCommand(settings, read(gatewayNotify, source), note);
};

const notifyStatus: Command['run'] = async (call) => {
  const source = asUnit(call);
  return (await notify()).notifyStatus(read(stateDir, source), read(gatewayNotify, source));
};

// biome-ignore format: a command is a row
export const gatewayCommands: readonly Command[] = [
  command('gateway setup', 'make this server a gateway with wg-easy and Traefik, or repair and upgrade one; for root',
    setupSettings, setUp),
  command('gateway backup key', 'print the key of the backups, to keep it in another place',
    repositorySettings, onBackups((commands) => commands.key())),
  command('gateway backup make', 'back up store, settings, routes and the keys of wg-easy; the gateway may be running',
    placeSettings, onBackups((commands) => commands.make())),
  command('gateway backup list', 'list the backups of gateways',
    repositorySettings, onBackups((commands) => commands.list())),
  command('gateway backup restore [ID]',
    'restore a stopped gateway, here or on another server, from its latest backup or the backup ID',
    { ...placeSettings, keepSettings },
    onBackups((commands, call) => commands.restore(call.words[0] ?? null, read(keepSettings, call)))),
  command('gateway serve', 'run the gateway control plane', gatewaySettings, serve),
  command('gateway boxes list', 'list the boxes of a gateway', { store, stateDir },
    async (call) => (await operator()).listBoxesCommand(read(store, asUnit(call)))),
  command('gateway boxes remove ID', 'remove a box, its routes and its tunnel peer; the gateway may be running',
    { store, stateDir },
    async (call) => (await operator()).removeBoxCommand(read(store, asUnit(call)), call.words[0] ?? '')),
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
    { notify: gatewayNotify }, async (call) => (await notify()).notifyTest(read(gatewayNotify, asUnit(call)))),
  command('gateway notify status', 'where notifications go, when the latest was sent, and what is still to be sent',
    { stateDir, notify: gatewayNotify }, notifyStatus),
];
