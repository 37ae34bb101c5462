import type { Box } from '../../box/server.ts';
import { readKey } from '../ask.ts';
import { boxOf, onBox } from '../box-of.ts';
import { type Command, command, print, tell } from '../command.ts';
import { boxSettings } from '../settings/box-settings.ts';
import { isOn, path, repositoryAddress, text, timeOfDay } from '../settings/parsers.ts';
import { parsed, read, readAll, row, said } from '../settings/setting.ts';
import { UsageError } from '../settings/usage-error.ts';

const { installedApps, stateDir, backupKeep, backupRepository, backupVariables } = boxSettings;
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

// biome-ignore format: a setting is a row
const at = row('--at HH:MM', 'BOX_BACKUP_AT', timeOfDay, said('the one of before, at first 03:30', () => null),
  'the time of day');
// biome-ignore format: a setting is a row
const keyFile = row('--key-file FILE', 'BOX_BACKUP_KEY_FILE', path, said('the key is asked for', () => null),
  'a file with the key of the backups');
const noSettings = row('--no-settings', '', isOn, false, 'do not make it the place of the backups');

const schedule = () => import('../../box/backup/rooms/backup-work.ts');

const make = onBox(async (box, [app = '']) => {
  const { makeBackups } = await import('../../box/backup/make-backup.ts');
  return makeBackups(box, { name: app, tell, isStopping: stopWhereSafe(box) });
});

const list = onBox(async (box, [app = '']) => {
  const { lines, warnings } = await (await lists()).backupLines(box, app);
  for (const line of lines) print(line);
  for (const text of warnings) tell({ status: 1, text });
  return 0;
});

const restore: Command['run'] = async (call) => {
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
  if (all) {
    const { bringBack, returnText } = await import('../../box/backup/bring-back.ts');
    return bringBack(box, { tell: (one) => tell(returnText(one)) });
  }
  const { restoreFromBackup } = await import('../../box/backup/restore-app.ts');
  return restoreFromBackup(box, word, id);
};

const enable: Command['run'] = async (call) => {
  const time = read(at, call);
  const box = await boxOf(call);
  const isMade = await (await schedule()).setSchedule(box, true, time);
  const made = `made a repository at ${box.backup.repository.shownAddress}; keep its key: boxgate box backup key`;
  return [
    ...(isMade ? [made] : []),
    'backups are on: systemctl list-timers boxgate-backup.timer says when the next run begins',
    'to make the first one now: systemctl start boxgate-backup; its log: journalctl -u boxgate-backup',
  ];
};

const disable = onBox(async (box) => {
  await (await schedule()).setSchedule(box, false, null);
  return ['backups are off'];
});

const runAll = onBox(async (box) => {
  const { runBackups } = await import('../../box/backup/run-backups.ts');
  return runBackups(box, { tell, isStopping: stopWhereSafe(box) });
});

/** In a form that systemd and Node read alike, for all but a value with a quote. */
function settingLine(address: string): string {
  const value = /^[\w./:@%+,=~-]+$/.test(address) ? address : `'${address}'`;
  return `${backupRepository.variable}=${value}`;
}

const adopt: Command['run'] = async (call) => {
  const [address = ''] = call.words;
  const place = parsed('ADDRESS', () => repositoryAddress(address));
  const box = await boxOf(call);
  const key = await readKey(read(keyFile, call));
  const { adoptAt } = await import('../../box/backup/rooms/choose-place.ts');
  const chooses = !read(noSettings, call);
  return [
    ...(await adoptAt(box, place, key, chooses)),
    ...(chooses ? [] : ['to use them, put this line into /etc/boxgate/box.env:', settingLine(place)]),
    'to bring all apps back: boxgate box backup restore --all',
  ];
};

// biome-ignore format: a command is a row
export const backupCommands: readonly Command[] = [
  command('box backup key', 'print the key of the backups, to keep it in another place', backupSettings,
    onBox(async (box) => [await (await lists()).keyText(box)])),
  command('box backup make [APP]', 'make a backup of an app, or of all apps one after the other', backupSettings, make),
  command('box backup list [APP]', 'list the backups of an app, or of all apps', backupSettings, list),
  command('box backup show ID', 'print what a backup has and what it lacks', backupSettings,
    onBox(async (box, [id = '']) => [await (await lists()).backupText(box, id)])),
  command('box backup restore [APP|ID] [ID]',
    'bring an app back as its latest backup has it, or the backup ID; with --all every app',
    { ...backupSettings, ...restoreSettings }, restore),
  command('box backup enable', 'make a backup of every app each night, and say on the page if one fails',
    { ...backupSettings, at }, enable),
  command('box backup disable', 'end the backups of each night; those that were made stay', backupSettings, disable),
  command('box backup run',
    'what boxgate-backup.service does: back up all apps, remove old backups, check a part of the data',
    { ...backupSettings, backupKeep }, runAll),
  command('box backup rehearse APP',
    "prove an app's latest backup: restore it beside the app, see that it stays up, remove it again", backupSettings,
    onBox(async (box, [app = '']) => (await import('../../box/backup/rehearse.ts')).rehearseCommand(box, app))),
  command('box backup adopt ADDRESS',
    'use the backups of another machine, or of this one before it was set up anew; asks for their key',
    { ...backupSettings, keyFile, noSettings }, adopt),
];
