import { requireContainer } from '../model/containers.ts';
import { Failure } from '../model/failure.ts';
import type { Container } from '../model/state.ts';
import { type Call, engineState, faultPoint } from './call.ts';
import { readFlags } from './views/flags.ts';

export async function logs(call: Call, argv: readonly string[]): Promise<void> {
  const flags = readFlags('logs', 'n/tail=', argv);
  const [name = ''] = flags.rest;
  if (flags.rest.length !== 1) throw new Failure(1, '"docker logs" requires exactly 1 argument.');
  await faultPoint(call, 'logs', [name]);
  printLog(call, requireContainer(engineState(call), name), flags.text('tail'));
}

/** Prints the last lines of a log; all lines if `tail` is not a number. */
export function printLog(call: Call, { log }: Container, tail: string | undefined, prefix = ''): void {
  const count = /^\d+$/.test(tail ?? '') ? Number(tail) : log.length;
  for (const { to, text } of log.slice(Math.max(0, log.length - count))) {
    const say = to === 'stdout' ? call.out : call.err;
    say(`${prefix}${text}\n`);
  }
}
