import type { Awaitable, Box, GatewayPorts } from './ports.ts';
import { refuse } from './refusals.ts';
import { isBoxToken } from './rules/box-token.ts';

/** Who asks: the live box that the token speaks for, and the token's hash, which a rotation replaces. */
export type Caller = { box: Box; tokenHash: Uint8Array };

type Ports = Pick<GatewayPorts, 'store' | 'tokens'>;

/**
 * The caller of a request by its header `Authorization`. A text that cannot be a token is refused without asking the
 * store. What the store knows at once is answered at once: most requests are heartbeats, and a promise would cost
 * more than all else of one.
 * gateway/auth/1, gateway/auth/6-8, choice/gateway/54, choice/gateway/55, choice/gateway/59
 */
export function authenticate({ store, tokens }: Ports, authorization: string | undefined): Awaitable<Caller> {
  const token = bearerTokenOf(authorization);
  if (!isBoxToken(token)) refuse('invalidBoxToken');
  const tokenHash = tokens.hash(token);
  const box = store.boxOfToken(tokenHash);
  return box instanceof Promise ? box.then((found) => callerOf(found, tokenHash)) : callerOf(box, tokenHash);
}

function bearerTokenOf(authorization = ''): string {
  return /^Bearer +(\S.*)$/i.exec(authorization)?.[1] ?? refuse('missingBearerToken');
}

function callerOf(box: Box | null, tokenHash: Uint8Array): Caller {
  if (box === null) refuse('invalidBoxToken');
  return { box, tokenHash };
}

/** Refuses the actions of a box to any other box; whether there is one of that id is not told. gateway/rules/2 */
export function authorize({ box }: Caller, boxId: unknown): void {
  if (box.id !== boxId) refuse('tokenOfOtherBox');
}
