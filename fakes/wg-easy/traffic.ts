import { type FaultKind, mutations } from './faults.ts';
import type { Request } from './handler/request.ts';
import type { Operation } from './handler/routes.ts';

/** One request without secrets: no headers, no cookies, and bodies without passwords and keys. */
export type LogEntry = {
  at: number;
  method: string;
  path: string;
  operation: Operation;
  /** The name in a create request. */
  name: string | null;
  /** `null` until a response is sent. */
  status: number | null;
  fault: FaultKind | null;
  sent: string;
  received: string;
};

/** Counters that show whether a client sends requests one at a time. */
export type Counters = {
  requests: number;
  logins: number;
  mutations: number;
  /** The maximum of concurrent requests. */
  maxInFlight: number;
  maxLoginsInFlight: number;
  maxMutationsInFlight: number;
  /**
   * The maximum of concurrent mutations whose client still waits. A killed client does not wait, but its mutation
   * continues.
   */
  maxMutationsAwaited: number;
  loginsBesideMutations: number;
  /** `METHOD path` of requests that no recording has. */
  unknown: string[];
};

export type Traffic = {
  counters(): Counters;
  log(): readonly LogEntry[];
  begin(request: Request, operation: Operation): LogEntry;
  end(entry: LogEntry): void;
  /** The client no longer waits: it got the response, or has gone. */
  leave(entry: LogEntry): void;
  /** Resets counters and log, but not the requests in flight. */
  reset(): void;
};

const noTraffic = (): Counters => ({
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
  let counters = noTraffic();

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
      const sent = withoutSecrets(request.body);
      const entry: LogEntry = {
        at: now(),
        method,
        path,
        operation,
        name,
        status: null,
        fault: null,
        sent,
        received: '',
      };
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
    reset: () => {
      log = [];
      counters = noTraffic();
    },
  };
}

const longestBody = 600;

/** Hides the values of passwords, codes and keys in JSON and in WireGuard configurations. */
export function withoutSecrets(body: string): string {
  return body
    .replace(/("\w*(?:password|privatekey|presharedkey|token|totp\w*)"\s*:\s*)"(?:[^"\\]|\\.)*"/gi, '$1"[secret]"')
    .replace(/((?:PrivateKey|PresharedKey)\s*=\s*)[^\s\\"]+/g, '$1[secret]')
    .slice(0, longestBody);
}

function nameIn(body: string): string | null {
  try {
    const { name } = Object(JSON.parse(body));
    return typeof name === 'string' ? name : null;
  } catch {
    // Invalid JSON has no name.
    return null;
  }
}
