import { makeReport, shownFindings } from '../../box/doctor/doctor-commands.ts';
import type { BoxPorts } from '../../box/ports.ts';
import type { ConsoleHandlers } from '../service.ts';

export function doctorHandlers(box: BoxPorts): Pick<ConsoleHandlers, 'runDoctor' | 'makeReport'> {
  return {
    runDoctor: async () => ({ status: 200 as const, body: { findings: await shownFindings(box) } }),
    makeReport: async () => ({ status: 200 as const, body: { text: await makeReport(box) } }),
  };
}
