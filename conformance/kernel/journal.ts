import type { Exchange, OutgoingRequest } from './exchange.ts';
import type { RawExchange, RawRequest } from './raw-exchange.ts';

/** Everything that a check did to an implementation, in order. A person can repeat a failure with it. */
export type Journal = JournalEntry[];

export type JournalEntry =
  | { by: 'request'; request: OutgoingRequest; response: Exchange | null }
  | { by: 'bytes'; request: RawRequest; exchange: RawExchange | null }
  | ManualStep;

/**
 * A step between requests, with the files that it writes and the shell commands that do it, if there are any. Paths
 * start with a variable: `$BUNDLED_APPS/pearl/icon.svg`.
 */
export type ManualStep = {
  by: 'hand';
  description: string;
  files?: Readonly<Record<string, string | Buffer>>;
  commands?: readonly string[];
};
