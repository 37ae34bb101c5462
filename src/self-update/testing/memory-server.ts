import type { Stopwatch, UpdaterPorts } from '../ports.ts';
import { fail } from '../rules/update-failed.ts';

/** The behaviour of a started version. */
export type Behaviour =
  | 'good'
  | 'does not start'
  | 'ends at once'
  | 'ends every second'
  | 'is silent'
  | 'says that it is 3.0.0'
  | 'answers 500';

/** A server and its service manager, in memory. */
type MemoryServer = {
  behaviours: Record<string, Behaviour>;
  /** The version that runs; `null` after a power cut. */
  runs: string | null;
  /** Every version that was started, in order. */
  starts: string[];
  start(version: string): void;
};

export const unit = 'boxgate-box.service';
export const address = 'http://127.0.0.1:7000';

/** A clock that moves only during pauses. */
export function makeStopwatch(): Stopwatch {
  let elapsed = 0;
  return {
    elapsed: () => elapsed,
    async pause(ms) {
      elapsed += ms;
    },
  };
}

export function makeServer(version: string): MemoryServer {
  const server: MemoryServer = {
    behaviours: {},
    runs: version,
    starts: [],
    start(started) {
      server.runs = started;
      server.starts.push(started);
    },
  };
  return server;
}

/** @param current - the version that a start of the service starts */
export function portsOf(
  server: MemoryServer,
  { elapsed }: Stopwatch,
  current: () => Promise<string | null>,
): Pick<UpdaterPorts, 'manager' | 'ask'> {
  let startedAt = elapsed();
  const behaviour = () => server.behaviours[server.runs ?? ''] ?? 'good';
  const state = () => {
    if (server.runs === null) return 'inactive';
    return behaviour() === 'ends at once' ? 'failed' : 'active';
  };
  return {
    manager: {
      start: async () => 'already running',
      async status(asked) {
        if (asked === 'boxgate-gateway.service') return { state: 'inactive', pid: 0, restarts: 0, command: '' };
        const restarts = behaviour() === 'ends every second' ? Math.floor((elapsed() - startedAt) / 1000) : 0;
        const command = '{ path=/opt/boxgate/current/bin/boxgate ; argv[]=… }';
        return { state: state(), pid: 1000 * (server.starts.length + 1) + restarts, restarts, command };
      },
      async restart() {
        server.start((await current()) ?? 'nothing');
        startedAt = elapsed();
        if (behaviour() === 'does not start')
          fail(`the unit ${unit} did not start: Exec format error; journalctl -u ${unit} says why`);
      },
    },
    async ask() {
      const how = behaviour();
      if (state() !== 'active' || how === 'is silent' || how === 'does not start') {
        return { status: 0, server: '', problem: 'connect ECONNREFUSED' };
      }
      const version = how === 'says that it is 3.0.0' ? '3.0.0' : server.runs;
      return { status: how === 'answers 500' ? 500 : 200, server: `boxgate/${version}`, problem: null };
    },
  };
}
