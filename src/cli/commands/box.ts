import packageFile from '../../../package.json' with { type: 'json' };
import { acting, onBox, printing } from '../box-of.ts';
import type { Command } from '../command.ts';
import { boxSettings, consoleSettings, readBoxSettings, readConsoleSettings } from '../settings/box-settings.ts';
import { appCommands } from './box-app.ts';
import { appUpdateCommands } from './box-app-updates.ts';
import { backupCommands, backupScheduleCommands } from './box-backup.ts';
import { doctorCommands } from './box-doctor.ts';
import { httpsCommands } from './box-https.ts';
import { notifyCommands } from './box-notify.ts';
import { spaceCommands } from './box-space.ts';
import { storeCommands } from './box-stores.ts';

const { catalogue, bundledApps, installedApps, stateDir } = boxSettings;
const { releaseFeed, releaseKey, softwareDir, unit, updateWaitSeconds } = boxSettings;
const appSettings = { installedApps, stateDir };
const updateSettings = { stateDir, releaseFeed, releaseKey, softwareDir, unit, updateWaitSeconds };

export const boxCommands: readonly Command[] = [
  {
    usage: 'box serve',
    summary: 'run the app manager of a box',
    settings: boxSettings,
    hasVariables: () => true,
    async run(call) {
      const settings = readBoxSettings(call);
      const { serveBox } = await import('../../box/api/serve.ts');
      await serveBox(settings);
      return 0;
    },
  },
  ...appUpdateCommands,
  {
    usage: 'box update check',
    summary: 'ask the release feed for a newer version of the box software',
    settings: updateSettings,
    async run(call) {
      const { updateCheckCommand } = await import('../../self-update/commands.ts');
      return updateCheckCommand('box', readBoxSettings(call), packageFile.version);
    },
  },
  {
    usage: 'box update apply',
    summary: 'update the box software',
    settings: updateSettings,
    hasVariables: ({ BOX_UPDATE_ATTEMPT: attempt }) => attempt !== undefined,
    async run(call) {
      const { updateApplyCommand } = await import('../../self-update/commands.ts');
      const { boxProduct } = await import('../../self-update/product.ts');
      const { BOX_UPDATE_ATTEMPT: attempt } = call.env;
      return updateApplyCommand(boxProduct, readBoxSettings(call), packageFile.version, attempt);
    },
  },
  {
    usage: 'box settings undo NAME',
    summary: 'give an app the settings that it had before their latest change',
    settings: appSettings,
    run: acting('apps/undo'),
  },
  {
    usage: 'box disks accept NAME',
    summary: 'start an app though a disk that it used is missing, with its folders as they are now',
    settings: appSettings,
    run: acting('apps/accept'),
  },
  {
    usage: 'box catalogue check',
    summary: 'find faults of the apps that can be installed',
    settings: { catalogue, bundledApps, stateDir },
    async run(call) {
      const { checkCatalogue } = await import('../../box/app-files/catalogue-check.ts');
      const { catalogueDirectories } = await import('../../box/make-base.ts');
      const { makeAskCompose } = await import('../../box/adapters/docker/ask-compose.ts');
      return checkCatalogue(catalogueDirectories(readBoxSettings(call)), makeAskCompose(call.env));
    },
  },
  {
    usage: 'box trash list',
    summary: 'list the removed apps that are still kept',
    settings: appSettings,
    run: printing('trash'),
  },
  {
    usage: 'box trash restore NAME',
    summary: 'bring a removed app back and start it',
    settings: appSettings,
    run: onBox(async (box, [name = '']) => (await import('../../box/apps/restore-removed.ts')).restoreApp(box, name)),
  },
  {
    usage: 'box trash delete NAME',
    summary: 'delete for good what is kept of a removed app',
    settings: appSettings,
    run: onBox(async (box, [name = '']) => (await import('../../box/apps/removed-apps.ts')).deleteApp(box, name)),
  },
  {
    usage: 'box console',
    summary: 'serve the pages at /settings/: trash, logs, backups and more',
    settings: consoleSettings,
    hasVariables: () => true,
    async run(call) {
      const settings = readConsoleSettings(call);
      const { serveConsole } = await import('../../console/server.ts');
      await serveConsole(settings);
      return 0;
    },
  },
  ...spaceCommands,
  ...storeCommands,
  ...appCommands,
  ...backupCommands,
  ...backupScheduleCommands,
  ...httpsCommands,
  ...notifyCommands,
  ...doctorCommands,
];
