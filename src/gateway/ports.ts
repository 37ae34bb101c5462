/** What the gateway needs of the world. Each port is as small as its callers need and has one kind of failure. */

/** A value, or the promise of one: what is known already is not waited for. */
export type Awaitable<Value> = Value | Promise<Value>;

/** Everything that the use cases are given. */
export type GatewayPorts = {
  store: Store;
  tunnelManager: TunnelManager;
  routeFiles: RouteFiles;
  tokens: Tokens;
  /** Milliseconds since 1970. */
  now(): number;
  /** Waits; a test's does not. */
  pause(ms: number): Promise<void>;
  /** One line for the operator. */
  warn(text: string): void;
};

/** The box that a token speaks for. */
export type Box = { id: string; accountId: string };

export type NewBox = {
  id: string;
  name: string;
  /** `boxgate-<id>`: what the tunnel manager gets to see. */
  peerName: string;
  createdAt: number;
};

/** A box as its operator sees it. */
export type BoxRecord = NewBox & {
  accountId: string;
  state: 'pending' | 'active';
  peerId: string | null;
  /** IPv4 inside the tunnel, without mask; null when it is pending, or lost to a box that came later. */
  address: string | null;
  lastSeenAt: number | null;
  routes: number;
};

export type Route = {
  id: string;
  boxId: string;
  accountId: string;
  appName: string;
  subdomain: string;
  port: number;
};

export type NewRoute = Omit<Route, 'accountId'> & { createdAt: number };

/** What the route file of a box is made of. */
export type PublishedBox = { boxId: string; address: string; routes: readonly Route[] };

/** False when the box was not pending any more; `displaced` are the boxes whose address it has now. */
export type Activation = { isLive: boolean; displaced: readonly string[] };

/** A peer that has to go from the tunnel manager, by its name. */
export type LedgerEntry = { peerName: string; dueAt: number; attempts: number };

/**
 * Accounts, boxes and routes. Each method is one transaction: it has happened whole and durably when its promise
 * settles, or not at all. Whatever goes wrong with the store itself is a StoreFailed.
 *
 * The ledger lists peers that have to go. An entry is written in the transaction that makes it necessary, before the
 * tunnel manager is asked for anything: a pending box has one that only its activation takes back, so that nothing
 * that a crash leaves behind is forgotten.
 */
export type Store = {
  /** Marks the routes directory as this store's; `memory` for the one that keeps nothing. */
  readonly id: string;
  /** The single tenant's account. */
  readonly accountId: string;

  /** Counts (pending boxes too) and inserts a pending box with the ledger entry of its peer, due at `dueAt`. */
  insertPendingBox(box: NewBox, limit: number, dueAt: number): Promise<'inserted' | 'limitReached'>;
  /**
   * Makes a pending box live and takes its ledger entry back. A tunnel address is that of the box that got it last:
   * the manager gives an address to a peer that it has, so whoever had it before has lost its own.
   */
  activateBox(
    id: string,
    live: { tokenHash: Uint8Array; peerId: string; address: string },
  ): Promise<Activation>;
  /** The live box of a token, found by its hash and compared again in constant time; null when there is none. */
  boxOfToken(tokenHash: Uint8Array): Awaitable<Box | null>;
  /** In one statement that names the old hash; false when the old one is none any more. */
  replaceToken(boxId: string, oldHash: Uint8Array, newHash: Uint8Array): Promise<boolean>;
  /** Removes the box, live or pending, and its routes, and enters its peer in the ledger; false: there is none. */
  removeBox(id: string, dueAt: number): Promise<boolean>;
  /** Writes when boxes were last seen, in one statement; unknown ids are passed over. */
  touchBoxes(seen: ReadonlyMap<string, number>): Promise<void>;
  /** By creation, oldest first. */
  listBoxes(): Promise<BoxRecord[]>;

  /** Looks for the subdomain first, then counts, then inserts. `boxGone`: deregistered meanwhile. */
  insertRoute(
    route: NewRoute,
    limit: number,
  ): Promise<'inserted' | 'subdomainTaken' | 'limitReached' | 'boxGone'>;
  /** False when there is none of that id or it belongs to another box. */
  removeRoute(id: string, boxId: string): Promise<boolean>;
  /** Oldest first. */
  routesOfBox(boxId: string): Awaitable<readonly Route[]>;
  /** What the box's route file holds; null when it has no routes, no address any more, or is gone. */
  publishedBox(boxId: string): Awaitable<PublishedBox | null>;
  /** Every box with routes and an address, sorted by id, read in portions while it is iterated. */
  publishedBoxes(): AsyncIterable<PublishedBox>;
  /** How many boxes with routes there are, for who says how far it is. */
  countPublishedBoxes(): Promise<number>;

  /**
   * What was due at `now` or before, the longest due first. What is due further off than anything is ever put off is
   * due as well: the clock has gone back.
   */
  duePeers(now: number, atMost: number): Promise<LedgerEntry[]>;
  /**
   * Sets when the entry is due next and counts one attempt more. The pending box that it was made for goes, so that
   * its place is free and it can go live no more. False: there is no entry, the box went live or the peer is gone.
   */
  postponePeer(peerName: string, dueAt: number): Promise<boolean>;
  /** The peer is gone: takes its entry out, and the pending box that it was made for. */
  settlePeer(peerName: string): Promise<void>;

  /** Runs `work` while no other process that shares the store does: calls to the tunnel manager. Not reentrant. */
  exclusively<Result>(work: () => Promise<Result>): Promise<Result>;
  /** The tunnel manager's session, sealed by whoever keeps it here; null when there is none. */
  readSession(): Promise<Uint8Array | null>;
  writeSession(sealed: Uint8Array | null): Promise<void>;
  /** Notes that a login at the tunnel manager begins, or that the last one has ended; `writeSession` notes an end too. */
  noteLogin(what: 'begins' | 'has ended'): Promise<void>;
  /**
   * How many milliseconds ago a login began whose end was never noted, by the one clock of the store; null if there is
   * none. The process that began it was killed or got no answer, and the manager may be working on it still.
   */
  openLoginMs(): Promise<number | null>;

  /**
   * From now on others wait for this process in `mirroredElsewhere`, and `listener` is called with the id of every box
   * whose routes another process changed since this store was opened; null: too much was missed, the whole directory
   * has to be brought in line. A listener that rejects is called again. Never called for a store of one process.
   */
  onRoutesChanged(listener: (boxId: string | null) => Promise<void>): Promise<void>;
  /** Settles when every live process that shares the store has mirrored what was changed so far, or after a second. */
  mirroredElsewhere(): Promise<void>;
  close(): Promise<void>;
};

/** What can be seen of a store without working on it, beside the process that does. */
export type StoreView = Pick<
  Store,
  | 'id'
  | 'accountId'
  | 'listBoxes'
  | 'routesOfBox'
  | 'publishedBox'
  | 'publishedBoxes'
  | 'countPublishedBoxes'
  | 'duePeers'
  | 'readSession'
  | 'close'
>;

/** The store cannot do what it was asked; the message is a sentence for the operator and holds no secret. */
export class StoreFailed extends Error {
  override readonly name = 'StoreFailed';
}

export type Peer = {
  id: string;
  name: string;
  /** IPv4 without mask. */
  address: string;
};

/** What a doctor sees of a peer. */
export type PeerState = Peer & { enabled: boolean; lastHandshakeAt: number | null };

/**
 * The tunnel manager in our words. One request at a time over all processes that share the store, which keeps the
 * session too. Every failure is a TunnelFailed, or a StoreFailed of the store below.
 */
export type TunnelManager = {
  /**
   * Makes a peer and answers it with its WireGuard configuration as the manager gave it, without leading blank
   * lines, all within 25 s. A name is used for one call only. After a failure what the manager has under the name is
   * removed already, as far as that can be: the failure says whether anything may remain.
   */
  createPeer(name: string): Promise<Peer & { config: string }>;
  /** Removes every peer of exactly that name and answers how many there were; none is no fault. */
  removePeers(name: string): Promise<number>;
  listPeers(): Promise<PeerState[]>;
};

/** What failed at the tunnel manager; the message is a phrase that can follow `tunnel manager: `, without secrets. */
export class TunnelFailed extends Error {
  override readonly name = 'TunnelFailed';
  /**
   * Of a create that failed: whether the manager may have the peer, or get it yet. Then its ledger entry stays, for a
   * look some time later; otherwise nothing of that name is or will be there.
   */
  readonly peerMayRemain: boolean;

  constructor(message: string, options: ErrorOptions & { peerMayRemain?: boolean } = {}) {
    super(message, options);
    this.peerMayRemain = options.peerMayRemain ?? true;
  }
}

/** The files that the reverse proxy reads, one a box. Every failure is a RouteFilesFailed. */
export type RouteFiles = {
  /** Makes the box's file hold these bytes, durably; null: there is none. The same bytes are not written again. */
  put(boxId: string, text: string | null): Promise<void>;
  /** The boxes that have a file. */
  list(): Promise<string[]>;
  /** What the box's file holds; null: there is none. */
  read(boxId: string): Promise<string | null>;
  /** Names of files that are not ours and would stop every reload, each with the reason. */
  harmful(): Promise<{ name: string; reason: string }[]>;
};

/** The routes directory is read-only, full, gone or another store's; the message is a sentence for the operator. */
export class RouteFilesFailed extends Error {
  override readonly name = 'RouteFilesFailed';

  /** The message with the path of the file, which stays out of an answer to a box. */
  get withPath(): string {
    const { path } = (this.cause ?? {}) as NodeJS.ErrnoException;
    return path === undefined ? this.message : `${this.message} (${path})`;
  }
}

/** Random and digests. */
export type Tokens = {
  newBoxToken(): string;
  newId(kind: 'box' | 'rt'): string;
  /** SHA-256 of a token. */
  hash(token: string): Uint8Array;
  /** In constant time, whatever the lengths are. */
  areEqual(left: string, right: string): boolean;
};
