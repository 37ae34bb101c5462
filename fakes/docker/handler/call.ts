import { Failure } from '../model/failure.ts';
import { cannotConnect, faultFailure, findFault, takeFault } from '../model/faults.ts';
import type { EngineState, Fault } from '../model/state.ts';

/** One run of the program: what it was given, and the only ways it has to act. */
export type Call = {
  argv: string[];
  cwd: string;
  env: Record<string, string | undefined>;
  now(): number;
  /** Waits so long, or until `wake` aborts. */
  pause(ms: number, wake?: AbortSignal): Promise<void>;
  out(text: string): void;
  err(text: string): void;
  read(): EngineState;
  change<T>(work: (state: EngineState) => T): Promise<T>;
  /** Reads the event log: `next` returns the lines since its last call, `onMore` is called when there are more. */
  follow(onMore: () => void): { next(): string[]; close(): void };
  /** Told of each fault that struck, for the log. */
  struck(fault: Fault): void;
};

/** The engine's state, or the refusal of an engine that is not running. */
export function engineState(call: Call): EngineState {
  const state = call.read();
  if (!state.running) throw new Failure(1, cannotConnect(hostOf(call)));
  return state;
}

export function hostOf(call: Call): string {
  return call.env.DOCKER_HOST || 'unix:///var/run/docker.sock';
}

/** Lets a scripted fault strike here: fails, hangs, or does nothing. */
export async function faultPoint(
  call: Call,
  point: string,
  subjects: readonly string[],
  when: Fault['when'] = 'before',
): Promise<void> {
  if (!findFault(call.read(), point, subjects, when)) return;
  const fault = await call.change((state) => takeFault(state, point, subjects, when));
  if (!fault) return;
  call.struck(fault);
  if (fault.kind === 'hang') return hang(call, fault);
  throw faultFailure(fault, subjects[0] ?? point, hostOf(call));
}

const lookEveryMs = 20;

/** For its time, or for ever, and no longer than until the faults are cleared. */
async function hang(call: Call, { id, ms }: Fault): Promise<void> {
  const end = ms === null ? Number.POSITIVE_INFINITY : call.now() + ms;
  const isOver = () => call.read().faults.find((one) => one.id === id)?.isCleared !== false;
  while (call.now() < end && !isOver()) await call.pause(Math.min(lookEveryMs, end - call.now()));
}
