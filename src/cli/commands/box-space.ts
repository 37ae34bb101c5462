import { boxOf } from '../box-of.ts';
import { type Command, tell } from '../command.ts';
import { boxSettings } from '../settings/box-settings.ts';
import { backupSettings } from './box-backup.ts';

const { keepImagesDays } = boxSettings;

export const spaceCommands: readonly Command[] = [
  {
    words: 'box space free',
    summary: 'remove the images that updates of apps have replaced, without waiting for their day',
    settings: backupSettings,
    async run(flags, _words, env) {
      const { freeCommand } = await import('../../box/space/space-commands.ts');
      return tell(await freeCommand(await boxOf(flags, env)));
    },
  },
  {
    words: 'box space',
    summary: 'what takes the disk space: apps, images, volumes, trash, backups, and what can go',
    settings: { ...backupSettings, keepImagesDays },
    async run(flags, _words, env) {
      const { spaceCommand } = await import('../../box/space/space-commands.ts');
      return tell(await spaceCommand(await boxOf(flags, env)));
    },
  },
];
