import { randomBytes } from 'node:crypto';
import { pauseUnless } from '../pause.ts';
import { type ClientView, type Conditions, conditionsOf, startAgain, viewClients } from './conditions.ts';
import { type Faults, makeFaults } from './faults.ts';
import { syncInterface } from './model/clients.ts';
import { openDatabase } from './model/database.ts';
import type { Dialect } from './model/dialect.ts';
import { type LivePeer, newState, type State } from './model/state.ts';
import { type Counters, type LogEntry, watchTraffic } from './traffic.ts';
import { listen } from './transport.ts';

/**
 * A fake wg-easy on a loopback port of this process; it answers like the real one (`recordings/`):
 *
 *     const manager = await startWgEasy({ dialect: '15.4' });
 *     … { url: manager.url, username: manager.username, password: manager.password } …
 *     const fault = manager.faults.script({ kind: 'drop-after', on: 'create' });
 *     …
 *     assert.equal(fault.struck(), 1);
 *     assert.deepEqual(manager.clients().map((client) => client.name), ['boxgate-…']);
 *     assert.equal(manager.counters().maxLoginsInFlight, 1);
 *     await manager.close();
 *
 * Its state survives `stop`, `start` and `restart`. A login waits `loginMs` and a mutation `mutationMs`: requests that
 * overlap in this time collide.
 */
export type WgEasyOptions = {
  /** `15.4` by default. */
  dialect?: Dialect;
  /** `admin` by default; version 14 has no username. */
  username?: string;
  /** Random by default; `null` is version 14 without a password. */
  password?: string | null;
  /** A free port by default. */
  port?: number;
  /** The server's endpoint in configurations. */
  endpoint?: { host: string; port: number };
  /** Sets `Secure` on cookies, as the real one does without `INSECURE=true`. */
  secureCookies?: boolean;
  /** `GET /api/information` of version 15 fails, because it cannot reach the internet. */
  versionCheck?: boolean;
  loginMs?: number;
  mutationMs?: number;
  /** How long version 15 stays locked after a collision: 60 s by default; `null` until `heal` or `restart`. */
  healAfterMs?: number | null;
  now?: () => number;
  /** Gets the interface's configuration, without addresses, at the start and at each change. */
  configure?: (text: string) => void;
  pause?: (ms: number, end?: AbortSignal) => Promise<void>;
};

export type WgEasy = Conditions & {
  /** Without a trailing slash. */
  readonly url: string;
  readonly dialect: Dialect;
  /** Names it in reports. */
  readonly label: string;
  readonly username: string;
  /** Empty without a password. */
  readonly password: string;
  readonly faults: Faults;

  /** The stored clients, oldest first. */
  clients(): ClientView[];
  /** The peers on the interface. */
  live(): readonly LivePeer[];
  counters(): Counters;
  log(): readonly LogEntry[];
  resetTraffic(): void;

  /** Stops listening; the state stays. */
  stop(): Promise<void>;
  /** Listens again on the same port. */
  start(): Promise<void>;
  /**
   * Restarts, optionally with other settings. This ends sessions of version 14, unlocks the database and restores the
   * interface.
   */
  restart(changed?: Partial<Pick<State, 'password' | 'secureCookies' | 'versionCheck'>>): Promise<void>;
  close(): Promise<void>;
};

export async function startWgEasy(options: WgEasyOptions = {}): Promise<WgEasy> {
  const now = options.now ?? Date.now;
  const pause = options.pause ?? pauseUnless;
  const state = newState(stateOptions(options, now, pause));
  syncInterface(state);
  const faults = makeFaults();
  const traffic = watchTraffic(now);
  const server = await listen({ state, faults, traffic, pause }, options.port ?? 0);
  return {
    url: server.url,
    dialect: state.dialect,
    label: `wg-easy ${state.dialect}`,
    username: state.username,
    get password() {
      return state.password ?? '';
    },
    faults,
    clients: () => viewClients(state),
    live: () => state.live,
    counters: traffic.counters,
    log: traffic.log,
    resetTraffic: traffic.reset,
    ...conditionsOf(state),
    stop: server.stop,
    start: server.start,
    restart: async (changed = {}) => {
      await server.stop();
      startAgain(state, changed);
      await server.start();
    },
    close: server.stop,
  };
}

function stateOptions(options: WgEasyOptions, now: () => number, pause: (ms: number) => Promise<void>) {
  const dialect = options.dialect ?? '15.4';
  const { username = 'admin', password = randomBytes(12).toString('base64url') } = options;
  if (password === null && dialect !== '14') throw new Error('only version 14 can do without a password');
  const { loginMs = 10, mutationMs = 2, healAfterMs = 60_000 } = options;
  const durationMs = { login: loginMs, mutation: mutationMs };
  return {
    dialect,
    username,
    password,
    endpoint: options.endpoint ?? { host: 'vpn.example.test', port: 51820 },
    secureCookies: options.secureCookies ?? false,
    versionCheck: options.versionCheck ?? true,
    now,
    configure: options.configure ?? (() => undefined),
    database: openDatabase({ locks: dialect !== '14', now, pause, durationMs, healAfterMs }),
  };
}
