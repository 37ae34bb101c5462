import { acting, onBox } from '../box-of.ts';
import { type Command, print } from '../command.ts';
import { boxSettings } from '../settings/box-settings.ts';
import { isOn, wholeNumber } from '../settings/parsers.ts';
import { readAll, row } from '../settings/setting.ts';

const { installedApps, stateDir } = boxSettings;

// biome-ignore format: a setting is a row
const logSettings = {
  isFollowed: row('--follow', 'BOX_LOGS_FOLLOW', isOn, false, 'show later lines as they come, until Ctrl-C'),
  lines: row('--lines N', 'BOX_LOGS_LINES', wholeNumber(1, 10_000), 1000, 'how many of the last lines'),
};

export const appCommands: readonly Command[] = [
  {
    usage: 'box logs APP',
    summary: "show the log of an app's containers, without its secrets",
    settings: { installedApps, stateDir, ...logSettings },
    run: onBox(async (box, [name = ''], call) => {
      const { printAppLog } = await import('../../box/logs/app-log.ts');
      await printAppLog(box, { name, ...readAll(logSettings, call) }, print);
      return 0;
    }),
  },
  {
    usage: 'box restart APP',
    summary: 'stop an app and start it again, and see whether it stays up',
    settings: { installedApps, stateDir },
    run: acting('apps/restart'),
  },
  {
    usage: 'box stop APP',
    summary: 'stop an app, which then stays stopped until it is started',
    settings: { installedApps, stateDir },
    run: acting('apps/stop'),
  },
  {
    usage: 'box start APP',
    summary: 'start an app that was stopped, and see whether it stays up',
    settings: { installedApps, stateDir },
    run: acting('apps/start'),
  },
];
