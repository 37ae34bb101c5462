import { findContainer, nextDue, requireContainer } from '../model/containers.ts';
import { Failure, unknown } from '../model/failure.ts';
import type { Container, LogLine } from '../model/state.ts';
import { type Call, engineState, faultPoint } from './call.ts';
import { readFlags } from './views/flags.ts';

const lookEveryMs = 50;

export async function logs(call: Call, argv: readonly string[]): Promise<void> {
  const flags = readFlags('logs', 'f/follow n/tail= since= t/timestamps', argv);
  const [name = ''] = flags.rest;
  if (flags.rest.length !== 1) throw new Failure(1, '"docker logs" requires exactly 1 argument.');
  await faultPoint(call, 'logs', [name]);
  const options = { isTimed: flags.has('timestamps'), since: momentOf(flags.text('since')) };
  const container = requireContainer(engineState(call), name);
  printLog(call, container, flags.text('tail'), options);
  if (flags.has('follow')) await followLog(call, container, options);
}

/** Prints later lines until the container stops. */
async function followLog(call: Call, { id, log }: Container, options: LogOptions): Promise<void> {
  let printed = log.length;
  for (;;) {
    const state = call.read();
    const isDue = (nextDue(state)?.at ?? Number.POSITIVE_INFINITY) <= call.now();
    const container = findContainer(isDue ? await call.change((settled) => settled) : state, id);
    if (container === undefined) return;
    printLog(call, container, String(container.log.length - printed), options);
    printed = container.log.length;
    if (container.status !== 'running') return;
    await call.pause(lookEveryMs);
  }
}

type LogOptions = { isTimed?: boolean; since?: number; prefix?: string };

/** Prints the last lines of a log; all lines if `tail` is not a number. */
export function printLog(
  call: Call,
  { log }: Container,
  tail: string | undefined,
  { isTimed = false, since = 0, prefix = '' }: LogOptions = {},
): void {
  const count = /^\d+$/.test(tail ?? '') ? Number(tail) : log.length;
  for (const [index, line] of log.entries()) {
    if (index < log.length - count || (line.at ?? 0) < since) continue;
    const say = line.to === 'stdout' ? call.out : call.err;
    say(`${prefix}${isTimed ? `${timeOf(line, index)} ` : ''}${line.text}\n`);
  }
}

/** In nanoseconds, so that lines of one moment have different times. */
function timeOf({ at = 0 }: LogLine, index: number): string {
  return `${new Date(at).toISOString().slice(0, -1)}${String(index).padStart(6, '0')}Z`;
}

function momentOf(text: string | undefined): number {
  const moment = text === undefined ? 0 : Date.parse(text.replace(/(\.\d{3})\d*Z$/, '$1Z'));
  if (Number.isNaN(moment)) throw unknown(`the time ${text} of "logs"`);
  return moment;
}
