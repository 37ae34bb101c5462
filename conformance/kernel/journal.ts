import type { Asked, Exchange } from './exchange.ts';
import type { RawAsked, RawExchange } from './raw-exchange.ts';

/** What a check did to an implementation, one after the other: enough to do it again by hand. */
export type Journal = Step[];

export type Step =
  | { by: 'request'; asked: Asked; answer: Exchange | null }
  | { by: 'bytes'; asked: RawAsked; answered: RawExchange | null }
  | ByHand;

/**
 * Something between the requests, in words, with the commands of a shell that do it, as far as there are such. Paths
 * in it begin with a variable: `$BUNDLED_APPS/pearl/icon.svg`.
 */
export type ByHand = {
  by: 'hand';
  does: string;
  files?: Readonly<Record<string, string | Buffer>>;
  commands?: readonly string[];
};
