import type { Box, GatewayPorts } from '../ports.ts';
import { refuse } from '../refusals.ts';
import { isBoxToken } from '../rules/box-token.ts';
import { hashOf } from '../tokens.ts';
import { noteStoreFault } from './store-fault.ts';

/** The box of a token, and the token's hash, which a rotation replaces. */
export type Caller = { box: Box; tokenHash: Uint8Array };

/** A caller, and where its request came from. `boot` is the boot id of its machine, or empty. */
export type HeardCaller = Caller & { from: { address: string; boot: string } };

type Ports = Pick<GatewayPorts, 'store' | 'now' | 'warn'>;

export type Authenticate = (authorization: string | undefined) => Promise<Caller>;

/**
 * Finds the caller of a request by its header `Authorization`. Refuses a text that cannot be a token without asking the
 * store. Notes the use of a removed box's token for the doctor.
 * gateway/auth/1, gateway/auth/6-8, choice/gateway/54
 */
export function makeAuthenticate({ store, now, warn }: Ports): Authenticate {
  const failed = noteStoreFault(warn);
  return async (authorization = '') => {
    const [, token = refuse('missingBearerToken')] = /^Bearer +(\S.*)$/i.exec(authorization) ?? [];
    if (!isBoxToken(token)) refuse('invalidBoxToken');
    const tokenHash = hashOf(token);
    const box = await store.boxOfToken(tokenHash).catch(failed);
    if (box !== null) return { box, tokenHash };
    await store.noteRemovedToken(tokenHash, now()).catch(failed);
    return refuse('invalidBoxToken');
  };
}

/** Refuses access to other boxes. The refusal does not reveal whether the other box exists. gateway/rules/2 */
export function authorize(box: Box, boxId: unknown): void {
  if (box.id !== boxId) refuse('tokenOfOtherBox');
}
