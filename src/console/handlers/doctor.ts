import { makeReport, shownFindings } from '../../box/doctor/doctor-commands.ts';
import type { BoxPorts } from '../../box/ports.ts';
import { shareWork } from '../../lib/share-work.ts';
import type { ConsoleHandlers } from '../service.ts';

export function doctorHandlers(box: BoxPorts): Pick<ConsoleHandlers, 'runDoctor' | 'makeReport'> {
  const examine = shareWork(() => shownFindings(box));
  const report = shareWork(() => makeReport(box));
  return {
    runDoctor: async () => ({ status: 200 as const, body: { findings: await examine() } }),
    makeReport: async () => ({ status: 200 as const, body: { text: await report() } }),
  };
}
