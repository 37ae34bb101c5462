import type { GatewayClient } from '../../client/gateway-client.ts';
import type { HostAnswer } from '../../lib/network/host-answer.ts';
import type { Lock } from '../../lib/process/lock.ts';
import type { Container } from '../engine/rules/container.ts';
import type { TunnelEnds } from './rules/firewall.ts';
import type { GatewayEnd } from './rules/gateway-address.ts';
import type { KernelRoute, NetworkFacts } from './rules/own-networks.ts';
import type { OpenPort } from './rules/published-app.ts';

/** The public addresses of a box that may have joined a gateway. */
export type Addresses = PublicNames & {
  /** The public addresses by the app's directory. The same map as before while nothing changed. */
  urls(): ReadonlyMap<string, readonly string[]>;
  /** For its room. */
  tunnel: AddressPorts;
};

/** The public names, which follow their apps. Never fails. */
export type PublicNames = {
  /** Withdraws the routes of apps that are gone, within seconds. Returns lines for the operator, also of errors. */
  withdrawRemoved(): Promise<string[]>;
  /** Closes the published ports of the app in this directory to the gateway. */
  hold(directory: string): Promise<void>;
  /** The app's containers are not changed any more: its ports are opened once they are seen. */
  release(directory: string): Promise<void>;
  /** A container of the app in this directory stops: closes its ports until it is seen again. */
  shut(directory: string): void;
  /** Compares the published names with the containers in the background, and lets them follow their apps. */
  follow(): void;
  /** Why public names do not lead to their apps, and what to do; `null` before the box joins a gateway. */
  problems(): Promise<string[] | null>;
};

/** What the public addresses need of the machine, the gateway and the rest of the box. */
export type AddressPorts = {
  files: TunnelFiles;
  client(gateway: string): GatewayClient;
  networkFacts(): NetworkFacts;
  packetFilter: PacketFilter;
  wireGuard: WireGuard;
  localPorts: LocalPorts;
  appDirectories: AppDirectories;
  newLogin(login: string): Promise<NewLogin>;
  /** The containers of all apps; `null` if Docker does not answer. */
  containers(): Promise<readonly Container[] | null>;
  /** Whether a change of an app is under way. */
  isChanging(): Promise<boolean>;
  boxPort(): Promise<number>;
  /** Whether another process serves the box, and so looks at its containers itself. */
  isBoxRunning(): Promise<boolean>;
  /** Asks a proxy for a page of a host. Never fails. */
  probe(proxy: string, host: string, options: { timeoutMs: number; auth?: string; path?: string }): Promise<HostAnswer>;
  /** The kernel's id of this run of the machine; empty if it cannot be read. */
  bootId(): string;
  now(): Date;
  pause(ms: number): Promise<void>;
  /** Prints a warning of one line for the owner, in addition to the result. */
  warn(text: string): void;
};

/** A box that a gateway knows. */
export type Joined = {
  state: 'joined';
  gateway: string;
  boxId: string;
  boxToken: string;
  boxName: string;
  accountId: string;
  /** IPv4 inside the tunnel, without mask. */
  address: string;
  gatewayEnd: GatewayEnd;
};

/** A registration whose answer was not stored. The gateway may have registered the box. */
export type Joining = { state: 'joining'; gateway: string; boxName: string; startedAt: string };

/**
 * A box's records of its gateway: `tunnel.json`, `tunnel.conf` and `tunnel-ports.json` in its state directory,
 * readable only by their owner.
 */
export type TunnelFiles = {
  configFile: string;
  openPorts: OpenPorts;
  read(): Joined | Joining | null;
  /** Returns the WireGuard configuration; throws if the file does not exist. */
  readConfig(): string;
  /** Records durably that a registration is about to be requested. */
  writeJoining(joining: Joining): Promise<void>;
  reserveBoth(): Promise<{ keep(joined: Joined, config: string): Promise<void>; abandon(): Promise<void> }>;
  /** Reserves space for the file with the token. */
  reserveIdentity(): Promise<{ keep(joined: Joined): Promise<void>; abandon(): Promise<void> }>;
  /** Removes the files; `tunnel.json`, which marks a joined box, goes last. */
  remove(): Promise<void>;
  /** One change of the tunnel at a time, across processes. */
  lock(): Promise<Lock>;
};

/** The published ports as this box knows them. The gateway is not asked: it could name ports that nobody published. */
export type OpenPorts = {
  /** The same rows until they change. Empty if nothing was ever published. Throws if the file is damaged. */
  read(): readonly OpenPort[];
  /** Replaces the rows. The file is on disk when the promise resolves. Only `changeOpenPorts` calls it. */
  write(ports: readonly OpenPort[]): Promise<void>;
  /** One change of the rows at a time, across processes. It is never held while the gateway is asked. */
  lock(): Promise<Lock>;
};

/** The packet filter of the tunnel. One of another registration (another state directory) stays unchanged. */
export type PacketFilter = {
  /** Loads it. `false` if this user may not, or the kernel has no nf_tables. Throws without nft. */
  load(box: Joined, ends: TunnelEnds, ports: readonly number[]): Promise<boolean>;
  /** Opens exactly these ports if it is loaded. Without it there is no tunnel. Throws TunnelProblem. */
  open(box: Joined, ports: readonly number[]): Promise<void>;
  /** Throws TunnelProblem. */
  remove(box: Joined): Promise<void>;
  /** `false` if that cannot be seen. */
  isLoaded(box: Joined): Promise<boolean>;
};

export type Peer = {
  /** The gateway's address in the tunnel. The tunnel leads to no other address. */
  gatewayAddress: string;
  /** The address and port that the tunnel's packets are sent to. */
  endpoint: string;
  /** `null` if there was no handshake yet. */
  handshakeAt: Date | null;
  receivedBytes: number;
};

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
  /** Enables and starts the units. Throws TunnelProblem. */
  bringUp(): Promise<void>;
  /**
   * Stops and disables the units that use the configuration, clears their failures, and removes the interface if it has
   * that address and key.
   * @returns whether the machine has no interface of that name any more
   */
  takeDown(configFile: string, address: string): Promise<boolean>;
};

export type LocalPorts = {
  listens(address: string, port: number): Promise<boolean>;
  /** Whether a server of boxgate answers, or a proxy that shows the management page. */
  isBoxgate(address: string, port: number): Promise<boolean>;
  /** `https` if the port takes only that; `null` if it speaks neither. */
  speaks(address: string, port: number): Promise<'http' | 'https' | null>;
};

export type AppDirectories = {
  /** Whether two paths lead to one directory, such as after a move and a link; `false` if that cannot be seen. */
  isSame(one: string | null, other: string): boolean;
  /** Whether the directory is gone. `false` if its parent is gone too: the disk is probably not mounted. */
  isRemoved(directory: string | null): boolean;
};

/** A login of a published host. The gateway gets the hash, the owner sees the password once, and nothing keeps it. */
export type NewLogin = { login: string; password: string; hash: string };

/** The reason why a command failed. The message is for the owner and contains no token. */
export class TunnelProblem extends Error {
  override readonly name = 'TunnelProblem';
}

export type { OpenPort } from './rules/published-app.ts';
