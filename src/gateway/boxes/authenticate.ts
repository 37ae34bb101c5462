import type { Awaitable, Box, GatewayPorts } from '../ports.ts';
import { refuse } from '../refusals.ts';
import { isBoxToken } from '../rules/box-token.ts';

/** Who asks: the live box that the token speaks for, and the token's hash, which a rotation replaces. */
export type Caller = { box: Box; tokenHash: Uint8Array };

type Ports = Pick<GatewayPorts, 'store' | 'tokens'>;

export type Authenticate = (authorization: string | undefined) => Awaitable<Caller>;

/** So many boxes send heartbeats within seconds of each other; more are hashed anew. */
const mostKnown = 10_000;
/** A header is so long and no longer, unless somebody writes it to fill our memory. */
const mostLength = 100;

/**
 * Finds the caller of a request by its header `Authorization`. A text that cannot be a token is refused without asking
 * the store. What the store knows at once is answered at once: most requests are heartbeats, and a promise would cost
 * more than all else of one. Whom a header led to is remembered for the same reason; whether its token still leads
 * there is asked of the store each time.
 * gateway/auth/1, gateway/auth/6-8, choice/gateway/54, choice/gateway/55, choice/gateway/59
 */
export function makeAuthenticate({ store, tokens }: Ports): Authenticate {
  const callers = new Map<string, Caller>();

  const callerOf = (box: Box | null, tokenHash: Uint8Array, authorization: string): Caller => {
    if (box === null) refuse('invalidBoxToken');
    const caller = { box, tokenHash };
    if (authorization.length > mostLength) return caller;
    if (callers.size >= mostKnown) callers.clear();
    callers.set(authorization, caller);
    return caller;
  };

  return (authorization = '') => {
    const known = callers.get(authorization);
    const tokenHash = known?.tokenHash ?? tokens.hash(tokenOf(authorization));
    const box = store.boxOfToken(tokenHash);
    if (known !== undefined && box === known.box) return known;
    return box instanceof Promise
      ? box.then((found) => callerOf(found, tokenHash, authorization))
      : callerOf(box, tokenHash, authorization);
  };
}

/** What the header says, if it can be a token. */
function tokenOf(authorization: string): string {
  const [, token = refuse('missingBearerToken')] = /^Bearer +(\S.*)$/i.exec(authorization) ?? [];
  return isBoxToken(token) ? token : refuse('invalidBoxToken');
}

/** Refuses the actions of a box to any other box; whether there is one of that id is not told. gateway/rules/2 */
export function authorize({ box }: Caller, boxId: unknown): void {
  if (box.id !== boxId) refuse('tokenOfOtherBox');
}
