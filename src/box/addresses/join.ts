import { type GatewayClient, mayBeDone, type RegisterResult } from '../../client/gateway-client.ts';
import { quoted } from '../../lib/wireguard-text.ts';
import { answerLost, locked, nobodySpeaksFor } from './joined-box.ts';
import {
  type AddressPorts,
  type Joined,
  type Joining,
  type TunnelFiles,
  TunnelProblem,
  type WireGuard,
} from './ports.ts';
import { boxConfig, UnusableConfig } from './rules/box-config.ts';
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

type Room = { keep(joined: Joined, config: string): Promise<void>; abandon(): Promise<void> };

/** If the files cannot be written, the box is deregistered at once, while its token is still known. */
async function keepOrUndo(
  { files, networkFacts, wireGuard }: AddressPorts,
  client: GatewayClient,
  made: RegisterResult,
  { gateway }: JoinRequest,
  room: Room,
): Promise<Joined> {
  const joined: Joined = {
    state: 'joined',
    gateway,
    boxId: made.box_id,
    boxToken: made.box_token,
    boxName: made.box_name,
    accountId: made.account_id,
    address: made.tunnel.address,
    gatewayEnd: null,
  };
  try {
    const { text, address, gatewayEnd } = boxConfig(made.tunnel.config, ownNetworks(networkFacts()));
    if (address !== joined.address) {
      throw new UnusableConfig(
        `the gateway says ${quoted(joined.address)} for the Address ${address} in its WireGuard text`,
      );
    }
    await refuseOtherWay(wireGuard, gatewayEnd.address);
    const whole = { ...joined, gatewayEnd };
    await room.keep(whole, text);
    return whole;
  } catch (error) {
    const reason = (error as Error).message;
    await room.abandon();
    await client.deregister(joined).catch(() => {
      // Reports the first error, and the box that the gateway still has.
      throw new TunnelProblem(`${reason}; ${nobodySpeaksFor(joined.boxId)}`, { cause: error });
    });
    await forget(files);
    throw new TunnelProblem(`${reason}; the registration was taken back`, { cause: error });
  }
}

/** The route of the tunnel is in the main table, so a table that comes before it would take the tunnel's packets. */
async function refuseOtherWay(wireGuard: WireGuard, gatewayEnd: string): Promise<void> {
  const way = await wireGuard.routeTo(gatewayEnd);
  if (way === null || way.firstTable === null || way.dev === tunnelInterface) return;
  throw new UnusableConfig(
    `the gateway's end of the tunnel is ${gatewayEnd}, and routing table ${way.firstTable} of this box leads it to ${way.dev}, ` +
      "such as for another VPN: the gateway's operator has to choose another network for the tunnels",
  );
}

/** Removes the box's files. A failure is ignored: the earlier error matters more, and the next join reports the note. */
function forget(files: TunnelFiles): Promise<void> {
  return files.remove().catch(() => undefined);
}
