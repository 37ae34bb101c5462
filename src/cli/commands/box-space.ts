import { acting, printing } from '../box-of.ts';
import type { Command } from '../command.ts';
import { boxSettings } from '../settings/box-settings.ts';
import { backupSettings } from './box-backup.ts';

const { keepImagesDays } = boxSettings;

export const spaceCommands: readonly Command[] = [
  {
    usage: 'box space free',
    summary: 'remove the images that updates of apps have replaced, without waiting for their day',
    settings: backupSettings,
    run: acting('space/free'),
  },
  {
    usage: 'box space',
    summary: 'what takes the disk space: apps, images, volumes, trash, backups, and what can go',
    settings: { ...backupSettings, keepImagesDays },
    run: printing('space'),
  },
];
