import { boxOf } from '../box-of.ts';
import { type Command, print, tell } from '../command.ts';
import { makePublicRoutes } from '../public-routes.ts';
import { readKey } from '../read-key.ts';
import { boxSettings, readBoxSettings } from '../settings/box-settings.ts';
import { noteSetting } from '../settings/note-setting.ts';
import { given, isOn, matching, once, path, type Setting, UsageError } from '../settings/setting.ts';
import { repositoryAddress } from '../settings/shared-settings.ts';
import { backupSettings, stopWhereSafe } from './box-backup.ts';

const at: Setting<string> = {
  flag: '--at',
  variable: 'BOX_BACKUP_AT',
  argument: 'HH:MM',
  help: 'the time of day',
  shownDefault: 'the one of before, at first 03:30',
  parse: once(matching(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'a time such as 03:30')),
};

const keyFile: Setting<string> = {
  flag: '--key-file',
  variable: 'BOX_BACKUP_KEY_FILE',
  argument: 'FILE',
  help: 'a file with the key of the backups',
  shownDefault: 'the key is asked for',
  parse: once(path),
};

const noSettings: Setting<boolean> = {
  flag: '--no-settings',
  variable: '',
  argument: null,
  help: 'leave the settings file as it is',
  shownDefault: 'no',
  parse: once(isOn),
};

export const backupScheduleCommands: readonly Command[] = [
  {
    words: 'box backup enable',
    summary: 'make a backup of every app each night, and say on the page if one fails',
    settings: { ...backupSettings, at },
    async run(flags, _words, env) {
      const time = given(at, flags, env) ?? null;
      const box = await boxOf(flags, env);
      const { setSchedule } = await import('../../box/backup/backups-room.ts');
      const isMade = await setSchedule(box, true, time);
      const made = `made a repository at ${box.backup.repository.shownAddress}; keep its key: boxgate box backup key`;
      return print(
        [
          ...(isMade ? [made] : []),
          'backups are on: systemctl list-timers boxgate-backup.timer says when the next run begins',
          'to make the first one now: systemctl start boxgate-backup; its log: journalctl -u boxgate-backup',
        ].join('\n'),
      );
    },
  },
  {
    words: 'box backup disable',
    summary: 'end the backups of each night; those that were made stay',
    settings: backupSettings,
    async run(flags, _words, env) {
      const box = await boxOf(flags, env);
      const { setSchedule } = await import('../../box/backup/backups-room.ts');
      await setSchedule(box, false, null);
      return print('backups are off');
    },
  },
  {
    words: 'box backup run',
    summary: 'what boxgate-backup.service does: back up all apps, remove old backups, check a part of the data',
    settings: { ...backupSettings, backupKeep: boxSettings.backupKeep },
    async run(flags, _words, env) {
      const { backupKeep: keep } = readBoxSettings(flags, env);
      const box = await boxOf(flags, env);
      const isStopping = stopWhereSafe(box);
      const { runBackups } = await import('../../box/backup/run-backups.ts');
      return runBackups(box, { keep, tell, isStopping });
    },
  },
  {
    words: 'box backup rehearse',
    takes: ['APP'],
    summary: "prove an app's latest backup: restore it beside the app, see that it stays up, remove it again",
    settings: backupSettings,
    async run(flags, [app = ''], env) {
      const { rehearseCommand } = await import('../../box/backup/rehearse.ts');
      return tell(await rehearseCommand(await boxOf(flags, env), app));
    },
  },
  {
    words: 'box backup adopt',
    takes: ['ADDRESS'],
    summary: 'use the backups of another machine, or of this one before it was set up anew; asks for their key',
    settings: { ...backupSettings, keyFile, noSettings },
    async run(flags, [address = ''], env) {
      const settings = { ...readBoxSettings(flags, env), backupRepository: placeOf(address) };
      const { makeBox } = await import('../../box/server.ts');
      const { repository } = makeBox(settings, makePublicRoutes(settings.stateDir)).backup;
      const machines = await repository.adopt(await readKey(given(keyFile, flags, env) ?? null));
      const { momentText } = await import('../../box/rules/backup/backup-texts.ts');
      const isSet = readBoxSettings(flags, env).backupRepository === address;
      const value = { name: backupSettings.backupRepository.variable, value: address };
      return print(
        [
          `the backups at ${repository.shownAddress} are those of this box now`,
          ...machines.map(
            ({ host, latest }) =>
              `${host} made some until ${momentText(latest)}; it must not make more, as only one machine may work with a repository`,
          ),
          ...(isSet ? [] : await noteSetting('/etc/boxgate/box.env', value, given(noSettings, flags, env) !== true)),
          'to bring all apps back: boxgate box backup restore --all',
        ].join('\n'),
      );
    },
  },
];

function placeOf(address: string): string {
  try {
    return repositoryAddress(address);
  } catch (error) {
    throw new UsageError(`ADDRESS: ${(error as Error).message}`);
  }
}
