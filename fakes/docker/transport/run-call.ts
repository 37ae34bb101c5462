import type { Call } from '../handler/call.ts';
import { runDocker } from '../handler/docker.ts';
import type { Store } from './store.ts';

/** The input of a command. */
export type Given = { pid: number; argv: string[]; cwd: string; env: Record<string, string | undefined> };

/** The output streams of a command, and how it waits. */
export type CallIo = Pick<Call, 'pause' | 'out' | 'err'> & {
  /** Throws when the launcher has gone, so that the command stops like a killed process. */
  throwIfGone(): void;
};

/** Runs one command, logs its start and end, and returns its exit status. */
export async function runCall(store: Store, given: Given, io: CallIo): Promise<number> {
  const { pid, argv, cwd } = given;
  const started = Date.now();
  const id = `${pid}-${started}`;
  const faults: string[] = [];
  store.record({ call: id, at: started, pid, argv, cwd, ...logged(given.env) });
  const status = await runDocker(makeCall(store, given, io, faults));
  store.record({ call: id, status, ms: Date.now() - started, faults });
  return status;
}

function makeCall(store: Store, given: Given, io: CallIo, faults: string[]): Call {
  const { throwIfGone } = io;
  return {
    argv: given.argv,
    cwd: given.cwd,
    env: given.env,
    now: Date.now,
    pause: io.pause,
    out: io.out,
    err: io.err,
    read() {
      throwIfGone();
      return store.read();
    },
    change(work) {
      throwIfGone();
      return store.change((state) => {
        throwIfGone();
        return work(state);
      });
    },
    follow: store.follow,
    faultFired: (fault) => faults.push(fault.id),
  };
}

/** The logged variables: Docker's own variables with their values, other variables by name only. */
function logged(env: Given['env']): { env: Record<string, string>; names: string[] } {
  const own = Object.entries(env)
    .filter(([name]) => /^(DOCKER|COMPOSE)_/.test(name))
    .map(([name, value]) => [name, /AUTH|PASSWORD|TOKEN|SECRET/.test(name) ? '(not logged)' : value]);
  return { env: Object.fromEntries(own) as Record<string, string>, names: Object.keys(env).sort() };
}
