import { boxOf } from '../box-of.ts';
import { type Command, tell } from '../command.ts';
import { boxSettings, notifySecret } from '../settings/box-settings.ts';

const { stateDir } = boxSettings;

export const notifyCommands: readonly Command[] = [
  {
    words: 'box notify test',
    summary: 'send a test message to the address of notifications, and say what the other side answered',
    settings: { stateDir },
    secrets: [notifySecret],
    async run(flags, _words, env) {
      const { testNotification } = await import('../../box/notify/notify-commands.ts');
      return tell(await testNotification(await boxOf(flags, env)));
    },
  },
  {
    words: 'box notify status',
    summary: 'where notifications go, when the latest was sent, and what is still to be sent',
    settings: { stateDir },
    secrets: [notifySecret],
    async run(flags, _words, env) {
      const { notificationLines } = await import('../../box/notify/notify-commands.ts');
      return tell(notificationLines(await boxOf(flags, env)));
    },
  },
];
