import { onBox } from '../box-of.ts';
import { type Command, print, write } from '../command.ts';
import { boxSettings } from '../settings/box-settings.ts';
import { isOn } from '../settings/parsers.ts';
import { read, row } from '../settings/setting.ts';

const { stateDir, installedApps, allowedHosts, notify } = boxSettings;

// biome-ignore format: a setting is a row
const report = row('--report', 'BOX_DOCTOR_REPORT', isOn, false,
  'print a report to send to somebody who helps, without secrets');

export const doctorCommands: readonly Command[] = [
  {
    usage: 'box doctor',
    summary: 'look at everything that the box needs, and say what is wrong and what to do',
    settings: { stateDir, installedApps, allowedHosts, report, notify },
    run: onBox(async (box, _words, call) => {
      const { makeReport } = await import('../../box/doctor/make-report.ts');
      if (read(report, call)) return write(await makeReport(box));
      const { printRoom } = await import('../../console/rooms.ts');
      const { status, lines } = await printRoom(box, 'box');
      return print(lines.join('\n')) || status;
    }),
  },
];
