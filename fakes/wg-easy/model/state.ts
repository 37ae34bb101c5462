import type { Database } from './database.ts';
import type { Dialect } from './dialect.ts';
import { type KeyPair, newKeyPair } from './keys.ts';

/** A stored client. Fields that version 14 lacks keep their defaults. */
export type Client = KeyPair & {
  /** A number that is never reused (15), or a UUID (14). */
  id: number | string;
  /** Text; version 14 stores any JSON value. */
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

/** Fields that only a whole update (15) changes. */
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

/** A peer on the interface; it may differ from the stored clients. */
export type LivePeer = { publicKey: string; address: string; handshakeAt: number | null };

/** A session. `pending`: the password was correct, the two-factor code is missing. */
export type Session = { authenticated: boolean; pending: boolean };

export type State = {
  dialect: Dialect;
  username: string;
  /** `null`: version 14 without a password, open to everybody. */
  password: string | null;
  /** The two-factor key, and whether it is enabled. */
  totp: { key: string; on: boolean } | null;
  /** The server's endpoint in configurations. */
  endpoint: { host: string; port: number };
  /** Whether cookies get the attribute `Secure`. The real one sets it unless `INSECURE=true`. */
  secureCookies: boolean;
  /** Whether the manager looks up its newest release on the internet. In the fake that request fails. */
  versionCheck: boolean;
  server: KeyPair;
  clients: Client[];
  nextId: number;
  /** Cookie value to session. */
  sessions: Map<string, Session>;
  /** `wg0` is missing: reading and writing it fail. */
  interfaceGone: boolean;
  live: LivePeer[];
  lastExpiryRun: number;
  database: Database;
  now: () => number;
  /** Gets the interface's configuration at each change, such as for a real interface. */
  configure: (text: string) => void;
};

export type StateOptions = Pick<
  State,
  'dialect' | 'username' | 'password' | 'endpoint' | 'secureCookies' | 'versionCheck' | 'database' | 'now' | 'configure'
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
