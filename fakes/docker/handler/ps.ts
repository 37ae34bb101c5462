import { type Call, engineState, faultPoint } from './call.ts';
import { printList } from './list.ts';
import { filterContainers } from './views/container-filter.ts';
import { containerRow } from './views/describe.ts';
import { readFlags } from './views/flags.ts';

const usual = [
  ['ID', 'CONTAINER ID'],
  ['Image', 'IMAGE'],
  ['Command', 'COMMAND'],
  ['RunningFor', 'CREATED'],
  ['Status', 'STATUS'],
  ['Ports', 'PORTS'],
  ['Names', 'NAMES'],
] as const;
/** `docker ps` and `docker container ls`. */
export async function listContainers(call: Call, argv: readonly string[]): Promise<void> {
  const flags = readFlags('ps', 'a/all q/quiet no-trunc f/filter* format= s/size', argv);
  await faultPoint(call, 'ps', flags.list('filter'));
  const state = engineState(call);
  const now = call.now();
  const shown = filterContainers(state, flags.list('filter'), flags.has('all'));
  const whole = flags.has('no-trunc');
  if (flags.has('quiet') && !flags.text('format')) {
    for (const one of shown) call.out(`${whole ? one.id : one.id.slice(0, 12)}\n`);
    return;
  }
  const rows = shown.map((one) => containerRow(state, one, whole, now));
  printList(call, rows, flags.text('format'), usual);
}
