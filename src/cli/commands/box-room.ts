import { boxOf } from '../box-of.ts';
import { type Command, print, tell } from '../command.ts';
import { given, isOn, once, type Setting, wholeNumber } from '../settings/setting.ts';
import { backupSettings } from './box-backup.ts';

const { installedApps, stateDir } = backupSettings;

const follow: Setting<boolean> = {
  flag: '--follow',
  variable: 'BOX_LOGS_FOLLOW',
  argument: null,
  help: 'show later lines as they come, until Ctrl-C',
  shownDefault: 'no',
  parse: once(isOn),
};

const lines: Setting<number> = {
  flag: '--lines',
  variable: 'BOX_LOGS_LINES',
  argument: 'N',
  help: 'how many of the last lines',
  shownDefault: '1000',
  parse: once(wholeNumber(1, 10_000)),
};

export const roomCommands: readonly Command[] = [
  {
    words: 'box logs',
    takes: ['APP'],
    summary: "show the log of an app's containers, without its secrets",
    settings: { installedApps, stateDir, follow, lines },
    async run(flags, [name = ''], env) {
      const { printAppLog } = await import('../../box/logs/log-text.ts');
      const request = { name, lines: given(lines, flags, env) ?? 1000, isFollowed: given(follow, flags, env) ?? false };
      await printAppLog(await boxOf(flags, env), request, print);
      return 0;
    },
  },
  {
    words: 'box restart',
    takes: ['APP'],
    summary: 'stop an app and start it again, and see whether it stays up',
    settings: { installedApps, stateDir },
    async run(flags, [name = ''], env) {
      const { restartCommand } = await import('../../box/apps/app-commands.ts');
      return tell(await restartCommand(await boxOf(flags, env), name));
    },
  },
];
