import packageFile from '../../../package.json' with { type: 'json' };
import { acting, onBox, printing } from '../box-of.ts';
import { type Call, type Command, command, print, write } from '../command.ts';
import { boxSettings, consoleSettings, readBoxSettings, readConsoleSettings } from '../settings/box-settings.ts';
import { isOn, text, wholeNumber } from '../settings/parsers.ts';
import { read, readAll, row } from '../settings/setting.ts';
import { appUpdateCommands } from './box-app-updates.ts';
import { backupCommands, backupSettings } from './box-backup.ts';
import { httpsCommands } from './box-https.ts';

const { catalogue, bundledApps, installedApps, stateDir, allowedHosts, keepImagesDays, notify } = boxSettings;
const { releaseFeed, releaseKey, softwareDir, unit, updateWaitSeconds } = boxSettings;
const ofApps = { installedApps, stateDir };
const ofUpdate = { stateDir, releaseFeed, releaseKey, softwareDir, unit, updateWaitSeconds };

// biome-ignore format: a setting is a row
const ofLog = {
  isFollowed: row('--follow', 'BOX_LOGS_FOLLOW', isOn, false, 'show later lines as they come, until Ctrl-C'),
  lines: row('--lines N', 'BOX_LOGS_LINES', wholeNumber(1, 10_000), 1000, 'how many of the last lines'),
};
const storeName = row('--name NAME', '', text, undefined, 'a name for the store instead of the end of its address');
// biome-ignore format: a setting is a row
const report = row('--report', 'BOX_DOCTOR_REPORT', isOn, false,
  'print a report to send to somebody who helps, without secrets');

const serve: Command['run'] = async (call) => {
  const settings = readBoxSettings(call);
  const { serveBox } = await import('../../box/api/serve.ts');
  await serveBox(settings);
  return 0;
};

const serveSettingsPages: Command['run'] = async (call) => {
  const settings = readConsoleSettings(call);
  const { serveConsole } = await import('../../console/server.ts');
  await serveConsole(settings);
  return 0;
};

const applyUpdate: Command['run'] = async (call) => {
  const { updateApplyCommand } = await import('../../self-update/commands.ts');
  const { boxProduct } = await import('../../self-update/product.ts');
  const { BOX_UPDATE_ATTEMPT: attempt } = call.env;
  return updateApplyCommand(boxProduct, readBoxSettings(call), packageFile.version, attempt);
};

const checkUpdate: Command['run'] = async (call) => {
  const { updateCheckCommand } = await import('../../self-update/commands.ts');
  return updateCheckCommand('box', readBoxSettings(call), packageFile.version);
};

const checkApps: Command['run'] = async (call) => {
  const { checkCatalogue } = await import('../../box/app-files/catalogue-check.ts');
  const { catalogueDirectories } = await import('../../box/make-base.ts');
  const { makeAskCompose } = await import('../../box/adapters/docker/ask-compose.ts');
  return checkCatalogue(catalogueDirectories(readBoxSettings(call)), makeAskCompose(call.env));
};

const checkStoreApps = onBox(async (box, [store = '']) => {
  const { checkStore } = await import('../../box/stores/stores.ts');
  const { reportLine } = await import('../../box/stores/rules/store.ts');
  return checkStore(box, store).map(reportLine);
});

const showLog = onBox(async (box, [name = ''], call) => {
  const { printAppLog } = await import('../../box/logs/app-log.ts');
  await printAppLog(box, { name, ...readAll(ofLog, call) }, print);
  return 0;
});

const examine = onBox(async (box, _words, call) => {
  const { makeReport } = await import('../../box/doctor/make-report.ts');
  if (read(report, call)) return write(await makeReport(box));
  const { printRoom } = await import('../../console/rooms.ts');
  const { status, lines } = await printRoom(box, 'box');
  return print(lines.join('\n')) || status;
});

const named = ([name = '']: string[]) => ({ name });
const addedStore = ([address = '']: string[], call: Call) => ({ address, name: read(storeName, call) ?? '' });

// biome-ignore format: a command is a row
export const boxCommands: readonly Command[] = [
  command('box serve', 'run the app manager of a box', boxSettings, serve, () => true),
  ...appUpdateCommands,
  command('box update check', 'ask the release feed for a newer version of the box software', ofUpdate, checkUpdate),
  command('box update apply', 'update the box software', ofUpdate, applyUpdate,
    ({ BOX_UPDATE_ATTEMPT: attempt }) => attempt !== undefined),
  command('box settings undo NAME', 'give an app the settings that it had before their latest change',
    ofApps, acting('apps/undo')),
  command('box disks accept NAME',
    'start an app though a disk that it used is missing, with its folders as they are now',
    ofApps, acting('apps/accept')),
  command('box catalogue check', 'find faults of the apps that can be installed',
    { catalogue, bundledApps, stateDir }, checkApps),
  command('box trash list', 'list the removed apps that are still kept', ofApps, printing('trash')),
  command('box trash restore NAME', 'bring a removed app back and start it', ofApps,
    onBox(async (box, [name = '']) => (await import('../../box/apps/restore-removed.ts')).restoreApp(box, name))),
  command('box trash delete NAME', 'delete for good what is kept of a removed app', ofApps,
    onBox(async (box, [name = '']) => (await import('../../box/apps/removed-apps.ts')).deleteApp(box, name))),
  command('box console', 'serve the pages at /settings/: trash, logs, backups and more', consoleSettings,
    serveSettingsPages, () => true),
  command('box space free', 'remove the images that updates of apps have replaced, without waiting for their day',
    backupSettings, acting('space/free')),
  command('box space', 'what takes the disk space: apps, images, volumes, trash, backups, and what can go',
    { ...backupSettings, keepImagesDays }, printing('space')),
  command('box store add ADDRESS', 'offer the apps of a store: the address of a git repository, or a folder',
    { stateDir, storeName }, acting('stores/add', addedStore)),
  command('box store list', 'list the stores, and how many apps each offers', { stateDir }, printing('stores')),
  command('box store update [NAME]', 'read one store anew, or all', { stateDir }, acting('stores/update', named)),
  command('box store remove NAME', 'end the offer of a store; its apps that are installed stay',
    { stateDir }, acting('stores/remove', named)),
  command('box store check NAME', 'list what became of each app of a store: offered or left out, and why',
    { stateDir }, checkStoreApps),
  command('box logs APP', "show the log of an app's containers, without its secrets",
    { ...ofApps, ...ofLog }, showLog),
  command('box restart APP', 'stop an app and start it again, and see whether it stays up',
    ofApps, acting('apps/restart')),
  command('box stop APP', 'stop an app, which then stays stopped until it is started', ofApps, acting('apps/stop')),
  command('box start APP', 'start an app that was stopped, and see whether it stays up', ofApps, acting('apps/start')),
  ...backupCommands,
  ...httpsCommands,
  command('box notify test',
    'send a test message to the address of notifications, and say what the other side answered',
    { stateDir, notify }, acting('notifications/test')),
  command('box notify status', 'where notifications go, when the latest was sent, and what is still to be sent',
    { stateDir, notify }, printing('notifications')),
  command('box doctor', 'look at everything that the box needs, and say what is wrong and what to do',
    { stateDir, installedApps, allowedHosts, report, notify }, examine),
];
