import { requireContainer } from '../model/containers.ts';
import { unknown } from '../model/failure.ts';
import { type Call, engineState, faultPoint } from './call.ts';
import { printList } from './list.ts';
import { readFlags } from './views/flags.ts';

/** `docker stats --no-stream` of named containers. A running container uses the same always. */
export async function stats(call: Call, argv: readonly string[]): Promise<void> {
  const flags = readFlags('stats', 'no-stream no-trunc format=', argv);
  const format = flags.text('format');
  if (!flags.has('no-stream') || !flags.has('no-trunc')) throw unknown('"stats" without --no-stream and --no-trunc');
  if (flags.rest.length === 0 || !format) throw unknown('"stats" without names and a --format');
  await faultPoint(call, 'stats', flags.rest);
  const state = engineState(call);
  const rows = flags.rest.map((name) => {
    const { id, name: own, status } = requireContainer(state, name);
    const isRunning = status === 'running';
    return {
      BlockIO: '0B / 0B',
      CPUPerc: isRunning ? '0.50%' : '0.00%',
      Container: name,
      ID: id,
      MemPerc: isRunning ? '0.15%' : '0.00%',
      MemUsage: isRunning ? '12MiB / 7.656GiB' : '0B / 0B',
      Name: own,
      NetIO: '0B / 0B',
      PIDs: isRunning ? '1' : '0',
    };
  });
  printList(call, rows, format, []);
}
