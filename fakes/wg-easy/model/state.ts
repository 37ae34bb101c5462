import type { Database } from './database.ts';
import type { Dialect } from './dialect.ts';
import { type KeyPair, newKeyPair } from './keys.ts';

/** A client as it is stored. What version 14 does not know stays at its default there. */
export type Client = KeyPair & {
  /** A number that is never used again (15), or a UUID (14). */
  id: number | string;
  /** Text; version 14 stores whatever JSON it was given. */
  name: unknown;
  preSharedKey: string;
  ipv4Address: string;
  ipv6Address: string;
  enabled: boolean;
  expiresAt: string | null;
  createdAt: number;
  updatedAt: number;
  settings: ClientSettings;
};

/** Members that only an update of the whole client (15) changes. */
export type ClientSettings = {
  preUp: string;
  postUp: string;
  preDown: string;
  postDown: string;
  allowedIps: string[] | null;
  serverAllowedIps: string[];
  firewallIps: string[] | null;
  persistentKeepalive: number;
  mtu: number;
  jC: number;
  jMin: number;
  jMax: number;
  i1: string | null;
  i2: string | null;
  i3: string | null;
  i4: string | null;
  i5: string | null;
  dns: string[] | null;
  serverEndpoint: string | null;
};

/** A peer as the interface has it, which is not always what is stored. */
export type LivePeer = { publicKey: string; address: string; handshakeAt: number | null };

/** What a cookie stands for. `pending`: the password was right, the code of a two-factor login is missing. */
export type Session = { authenticated: boolean; pending: boolean };

export type State = {
  dialect: Dialect;
  username: string;
  /** Null: version 14 started with no password, which lets everybody in. */
  password: string | null;
  /** Two-factor login: the key that was made, and whether it is on. */
  totp: { key: string; on: boolean } | null;
  /** What configurations name as the server's end. */
  endpoint: { host: string; port: number };
  /** Started without `INSECURE`: cookies say `Secure`, over plain HTTP too. */
  secureCookies: boolean;
  /** Asks a server on the internet for the newest release, which there is none of here. */
  versionCheck: boolean;
  server: KeyPair;
  clients: Client[];
  nextId: number;
  /** Cookie value to session. */
  sessions: Map<string, Session>;
  /** `wg0` has gone: reading it and writing to it fail. */
  interfaceGone: boolean;
  live: LivePeer[];
  lastExpiryRun: number;
  database: Database;
  /** Milliseconds since 1970. */
  now: () => number;
};

export type StateOptions = Pick<
  State,
  'dialect' | 'username' | 'password' | 'endpoint' | 'secureCookies' | 'versionCheck' | 'database' | 'now'
>;

export function newState(options: StateOptions): State {
  return {
    ...options,
    totp: null,
    server: newKeyPair(),
    clients: [],
    nextId: 1,
    sessions: new Map(),
    interfaceGone: false,
    live: [],
    lastExpiryRun: options.now(),
  };
}
