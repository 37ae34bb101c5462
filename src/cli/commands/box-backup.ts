import type { BoxPorts } from '../../box/ports.ts';
import { boxOf } from '../box-of.ts';
import { type Command, print, tell } from '../command.ts';
import { boxSettings } from '../settings/box-settings.ts';
import { given, isOn, once, path, type Setting, UsageError } from '../settings/setting.ts';

const { installedApps, stateDir, backupRepository, backupVariables } = boxSettings;
export const backupSettings = { installedApps, stateDir, backupRepository, backupVariables };

const to: Setting<string> = {
  flag: '--to',
  variable: '',
  argument: 'FOLDER',
  help: 'only put the files of the backup ID into this new folder, and change no app',
  shownDefault: 'none',
  parse: once(path),
};

const all: Setting<boolean> = {
  flag: '--all',
  variable: '',
  argument: null,
  help: 'restore every app that is not installed, as on a new machine',
  shownDefault: 'no',
  parse: once(isOn),
};

const as: Setting<string> = {
  flag: '--as',
  variable: '',
  argument: 'NAME',
  help: 'make a second app of this name of the backup, beside the present one',
  shownDefault: 'none',
  parse: once((name) => name),
};

/** At a signal ends at once, unless an app is stopped for its copy: then after that app. */
export function stopWhereSafe({ backup: { files } }: BoxPorts): () => boolean {
  let isStopping = false;
  const stop = () => {
    if (!isStopping) tell({ status: 1, text: 'told to stop' });
    isStopping = true;
    if (files.journal() === null) process.exit(1);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  return () => isStopping;
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
      const box = await boxOf(flags, env);
      return makeBackups(box, { name: app, tell, isStopping: stopWhereSafe(box) });
    },
  },
  {
    words: 'box backup list',
    mayTake: ['APP'],
    summary: 'list the backups of an app, or of all apps',
    settings: backupSettings,
    async run(flags, [app = ''], env) {
      const { backupLines } = await import('../../box/backup/list-backups.ts');
      const { lines, warnings } = await backupLines(await boxOf(flags, env), app);
      for (const line of lines) print(line);
      for (const text of warnings) tell({ status: 1, text });
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
    mayTake: ['APP|ID', 'ID'],
    summary: 'bring an app back as its latest backup has it, or the backup ID; with --all every app',
    settings: { ...backupSettings, to, all, as },
    async run(flags, [word = '', id = ''], env) {
      const isAll = given(all, flags, env) === true;
      if (isAll === (word !== ''))
        throw new UsageError(isAll ? '--all takes no app' : 'name an app or a backup, or --all');
      const [folder, name] = [given(to, flags, env), given(as, flags, env)];
      if (name !== undefined && (isAll || folder !== undefined))
        throw new UsageError('--as takes one app, without --all or --to');
      const box = await boxOf(flags, env);
      if (isAll) {
        const { restoreAll } = await import('../../box/backup/restore-app.ts');
        return restoreAll(box, tell);
      }
      if (folder !== undefined) {
        const { restoreToFolder } = await import('../../box/backup/list-backups.ts');
        return tell(await restoreToFolder(box, word, folder));
      }
      if (name !== undefined) {
        const { restoreBeside } = await import('../../box/backup/restore-beside.ts');
        return tell(await restoreBeside(box, word, id, name));
      }
      const { restoreFromBackup } = await import('../../box/backup/restore-app.ts');
      return tell(await restoreFromBackup(box, word, id));
    },
  },
];
