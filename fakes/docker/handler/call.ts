import { Failure } from '../model/failure.ts';
import { cannotConnect, faultFailure, findFault, takeFault } from '../model/faults.ts';
import type { EngineState, Fault } from '../model/state.ts';

/** One run of the program: its input, and its only ways to act. */
export type Call = {
  argv: string[];
  cwd: string;
  env: Record<string, string | undefined>;
  now(): number;
  /** Waits for `ms` or until `wake` aborts. */
  pause(ms: number, wake?: AbortSignal): Promise<void>;
  out(text: string): void;
  err(text: string): void;
  read(): EngineState;
  change<T>(work: (state: EngineState) => T): Promise<T>;
  /** Follows the event log: `next` returns the lines since its last call, `onMore` announces new lines. */
  follow(onMore: () => void): { next(): string[]; close(): void };
  faultFired(fault: Fault): void;
};

/** The engine's state; throws if the engine is not running. */
export function engineState(call: Call): EngineState {
  const state = call.read();
  if (!state.running) throw new Failure(1, cannotConnect(hostOf(call)));
  return state;
}

export function hostOf(call: Call): string {
  return call.env.DOCKER_HOST || 'unix:///var/run/docker.sock';
}

/** Applies a matching fault: fails or hangs. */
export async function faultPoint(
  call: Call,
  point: string,
  subjects: readonly string[],
  when: Fault['when'] = 'before',
): Promise<void> {
  if (!findFault(call.read(), point, subjects, when)) return;
  const fault = await call.change((state) => takeFault(state, point, subjects, when));
  if (!fault) return;
  call.faultFired(fault);
  if (fault.kind === 'hang') return hang(call, fault);
  throw faultFailure(fault, subjects[0] ?? point, hostOf(call));
}

const lookEveryMs = 20;

/** Hangs for `ms` (for ever if `null`), or until the faults are cleared. */
async function hang(call: Call, { id, ms }: Fault): Promise<void> {
  const end = ms === null ? Number.POSITIVE_INFINITY : call.now() + ms;
  const isOver = () => call.read().faults.find((one) => one.id === id)?.isCleared !== false;
  while (call.now() < end && !isOver()) await call.pause(Math.min(lookEveryMs, end - call.now()));
}
