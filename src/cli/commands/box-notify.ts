import { acting, printing } from '../box-of.ts';
import type { Command } from '../command.ts';
import { boxSettings } from '../settings/box-settings.ts';

const { stateDir, notify } = boxSettings;

export const notifyCommands: readonly Command[] = [
  {
    usage: 'box notify test',
    summary: 'send a test message to the address of notifications, and say what the other side answered',
    settings: { stateDir, notify },
    run: acting('notifications/test'),
  },
  {
    usage: 'box notify status',
    summary: 'where notifications go, when the latest was sent, and what is still to be sent',
    settings: { stateDir, notify },
    run: printing('notifications'),
  },
];
