import { type GatewayClient, GatewayLost, GatewayRefused } from '../../client/gateway-client.ts';
import type { HostAnswer } from '../../lib/probe-host.ts';
import type { LocalPorts } from './adapters/local-ports.ts';
import type { Joined, Joining, TunnelFiles } from './adapters/tunnel-files.ts';
import type { TunnelEnds } from './rules/firewall.ts';
import type { KernelRoute, NetworkFacts } from './rules/own-networks.ts';
import type { AppContainer } from './rules/published-app.ts';

/** Ports of the tunnel commands. */
export type TunnelPorts = {
  files: TunnelFiles;
  /** Makes a client for the gateway at an address. */
  client(gateway: string): GatewayClient;
  /** Reads the network configuration of this machine, which shows the box's own networks. */
  networkFacts(): NetworkFacts;
  packetFilter: PacketFilter;
  wireGuard: WireGuard;
  localPorts: LocalPorts;
  /** The containers of all apps; `null` if Docker does not answer. */
  containers(): Promise<AppContainer[] | null>;
  /** Whether a change of an app is under way. */
  isChanging(): Promise<boolean>;
  /** Whether another process serves the box, and so looks at its containers itself. */
  isBoxRunning(): boolean;
  /** Asks a proxy for a page of a host. Never fails. */
  probe(proxy: string, host: string, options: { timeoutMs: number; auth?: string; path?: string }): Promise<HostAnswer>;
  /** The kernel's id of this run of the machine; empty if it cannot be read. */
  bootId(): string;
  now(): Date;
  pause(ms: number): Promise<void>;
  /** Prints a warning of one line for the owner, in addition to the result. */
  warn(text: string): void;
};

/** The kernel's packet filter. */
export type PacketFilter = {
  /**
   * Carries out one transaction.
   * @returns the text that nft printed; `null` if the transaction names a table that is not there, this user may see
   * none (only root can have made one), or the kernel has no nf_tables
   */
  apply(transaction: string): Promise<string | null>;
};

/** A peer of a WireGuard interface. */
export type Peer = {
  /** The gateway's address in the tunnel. The tunnel leads to no other address. */
  gatewayAddress: string;
  /** The address and port that the tunnel's packets are sent to. */
  endpoint: string;
  /** `null` if there was no handshake yet. */
  handshakeAt: Date | null;
  receivedBytes: number;
};

/** The WireGuard interfaces of this machine. */
export type WireGuard = {
  /** Packages with programs that the tunnel needs and this machine lacks. */
  missingPackages(): string[];
  /** Name of the interface that has the address; `null` if none has. */
  interfaceWith(address: string): string | null;
  /** The peer with the public key; `null` if the interface has none. */
  peer(interfaceName: string, publicKey: string): Promise<Peer | null>;
  /** The longest packet that the interface takes, in bytes; `null` if that cannot be read. */
  mtu(interfaceName: string): number | null;
  /** How the kernel sends packets to an address; `null` if it does not. `from` is an address of this machine. */
  routeTo(address: string, from?: string): Promise<KernelRoute | null>;
  /** Sends data to the gateway's end until something but a handshake comes back, at most 20 s. */
  answers(interfaceName: string, publicKey: string, ends: TunnelEnds): Promise<boolean>;
  /**
   * Stops and disables the units that use the configuration, clears their failures, and removes the interface if it has
   * that address and key.
   * @returns whether the machine has no interface of that name any more
   */
  takeDown(configFile: string, address: string): Promise<boolean>;
};

/** The reason why a command failed. The message is for the owner and contains no token. */
export class TunnelProblem extends Error {
  override readonly name = 'TunnelProblem';
}

/** Returns the joined box; throws a TunnelProblem before the box joins a gateway. */
export function joinedBox(files: TunnelFiles): Joined {
  const known = files.read();
  if (known === null) throw new TunnelProblem('this box has not joined a gateway; boxgate tunnel join does that');
  if (known.state === 'joining') throw new TunnelProblem(answerLost(known));
  return known;
}

/** The error for the owner if the answer to a registration was lost. */
export function answerLost({ gateway, boxName, startedAt }: Joining): string {
  return (
    `the answer to the registration at ${gateway} of ${startedAt} was lost; if that gateway's operator finds a box ` +
    `${JSON.stringify(boxName)} of that time in \`boxgate gateway boxes list\`, nobody can speak for it and ` +
    '`boxgate gateway boxes remove ID` frees its place; boxgate tunnel join registers this box anew'
  );
}

/** The error for the owner if the box's token is lost. */
export function nobodySpeaksFor(boxId: string): string {
  return (
    `nobody can speak for the box ${boxId} any more: its gateway's operator removes it with ` +
    `\`boxgate gateway boxes remove ${boxId}\``
  );
}

/** Whether the gateway still accepts the token; `unknown` if it cannot be asked. */
export async function tokenState(client: GatewayClient, box: Joined): Promise<'good' | 'refused' | 'unknown'> {
  try {
    await client.listRoutes(box);
    return 'good';
  } catch (error) {
    if (error instanceof GatewayRefused && error.status === 401) return 'refused';
    if (error instanceof GatewayRefused || error instanceof GatewayLost) return 'unknown';
    throw error;
  }
}

/** Runs a change of the tunnel while no other process changes it. */
export async function locked<Result>(files: TunnelFiles, change: () => Promise<Result>): Promise<Result> {
  const lock = await files.lock();
  try {
    return await change();
  } finally {
    lock.release();
  }
}
