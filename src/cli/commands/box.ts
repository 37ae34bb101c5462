import packageFile from '../../../package.json' with { type: 'json' };
import { boxOf } from '../box-of.ts';
import { type Command, print, tell } from '../command.ts';
import { makePublicRoutes } from '../public-routes.ts';
import { boxSettings, notifySecret, readBoxSettings } from '../settings/box-settings.ts';
import { consoleSettings, readConsoleSettings } from '../settings/console-settings.ts';
import { appUpdateCommands } from './box-app-updates.ts';
import { backupCommands } from './box-backup.ts';
import { backupScheduleCommands } from './box-backup-schedule.ts';
import { doctorCommands } from './box-doctor.ts';
import { httpsCommands } from './box-https.ts';
import { notifyCommands } from './box-notify.ts';
import { roomCommands } from './box-room.ts';
import { spaceCommands } from './box-space.ts';

const { catalogue, bundledApps, installedApps, stateDir } = boxSettings;
const { releaseFeed, releaseKey, softwareDir, unit, updateWaitSeconds } = boxSettings;
const catalogueSettings = { catalogue, bundledApps, stateDir };
const appSettings = { installedApps, stateDir };
const feedSettings = { releaseFeed, releaseKey };
const updateSettings = { stateDir, ...feedSettings, softwareDir, unit, updateWaitSeconds };

export const boxCommands: readonly Command[] = [
  {
    words: 'box serve',
    summary: 'run the app manager of a box',
    settings: boxSettings,
    secrets: [notifySecret],
    hasVariables: () => true,
    async run(flags, _words, env) {
      const settings = readBoxSettings(flags, env);
      const { serveBox } = await import('../../box/server.ts');
      await serveBox(settings, makePublicRoutes(settings.stateDir));
      return 0;
    },
  },
  ...appUpdateCommands,
  {
    words: 'box update check',
    summary: 'ask the release feed for a newer version of the box software',
    settings: updateSettings,
    async run(flags, _words, env) {
      const settings = readBoxSettings(flags, env);
      const { updateCheckCommand } = await import('../../self-update/commands.ts');
      return tell(await updateCheckCommand('box', settings, packageFile.version));
    },
  },
  {
    words: 'box update apply',
    summary: 'update the box software',
    settings: updateSettings,
    hasVariables: ({ BOX_UPDATE_ATTEMPT: attempt }) => attempt !== undefined,
    async run(flags, _words, env) {
      const { BOX_UPDATE_ATTEMPT: attempt } = env;
      const settings = readBoxSettings(flags, env);
      const { updateApplyCommand } = await import('../../self-update/commands.ts');
      const { boxProduct } = await import('../../self-update/product.ts');
      return tell(await updateApplyCommand(boxProduct, settings, packageFile.version, attempt));
    },
  },
  {
    words: 'box settings undo',
    takes: ['NAME'],
    summary: 'give an app the settings that it had before their latest change',
    settings: appSettings,
    async run(flags, [name = ''], env) {
      const { undoSettings } = await import('../../box/apps/app-commands.ts');
      return tell(await undoSettings(await boxOf(flags, env), name));
    },
  },
  {
    words: 'box disks accept',
    takes: ['NAME'],
    summary: 'start an app though a disk that it used is missing, with its folders as they are now',
    settings: appSettings,
    async run(flags, [name = ''], env) {
      const { acceptDisks } = await import('../../box/apps/app-commands.ts');
      return tell(await acceptDisks(await boxOf(flags, env), name));
    },
  },
  {
    words: 'box catalogue check',
    summary: 'find faults of the apps that can be installed',
    settings: catalogueSettings,
    async run(flags, _words, env) {
      const { checkCatalogue } = await import('../../box/app-files/catalogue-check.ts');
      const { catalogueDirectories, makeAskCompose } = await import('../../box/server.ts');
      return tell(await checkCatalogue(catalogueDirectories(readBoxSettings(flags, env)), makeAskCompose(env)));
    },
  },
  {
    words: 'box trash list',
    summary: 'list the removed apps that are still kept',
    settings: appSettings,
    async run(flags, _words, env) {
      const { trashLines } = await import('../../box/apps/app-commands.ts');
      for (const line of trashLines(await boxOf(flags, env))) print(line);
      return 0;
    },
  },
  {
    words: 'box trash restore',
    takes: ['NAME'],
    summary: 'bring a removed app back and start it',
    settings: appSettings,
    async run(flags, [name = ''], env) {
      const { restoreApp } = await import('../../box/apps/app-commands.ts');
      return tell(await restoreApp(await boxOf(flags, env), name));
    },
  },
  {
    words: 'box trash delete',
    takes: ['NAME'],
    summary: 'delete for good what is kept of a removed app',
    settings: appSettings,
    async run(flags, [name = ''], env) {
      const { deleteApp } = await import('../../box/apps/app-commands.ts');
      return tell(await deleteApp(await boxOf(flags, env), name));
    },
  },
  {
    words: 'box console',
    summary: 'serve the pages at /settings/: trash, logs, backups and more',
    settings: consoleSettings,
    hasVariables: () => true,
    async run(flags, _words, env) {
      const settings = readConsoleSettings(flags, env);
      const { serveConsole } = await import('../../console/server.ts');
      const { makePublicAddresses } = await import('../public-addresses.ts');
      await serveConsole(settings, makePublicRoutes(settings.stateDir), makePublicAddresses(settings));
      return 0;
    },
  },
  ...spaceCommands,
  ...roomCommands,
  ...backupCommands,
  ...backupScheduleCommands,
  ...httpsCommands,
  ...notifyCommands,
  ...doctorCommands,
];
