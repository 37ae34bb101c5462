import { type Command, print, tell } from '../command.ts';
import { makePublicRoutes } from '../public-routes.ts';
import { boxSettings, readBoxSettings } from '../settings/box-settings.ts';
import { operatorVariables } from '../settings/operator-variables.ts';
import { type GivenFlags, once, path, type Setting } from '../settings/setting.ts';

const { installedApps, stateDir, backupRepository, backupVariables } = boxSettings;
const backupSettings = { installedApps, stateDir, backupRepository, backupVariables };

/** A flag of one command; no variable sets it. */
const to: Setting<string> = {
  flag: '--to',
  variable: 'BOX_BACKUP_TO',
  argument: 'FOLDER',
  help: 'only put the files of the backup ID into this new folder, and change no app',
  shownDefault: 'none',
  parse: once(path),
};

async function boxOf(flags: GivenFlags, env: NodeJS.ProcessEnv) {
  const { makeBox } = await import('../../box/server.ts');
  // A command by hand has the settings of the server.
  const settings = readBoxSettings(flags, operatorVariables(env, '/etc/boxgate/box.env'));
  return makeBox(settings, makePublicRoutes(settings.stateDir));
}

export const backupCommands: readonly Command[] = [
  {
    words: 'box backup key',
    summary: 'print the key of the backups, to keep it in another place',
    settings: backupSettings,
    async run(flags, _words, env) {
      const { keyText } = await import('../../box/backup/list-backups.ts');
      return print(await keyText(await boxOf(flags, env)));
    },
  },
  {
    words: 'box backup make',
    mayTake: ['APP'],
    summary: 'make a backup of an app, or of all apps one after the other',
    settings: backupSettings,
    async run(flags, [app = ''], env) {
      const { makeBackups } = await import('../../box/backup/make-backup.ts');
      return makeBackups(await boxOf(flags, env), app, tell);
    },
  },
  {
    words: 'box backup list',
    mayTake: ['APP'],
    summary: 'list the backups of an app, or of all apps',
    settings: backupSettings,
    async run(flags, [app = ''], env) {
      const { backupLines } = await import('../../box/backup/list-backups.ts');
      for (const line of await backupLines(await boxOf(flags, env), app)) print(line);
      return 0;
    },
  },
  {
    words: 'box backup show',
    takes: ['ID'],
    summary: 'print what a backup has and what it lacks',
    settings: backupSettings,
    async run(flags, [id = ''], env) {
      const { backupText } = await import('../../box/backup/list-backups.ts');
      return print(await backupText(await boxOf(flags, env), id));
    },
  },
  {
    words: 'box backup restore',
    takes: ['APP|ID'],
    mayTake: ['ID'],
    summary: 'bring an app back as its latest backup has it, or the backup ID',
    settings: { ...backupSettings, to },
    async run(flags, [word = '', id = ''], env) {
      const box = await boxOf(flags, env);
      const folder = flags[to.flag];
      if (folder !== undefined) {
        const { restoreToFolder } = await import('../../box/backup/list-backups.ts');
        return tell(await restoreToFolder(box, word, to.parse(folder)));
      }
      const { restoreFromBackup } = await import('../../box/backup/restore-app.ts');
      return tell(await restoreFromBackup(box, word, id));
    },
  },
];
