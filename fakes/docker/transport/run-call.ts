import type { Call } from '../handler/call.ts';
import { runDocker } from '../handler/docker.ts';
import type { Store } from './store.ts';

/** What a command was started with, in whichever process it is carried out. */
export type Given = { pid: number; argv: string[]; cwd: string; env: Record<string, string | undefined> };

/** What a command says, and how it waits. */
export type Ways = Pick<Call, 'pause' | 'out' | 'err'> & {
  /** Throws when whoever gave the command has gone: it goes no further then, as a process that was killed. */
  goOn(): void;
};

/** Carries one command out, with a line of the log at its start and one at its end; its exit status. */
export async function runCall(store: Store, given: Given, ways: Ways): Promise<number> {
  const { pid, argv, cwd } = given;
  const started = Date.now();
  const id = `${pid}-${started}`;
  const faults: string[] = [];
  store.record({ call: id, at: started, pid, argv, cwd, ...logged(given.env) });
  const status = await runDocker(makeCall(store, given, ways, faults));
  store.record({ call: id, status, ms: Date.now() - started, faults });
  return status;
}

function makeCall(store: Store, given: Given, ways: Ways, faults: string[]): Call {
  const { goOn } = ways;
  return {
    argv: given.argv,
    cwd: given.cwd,
    env: given.env,
    now: Date.now,
    pause: ways.pause,
    out: ways.out,
    err: ways.err,
    read() {
      goOn();
      return store.read();
    },
    change(work) {
      goOn();
      return store.change((state) => {
        goOn();
        return work(state);
      });
    },
    follow: store.follow,
    struck: (fault) => faults.push(fault.id),
  };
}

/** What of the environment the log keeps: Docker's own variables whole, of all others the names. */
function logged(env: Given['env']): { env: Record<string, string>; names: string[] } {
  const own = Object.entries(env)
    .filter(([name]) => /^(DOCKER|COMPOSE)_/.test(name))
    .map(([name, value]) => [name, /AUTH|PASSWORD|TOKEN|SECRET/.test(name) ? '(not logged)' : value]);
  return { env: Object.fromEntries(own) as Record<string, string>, names: Object.keys(env).sort() };
}
