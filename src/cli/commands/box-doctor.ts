import { boxOf } from '../box-of.ts';
import { type Command, tell, write } from '../command.ts';
import { boxSettings, notifySecret } from '../settings/box-settings.ts';
import { given, isOn, once, type Setting } from '../settings/setting.ts';

const { stateDir, installedApps, allowedHosts } = boxSettings;

const report: Setting<boolean> = {
  flag: '--report',
  variable: 'BOX_DOCTOR_REPORT',
  argument: null,
  help: 'print a report to send to somebody who helps, without secrets',
  shownDefault: 'no',
  parse: once(isOn),
};

export const doctorCommands: readonly Command[] = [
  {
    words: 'box doctor',
    summary: 'look at everything that the box needs, and say what is wrong and what to do',
    settings: { stateDir, installedApps, allowedHosts, report },
    secrets: [notifySecret],
    async run(flags, _words, env) {
      const { doctorCommand, makeReport } = await import('../../box/doctor/doctor-commands.ts');
      const box = await boxOf(flags, env);
      if (given(report, flags, env) === true) return write(await makeReport(box));
      const { status, text } = await doctorCommand(box);
      return tell({ status: 0, text }) || status;
    },
  },
];
