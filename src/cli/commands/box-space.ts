import { onBox } from '../box-of.ts';
import type { Command } from '../command.ts';
import { boxSettings } from '../settings/box-settings.ts';
import { backupSettings } from './box-backup.ts';

const { keepImagesDays } = boxSettings;

const commands = () => import('../../box/space/space-commands.ts');

export const spaceCommands: readonly Command[] = [
  {
    usage: 'box space free',
    summary: 'remove the images that updates of apps have replaced, without waiting for their day',
    settings: backupSettings,
    run: onBox(async (box) => (await commands()).freeCommand(box)),
  },
  {
    usage: 'box space',
    summary: 'what takes the disk space: apps, images, volumes, trash, backups, and what can go',
    settings: { ...backupSettings, keepImagesDays },
    run: onBox(async (box) => (await commands()).spaceCommand(box)),
  },
];
