import { randomBytes } from 'node:crypto';
import { pauseUnless } from '../pause.ts';
import { type ClientView, type Conditions, conditionsOf, startAgain, viewClients } from './conditions.ts';
import { type Faults, makeFaults } from './faults.ts';
import { openDatabase } from './model/database.ts';
import type { Dialect } from './model/dialect.ts';
import { type LivePeer, newState, type State } from './model/state.ts';
import { type Counters, type LogEntry, watchTraffic } from './traffic.ts';
import { listen } from './transport.ts';

/**
 * A wg-easy that answers as the real one does (`recordings/`), on a loopback port of this process:
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
 * The state is kept from `start` to `close`, over `stop`, `start` and `restart`. Nothing takes processor time to
 * look busy: work takes `loginMs` and `mutationMs` of waiting, which is how near two requests have to come to meet.
 */
export type WgEasyOptions = {
  /** `15.4` unless said otherwise. */
  dialect?: Dialect;
  /** `admin`; version 14 asks for none. */
  username?: string;
  /** A random one; null is version 14 started with none. */
  password?: string | null;
  /** A free one. */
  port?: number;
  /** What configurations name as the server's end. */
  endpoint?: { host: string; port: number };
  /** Cookies say `Secure`, as a real one's do unless it was started with `INSECURE=true`. */
  secureCookies?: boolean;
  /** `GET /api/information` of version 15 asks the internet and fails. */
  versionCheck?: boolean;
  loginMs?: number;
  mutationMs?: number;
  /** How long version 15 stays locked after logins met: 60 s; null is until `heal` or `restart`. */
  healAfterMs?: number | null;
  /** Milliseconds since 1970. */
  now?: () => number;
  pause?: (ms: number, end?: AbortSignal) => Promise<void>;
};

export type WgEasy = Conditions & {
  /** Without a slash at the end. */
  readonly url: string;
  readonly dialect: Dialect;
  readonly username: string;
  /** Empty where there is none. */
  readonly password: string;
  readonly faults: Faults;

  /** What is stored, oldest first. */
  clients(): ClientView[];
  /** What is on the interface, stored or not. */
  live(): readonly LivePeer[];
  counters(): Counters;
  log(): readonly LogEntry[];
  resetTraffic(): void;

  /** Refuses connections; what is stored stays. */
  stop(): Promise<void>;
  /** Listens again at the same address. */
  start(): Promise<void>;
  /** Stops and starts, with other settings if there are any: ends sessions of version 14, locks and a lost interface. */
  restart(changed?: Partial<Pick<State, 'password' | 'secureCookies' | 'versionCheck'>>): Promise<void>;
  close(): Promise<void>;
};

export async function startWgEasy(options: WgEasyOptions = {}): Promise<WgEasy> {
  const now = options.now ?? Date.now;
  const pause = options.pause ?? pauseUnless;
  const state = newState(stateOptions(options, now, pause));
  const faults = makeFaults();
  const traffic = watchTraffic(now);
  const server = await listen({ state, faults, traffic, pause }, options.port ?? 0);
  return {
    url: server.url,
    dialect: state.dialect,
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
    database: openDatabase({ locks: dialect !== '14', now, pause, durationMs, healAfterMs }),
  };
}
