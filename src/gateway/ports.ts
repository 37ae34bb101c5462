/** Ports of the gateway to store, network, files and clock. Each port throws one class of errors. */

import type { Journal } from '../lib/journal.ts';

export type GatewayPorts = {
  store: Store;
  tunnelManager: TunnelManager;
  routeFiles: RouteFiles;
  /** Milliseconds since 1970. */
  now(): number;
  pause(ms: number): Promise<void>;
  /** Writes one line for the operator. */
  warn(text: string): void;
  /** Writes one line of the log for each finished change. */
  journal: Journal;
};

export type Box = { id: string; accountId: string };

export type NewBox = {
  id: string;
  name: string;
  /** `boxgate-<id>`, the peer's name at the tunnel manager. */
  peerName: string;
  createdAt: number;
};

/** A box's peer at the tunnel manager. `peerKey` is its public key; `null` before the gateway knows it. */
export type PeerOfBox = { peerName: string; peerKey: string | null };

/** A box as the operator commands show it. */
export type BoxRecord = NewBox & {
  accountId: string;
  state: 'pending' | 'active';
  peerId: string | null;
  peerKey: string | null;
  /** IPv4 address in the tunnel, without mask; `null` if the box is pending or a later box got the address. */
  address: string | null;
  lastSeenAt: number | null;
  /** When heartbeats last came from two machines in turn, and their addresses; `null` if they never did. */
  copiedAt: number | null;
  copiedFrom: string | null;
  routes: number;
};

export type Route = {
  id: string;
  boxId: string;
  accountId: string;
  appName: string;
  subdomain: string;
  port: number;
  /** Absent if everybody may open the host. */
  access?: RouteAccess;
};

/** The access rules of a published host, in the form of the API. The proxy applies it. */
export type RouteAccess = {
  readonly login?: string;
  readonly password_hash?: string;
  readonly allow?: readonly string[];
  readonly open_paths?: readonly string[];
};

export type NewRoute = Omit<Route, 'accountId'> & { createdAt: number };

export type PublishedBox = { boxId: string; address: string; routes: readonly Route[] };

/** What makes a pending box a live one. */
export type LiveBox = { tokenHash: Uint8Array; peerId: string; peerKey: string | null; address: string };

/** `isLive` is false if the box was no longer pending. `displaced` lists the boxes that lost their address to it. */
export type Activation = { isLive: boolean; displaced: readonly string[] };

/** A box that the operator removed, and when a request had its token. */
export type RemovedByOperator = { id: string; name: string; heardAt: number };

export type PeerDeletion = PeerOfBox & { dueAt: number; attempts: number };

/** The read-only part of a store, for commands that run beside the gateway. Throws StoreFailed if the store fails. */
export type StoreView = {
  /** Marks the routes directory as this store's; `memory` for the store that is not durable. */
  readonly id: string;
  /** The single tenant's account. */
  readonly accountId: string;
  /** Removed boxes whose token has come since. */
  heardRemovedBoxes(): Promise<RemovedByOperator[]>;
  /** By creation, oldest first. */
  listBoxes(): Promise<BoxRecord[]>;
  /** Oldest first. */
  routesOfBox(boxId: string): Promise<readonly Route[]>;
  /** Every box with routes and an address, sorted by id, read in portions while it is iterated. */
  publishedBoxes(): AsyncIterable<PublishedBox>;
  /**
   * Peer deletions that are due at `now`, the oldest first. A deletion further in the future than the longest delay
   * is due too, because the clock was set back.
   */
  duePeers(now: number, atMost: number): Promise<PeerDeletion[]>;
  /** The tunnel manager's session, encrypted by the caller of `writeSession`; `null` if none is stored. */
  readSession(): Promise<Uint8Array | null>;
  /**
   * Age of a login whose end was never noted, by the store's clock; `null` if every login has ended. Its process was
   * killed or got no answer, and the tunnel manager may still be working on the login.
   */
  openLoginMs(): Promise<number | null>;
  close(): Promise<void>;
};

/**
 * Accounts, boxes and routes. Each method is one atomic, durable transaction, committed when its promise resolves.
 * Throws StoreFailed if the store fails.
 *
 * A pending peer deletion is written in the transaction that makes it necessary, before any request to the tunnel
 * manager. A pending box has one until its activation, so that a crash never leaves a peer for good.
 */
export type Store = StoreView & {
  /** Inserts a pending box and the deletion of its peer, due at `dueAt`. Pending boxes count towards the limit. */
  insertPendingBox(box: NewBox, limit: number, dueAt: number): Promise<'inserted' | 'limitReached'>;
  /**
   * Activates a pending box and deletes the deletion of its peer. A tunnel address belongs to the box that got it last,
   * because the tunnel manager assigns an address again only after it removed the peer that had it.
   */
  activateBox(id: string, live: LiveBox): Promise<Activation>;
  /** Finds the live box by its token's hash, then compares in constant time; `null` if the token is unknown. */
  boxOfToken(tokenHash: Uint8Array): Promise<Box | null>;
  /** Replaces the hash in one statement; false if `oldHash` is no longer valid. */
  replaceToken(boxId: string, oldHash: Uint8Array, newHash: Uint8Array): Promise<boolean>;
  /**
   * Removes a live or pending box and its routes, and adds a deletion of its peer. `null` if the box does not exist. Its
   * token is remembered until `rememberUntil`, if that is given, so that the operator sees if it is still used.
   */
  removeBox(id: string, dueAt: number, rememberUntil?: number): Promise<PeerOfBox | null>;
  /** Notes a request with the token of a removed box; does nothing for another token. */
  noteRemovedToken(tokenHash: Uint8Array, at: number): Promise<void>;
  /** Stores in one statement when boxes were last seen; skips unknown ids. */
  touchBoxes(seen: ReadonlyMap<string, number>): Promise<void>;
  /** Stores that heartbeats of a box came from two machines; skips an unknown id. */
  noteCopy(id: string, copy: { from: string; at: number }): Promise<void>;

  /** Checks the subdomain first, then the limit. `boxGone` means that the box was deregistered meanwhile. */
  insertRoute(route: NewRoute, limit: number): Promise<'inserted' | 'subdomainTaken' | 'limitReached' | 'boxGone'>;
  /** For the box's own route with this subdomain, app and port. Returns its id; `null` without such a route. */
  replaceAccess(route: NewRoute): Promise<string | null>;
  /** Returns the route's subdomain; `null` if the route does not exist or belongs to another box. */
  removeRoute(id: string, boxId: string): Promise<string | null>;
  /** The content of the box's route file; `null` if the box has no routes, lost its address, or does not exist. */
  publishedBox(boxId: string): Promise<PublishedBox | null>;

  /**
   * Sets when the deletion is due next and counts one more attempt. Deletes the peer's pending box, so that it no longer
   * counts towards the limit and cannot be activated. False if there is no deletion: the box is live, or the peer is gone.
   */
  postponePeer(peerName: string, dueAt: number): Promise<boolean>;
  /** Ends the deletion of a peer that is gone, and deletes its pending box. */
  settlePeer(peerName: string): Promise<void>;

  /** Runs `work`, which calls the tunnel manager, under a lock that all processes of the store share. Not reentrant. */
  exclusively<Result>(work: () => Promise<Result>): Promise<Result>;
  writeSession(sealed: Uint8Array | null): Promise<void>;
  /** Notes that a login at the tunnel manager begins, or that the last one has ended; `writeSession` notes an end too. */
  noteLogin(what: 'begins' | 'has ended'): Promise<void>;

  /**
   * Calls `listener` with the id of every box whose routes another process changed since this store was opened, or with
   * `null` if all route files have to be written. A listener that rejects is called again. When this resolves, other
   * processes wait for this one in `syncedElsewhere`. A store of one process never calls it.
   */
  onRoutesChanged(listener: (boxId: string | null) => Promise<void>): Promise<void>;
  /** Resolves when every other live process has updated its route files for all changes so far, or after a second. */
  syncedElsewhere(): Promise<void>;
};

/** The store failed; the message is a sentence for the operator and contains no secret. */
export class StoreFailed extends Error {
  override readonly name = 'StoreFailed';
}

export type Peer = {
  id: string;
  name: string;
  /** `null` if the manager writes keys in another form. */
  publicKey: string | null;
  /** IPv4 without mask. */
  address: string;
};

/** A peer in the manager's list. `address` is `null` unless a box can have its address. */
export type PeerState = {
  name: string;
  publicKey: string | null;
  address: string | null;
  enabled: boolean;
  /** When the manager disables the peer; `null` for never. */
  expiresAt: number | null;
  lastHandshakeAt: number | null;
};

/**
 * The tunnel manager in any API dialect. All processes that share the store send one request at a time in total, and
 * share the session in the store. Throws TunnelFailed, or StoreFailed if the store fails.
 */
export type TunnelManager = {
  /**
   * Makes a peer within 25 s. Returns it with the WireGuard configuration that the manager sent, without leading blank
   * lines. Each name is for one call only. After a failure it has already tried to remove the peer; the error says
   * whether the peer may remain.
   */
  createPeer(name: string): Promise<Peer & { config: string }>;
  /** Removes the peer of a box, and every one of exactly its name if the key is not known. @returns their number */
  removePeers(peer: PeerOfBox): Promise<number>;
  listPeers(): Promise<PeerState[]>;
  /** Whether this process has asked for a peer or a removal. */
  wasUsed(): boolean;
  /**
   * Finds what the operator has to correct before a box can join: the manager's version, the login, or the manager's
   * configurations, as that of an existing peer shows. Returns `null` if it found nothing. Throws TunnelFailed if the
   * manager does not answer within 2 s.
   */
  findMistake(): Promise<string | null>;
};

/** The tunnel manager failed; the message is a phrase for after `tunnel manager: ` and contains no secret. */
export class TunnelFailed extends Error {
  override readonly name = 'TunnelFailed';
  /** Whether a failed `createPeer` may have left the peer, or may still make it. Then its deletion stays pending. */
  readonly peerMayRemain: boolean;

  constructor(message: string, options: ErrorOptions & { peerMayRemain?: boolean } = {}) {
    super(message, options);
    this.peerMayRemain = options.peerMayRemain ?? true;
  }
}

/** The files that the reverse proxy reads, one a box. Every failure is a RouteFilesFailed. */
export type RouteFiles = {
  /** Writes the box's file durably, unless it has this content; `null` deletes it. */
  put(boxId: string, text: string | null): Promise<void>;
  /** The boxes that have a file. */
  list(): Promise<string[]>;
  /** The content of the box's file; `null` if it does not exist. */
  read(boxId: string): Promise<string | null>;
  /** Files that the gateway did not write and that make the proxy reject the directory, each with the reason. */
  invalidFiles(): Promise<{ name: string; reason: string }[]>;
};

/** The routes directory is read-only, full, missing or another store's. The message is for the operator. */
export class RouteFilesFailed extends Error {
  override readonly name = 'RouteFilesFailed';
  /** The message without the path, for the response to a box. */
  readonly forBox: string;

  constructor(forBox: string, path?: string, options?: ErrorOptions) {
    super(path === undefined ? forBox : `${forBox} (${path})`, options);
    this.forBox = forBox;
  }
}
