import type { Exchange, OutgoingRequest } from './exchange.ts';
import type { Journal } from './journal.ts';
import type { RawExchange, RawRequest } from './raw-exchange.ts';
import type { Ended, LaunchOptions, Subject } from './subject.ts';

/** The folders and services around one implementation under check. */
export type AnyEnvironment = {
  root: string;
  /** Environment variables for the implementation, without the port. */
  env: () => Record<string, string>;
  /** Removes everything that the environment made, except its folders with `keepFiles`. Can be called twice. */
  dispose: (options?: { keepFiles?: boolean }) => void | Promise<void>;
};

/**
 * Everything that a check works with: an environment, and the implementation that runs in it. The implementation
 * starts at the first request, so a check can prepare the environment before. The runner verifies every response to
 * `request`, `get` and `post` against the response contract.
 */
export type CheckContext<Environment extends AnyEnvironment = AnyEnvironment> = {
  environment: Environment;
  /** The command line of `--exec`. */
  argv: readonly string[];
  seed: number;
  get: (path: string, headers?: Record<string, string>) => Promise<Exchange>;
  /** Strings and buffers are sent unchanged, other values as JSON, `undefined` as no body. */
  post: (path: string, body?: unknown, headers?: Record<string, string>) => Promise<Exchange>;
  request: (request: OutgoingRequest) => Promise<Exchange>;
  /**
   * Sends the requests that a function begins so that a server can carry them out at the same time: it gets all but the
   * last byte of each, then all last bytes. The function must begin them without waiting.
   */
  together: <T>(begin: () => Promise<T>[]) => Promise<T[]>;
  raw: (request: RawRequest) => Promise<RawExchange>;
  start: (options?: StartOptions) => Promise<Subject>;
  /** Starts another process next to the one that serves requests. It is killed at the end of the check. */
  startBeside: (options?: StartOptions) => Promise<Subject>;
  stop: () => Promise<Ended>;
  restart: () => Promise<Subject>;
  /** Kills the process group with SIGKILL. */
  kill: () => Promise<void>;
  subject: () => Subject;
  /** Returns a new random text that is hidden in reports. */
  secret: () => string;
  /** Hides a text in reports. */
  hide: (text: string) => void;
  /** Everything sent so far. A check adds its manual steps that matter for reproducing a failure. */
  journal: Journal;
};

/** Overrides for one start. `flags` are appended to the command line of `--exec`. */
export type StartOptions = Partial<LaunchOptions> & { flags?: string[] };
