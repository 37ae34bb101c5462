import { type FaultKind, mutations } from './faults.ts';
import type { Request } from './handler/request.ts';
import type { Operation } from './handler/routes.ts';

/** One request, without anything secret: no header, no cookie, no body but the name that a client was given. */
export type LogEntry = {
  at: number;
  method: string;
  path: string;
  operation: Operation;
  /** Of a create. */
  name: string | null;
  /** Null while it is being answered, and for good when the answer never came. */
  status: number | null;
  fault: FaultKind | null;
};

/** What a suite needs in order to say that somebody asks one thing at a time. */
export type Counters = {
  requests: number;
  logins: number;
  mutations: number;
  /** The most that were being answered at once. */
  maxInFlight: number;
  maxLoginsInFlight: number;
  maxMutationsInFlight: number;
  /** The most at once that somebody still waited for: of whoever was killed a mutation may go on. */
  maxMutationsAwaited: number;
  /** How often a login and a mutation were under way together. */
  loginsBesideMutations: number;
  /** `METHOD path` of requests that no recording answers. */
  unknown: string[];
};

export type Traffic = {
  counters(): Counters;
  log(): readonly LogEntry[];
  begin(request: Request, operation: Operation): LogEntry;
  end(entry: LogEntry): void;
  /** Nobody waits for the answer any more: it is there, or whoever asked is gone. */
  leave(entry: LogEntry): void;
  inFlight(): number;
  /** Starts counting and logging again; what is in flight stays so. */
  reset(): void;
};

const none = (): Counters => ({
  requests: 0,
  logins: 0,
  mutations: 0,
  maxInFlight: 0,
  maxLoginsInFlight: 0,
  maxMutationsInFlight: 0,
  maxMutationsAwaited: 0,
  loginsBesideMutations: 0,
  unknown: [],
});

export function watchTraffic(now: () => number): Traffic {
  const open = new Set<LogEntry>();
  const awaited = new Set<LogEntry>();
  let log: LogEntry[] = [];
  let counters = none();

  function count(entry: LogEntry) {
    const logins = [...open].filter((one) => one.operation === 'login').length;
    const changes = [...open].filter((one) => mutations.has(one.operation)).length;
    const awaitedChanges = [...awaited].filter((one) => mutations.has(one.operation)).length;
    const isLogin = entry.operation === 'login';
    const isMutation = mutations.has(entry.operation);
    counters.requests += 1;
    if (isLogin) counters.logins += 1;
    if (isMutation) counters.mutations += 1;
    counters.maxMutationsAwaited = Math.max(counters.maxMutationsAwaited, awaitedChanges);
    if (entry.operation === 'unknown') counters.unknown.push(`${entry.method} ${entry.path}`);
    counters.maxInFlight = Math.max(counters.maxInFlight, open.size);
    counters.maxLoginsInFlight = Math.max(counters.maxLoginsInFlight, logins);
    counters.maxMutationsInFlight = Math.max(counters.maxMutationsInFlight, changes);
    if ((isLogin && changes > 0) || (isMutation && logins > 0)) counters.loginsBesideMutations += 1;
  }

  return {
    counters: () => ({ ...counters, unknown: [...counters.unknown] }),
    log: () => log,
    begin: (request, operation) => {
      const { method, path } = request;
      const name = operation === 'create' ? nameIn(request.body) : null;
      const entry: LogEntry = { at: now(), method, path, operation, name, status: null, fault: null };
      log.push(entry);
      open.add(entry);
      awaited.add(entry);
      count(entry);
      return entry;
    },
    end: (entry) => {
      open.delete(entry);
    },
    leave: (entry) => {
      awaited.delete(entry);
    },
    inFlight: () => open.size,
    reset: () => {
      log = [];
      counters = none();
    },
  };
}

function nameIn(body: string): string | null {
  try {
    const { name } = Object(JSON.parse(body));
    return typeof name === 'string' ? name : null;
  } catch {
    // A body that is no JSON has no name.
    return null;
  }
}
