import { type GatewayClient, GatewayRefused, mayBeDone, type RegisterResult } from '../../client/gateway-client.ts';
import { quoted } from '../../lib/network/wireguard-text.ts';
import { answerLost, changeJoined, locked, nobodySpeaksFor } from './joined-box.ts';
import {
  type AddressPorts,
  type Joined,
  type Joining,
  type TunnelFiles,
  TunnelProblem,
  type WireGuard,
} from './ports.ts';
import { boxConfig } from './rules/box-config.ts';
import { tunnelInterface } from './rules/firewall.ts';
import { ownNetworks } from './rules/own-networks.ts';

export type JoinRequest = { gateway: string; boxName: string; registrationToken: string };

/**
 * Registers the box once and keeps its token and tunnel configuration. Reserves space for both files and notes the
 * registration on disk before it asks the gateway. After a power cut, a lost answer or a full disk, this machine still
 * knows that the gateway may have registered the box.
 */
export function join(ports: AddressPorts, request: JoinRequest): Promise<Joined> {
  const { files, now } = ports;
  return locked(files, async () => {
    refuseToJoin(ports);
    const { gateway, boxName } = request;
    const room = await files.reserveBoth();
    const joining: Joining = { state: 'joining', gateway, boxName, startedAt: now().toISOString() };
    const client = ports.client(gateway);
    let made: RegisterResult;
    try {
      await files.writeJoining(joining);
      made = await register(files, client, request, joining);
    } catch (error) {
      await room.abandon();
      throw error;
    }
    return keepOrUndo(ports, client, made, request, room);
  });
}

/** Refuses a second join, and one without the programs. Warns if an earlier one may have registered the box. */
function refuseToJoin({ files, wireGuard, warn }: AddressPorts): void {
  const known = files.read();
  if (known?.state === 'joined') {
    throw new TunnelProblem(
      `this box is joined to ${known.gateway} as ${known.boxId}; boxgate tunnel leave ends that first`,
    );
  }
  if (known?.state === 'joining') warn(answerLost(known));
  const missing = wireGuard.missingPackages();
  if (missing.length === 0) return;
  throw new TunnelProblem(
    `the tunnel needs ${missing.join(' and ')}, which this box lacks: run \`sudo apt install ${missing.join(' ')}\`, then join`,
  );
}

async function register(
  files: TunnelFiles,
  client: GatewayClient,
  { registrationToken, boxName }: JoinRequest,
  joining: Joining,
): Promise<RegisterResult> {
  try {
    return await client.register(registrationToken, boxName);
  } catch (error) {
    // After a 500 the box may exist; after every other refusal it does not.
    if (mayBeDone(error)) throw new TunnelProblem(`${error.message}; ${answerLost(joining)}`, { cause: error });
    await forget(files);
    throw error;
  }
}

/** If the files cannot be written, the box is deregistered at once, while its token is still known. */
async function keepOrUndo(
  { files, networkFacts, wireGuard }: AddressPorts,
  client: GatewayClient,
  made: RegisterResult,
  { gateway }: JoinRequest,
  room: { keep(joined: Joined, config: string): Promise<void>; abandon(): Promise<void> },
): Promise<Joined> {
  const identity = { boxId: made.box_id, boxToken: made.box_token };
  try {
    const { text, address, gatewayEnd } = boxConfig(made.tunnel.config, ownNetworks(networkFacts()));
    if (address !== made.tunnel.address) {
      const said = quoted(made.tunnel.address);
      throw new Error(`the gateway says ${said} for the Address ${address} in its WireGuard text`);
    }
    await refuseOtherWay(wireGuard, gatewayEnd.address);
    const of = { boxName: made.box_name, accountId: made.account_id };
    const joined: Joined = { state: 'joined', gateway, ...identity, ...of, address, gatewayEnd };
    await room.keep(joined, text);
    return joined;
  } catch (error) {
    const reason = (error as Error).message;
    await room.abandon();
    await client.deregister(identity).catch(() => {
      // Reports the first error, and the box that the gateway still has.
      throw new TunnelProblem(`${reason}; ${nobodySpeaksFor(identity.boxId)}`, { cause: error });
    });
    await forget(files);
    throw new TunnelProblem(`${reason}; the registration was taken back`, { cause: error });
  }
}

/** The route of the tunnel is in the main table, so a table that comes before it would take the tunnel's packets. */
async function refuseOtherWay(wireGuard: WireGuard, gatewayEnd: string): Promise<void> {
  const way = await wireGuard.routeTo(gatewayEnd);
  if (way === null || way.firstTable === null || way.dev === tunnelInterface) return;
  throw new Error(
    `the gateway's end of the tunnel is ${gatewayEnd}, and routing table ${way.firstTable} of this box leads it to ${way.dev}, ` +
      "such as for another VPN: the gateway's operator has to choose another network for the tunnels",
  );
}

/** Removes the box's files. A failure is ignored: the earlier error matters more, and the next join reports the note. */
function forget(files: TunnelFiles): Promise<void> {
  return files.remove().catch(() => undefined);
}

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
    const consequence = await client.listRoutes(box).then(
      () => 'the token was not replaced',
      (answer) =>
        answer instanceof GatewayRefused && answer.status === 401
          ? `the new token was lost with the answer; ${nobodySpeaksFor(box.boxId)}`
          : 'whether the token was replaced is not known; boxgate tunnel status tells once the gateway answers',
    );
    throw new TunnelProblem(`${error.message}; ${consequence}`, { cause: error });
  }
}

/**
 * Deregisters the box, takes the tunnel down and removes the files, in this order: the files stay until nothing needs
 * them, so that a leave that fails can be repeated. If the gateway does not know the token any more, warns and goes on:
 * such a token can deregister nothing.
 */
export function leave(ports: AddressPorts): Promise<{ boxId: string }> {
  const { files, client, packetFilter, wireGuard, warn } = ports;
  return changeJoined(ports, async (box) => {
    try {
      await client(box.gateway).deregister(box);
    } catch (error) {
      if (!(error instanceof GatewayRefused) || error.status !== 401) throw error;
      warn(`${box.gateway} does not know this box's token; if it still lists ${box.boxId}, its operator removes it`);
    }
    await packetFilter.open(box, []);
    try {
      const isInterfaceGone = await wireGuard.takeDown(files.configFile, box.address);
      // Usually boxgate-tunnel.service has removed the packet filter already, but not for a tunnel that was started
      // by hand. An interface that still exists belongs to another registration, which may need these rules.
      if (isInterfaceGone) await packetFilter.remove(box);
    } catch (error) {
      throw new TunnelProblem(
        `${box.boxId} has left, but its tunnel could not be taken down: ${(error as Error).message}; correct that and ` +
          'run boxgate tunnel leave again',
        { cause: error },
      );
    }
    await files.remove();
    return { boxId: box.boxId };
  });
}
