import type { Box } from '../../box/server.ts';
import { boxOf, onBox } from '../box-of.ts';
import { type Command, print, tell } from '../command.ts';
import { boxSettings } from '../settings/box-settings.ts';
import { isOn, path, text } from '../settings/parsers.ts';
import { readAll, row } from '../settings/setting.ts';
import { UsageError } from '../settings/usage-error.ts';

const { installedApps, stateDir, backupRepository, backupVariables } = boxSettings;
export const backupSettings = { installedApps, stateDir, backupRepository, backupVariables };

// biome-ignore format: a setting is a row
const restoreSettings = {
  to: row('--to FOLDER', '', path, null,
    'only put the files of the backup ID into this new folder, and change no app'),
  all: row('--all', '', isOn, false, 'restore every app that is not installed, as on a new machine'),
  as: row('--as NAME', '', text, null, 'make a second app of this name of the backup, beside the present one'),
};

const lists = () => import('../../box/backup/rooms/list-backups.ts');

/** At a signal ends at once, unless an app is stopped for its copy: then after that app. */
export function stopWhereSafe({ backup: { files } }: Box): () => boolean {
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
    usage: 'box backup key',
    summary: 'print the key of the backups, to keep it in another place',
    settings: backupSettings,
    run: onBox(async (box) => [await (await lists()).keyText(box)]),
  },
  {
    usage: 'box backup make [APP]',
    summary: 'make a backup of an app, or of all apps one after the other',
    settings: backupSettings,
    run: onBox(async (box, [app = '']) => {
      const { makeBackups } = await import('../../box/backup/make-backup.ts');
      return makeBackups(box, { name: app, tell, isStopping: stopWhereSafe(box) });
    }),
  },
  {
    usage: 'box backup list [APP]',
    summary: 'list the backups of an app, or of all apps',
    settings: backupSettings,
    run: onBox(async (box, [app = '']) => {
      const { lines, warnings } = await (await lists()).backupLines(box, app);
      for (const line of lines) print(line);
      for (const text of warnings) tell({ status: 1, text });
      return 0;
    }),
  },
  {
    usage: 'box backup show ID',
    summary: 'print what a backup has and what it lacks',
    settings: backupSettings,
    run: onBox(async (box, [id = '']) => [await (await lists()).backupText(box, id)]),
  },
  {
    usage: 'box backup restore [APP|ID] [ID]',
    summary: 'bring an app back as its latest backup has it, or the backup ID; with --all every app',
    settings: { ...backupSettings, ...restoreSettings },
    async run(call) {
      const { to, all, as } = readAll(restoreSettings, call);
      const [word = '', id = ''] = call.words;
      if (all === (word !== '')) throw new UsageError(all ? '--all takes no app' : 'name an app or a backup, or --all');
      if (as !== null && (all || to !== null)) throw new UsageError('--as takes one app, without --all or --to');
      const box = await boxOf(call);
      if (to !== null && !all) return (await lists()).restoreToFolder(box, word, to);
      if (as !== null) {
        const { restoreBeside } = await import('../../box/backup/restore-beside.ts');
        return restoreBeside(box, word, id, as);
      }
      const { restoreAll, restoreFromBackup } = await import('../../box/backup/restore-app.ts');
      return all ? restoreAll(box, tell) : restoreFromBackup(box, word, id);
    },
  },
];
