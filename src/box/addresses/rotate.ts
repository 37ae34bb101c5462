import { type GatewayClient, GatewayLost, GatewayRefused, mayBeDone } from '../../client/gateway-client.ts';
import { changeJoined, nobodySpeaksFor } from './joined-box.ts';
import { type AddressPorts, type Joined, TunnelProblem } from './ports.ts';

/**
 * Replaces the box's token by a new one. The gateway's answer invalidates the old token, so space for the new one is
 * reserved before the request, and the old one stays on disk until the new one is written.
 */
export function rotate(ports: AddressPorts): Promise<Joined> {
  return changeJoined(ports, async (box) => {
    const room = await ports.files.reserveIdentity();
    let boxToken: string;
    try {
      boxToken = await newToken(ports, box);
    } catch (error) {
      await room.abandon();
      throw error;
    }
    const rotated = { ...box, boxToken };
    try {
      await room.keep(rotated);
    } catch (error) {
      const reason = (error as Error).message;
      await room.abandon();
      throw new TunnelProblem(`the new token could not be kept: ${reason}; ${nobodySpeaksFor(box.boxId)}`, {
        cause: error,
      });
    }
    return rotated;
  });
}

/** Rotates the token. If the answer is lost, it asks with the old token whether that still works. */
async function newToken({ client: clientOf }: AddressPorts, box: Joined): Promise<string> {
  const client = clientOf(box.gateway);
  try {
    return await client.rotateToken(box);
  } catch (error) {
    if (!mayBeDone(error)) throw error;
    const state = await tokenState(client, box);
    const consequence = {
      good: 'the token was not replaced',
      refused: `the new token was lost with the answer; ${nobodySpeaksFor(box.boxId)}`,
      unknown: 'whether the token was replaced is not known; boxgate tunnel status tells once the gateway answers',
    }[state];
    throw new TunnelProblem(`${error.message}; ${consequence}`, { cause: error });
  }
}

/** Whether the gateway still accepts the token; `unknown` if it cannot be asked. */
async function tokenState(client: GatewayClient, box: Joined): Promise<'good' | 'refused' | 'unknown'> {
  try {
    await client.listRoutes(box);
    return 'good';
  } catch (error) {
    if (error instanceof GatewayRefused && error.status === 401) return 'refused';
    if (error instanceof GatewayRefused || error instanceof GatewayLost) return 'unknown';
    throw error;
  }
}
