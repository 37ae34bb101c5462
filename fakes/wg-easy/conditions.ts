import { addClient, poolSize, removeClient, syncInterface } from './model/clients.ts';
import type { Client, State } from './model/state.ts';
import { newTotpKey, totpCode } from './model/totp.ts';

export type ClientView = {
  id: number | string;
  name: unknown;
  address: string;
  publicKey: string;
  enabled: boolean;
  /** Whether the client is on the interface. */
  live: boolean;
};

/** Conditions that a check sets directly. */
export type Conditions = {
  /** Creates a client of another user. */
  add(name: string): ClientView;
  remove(id: number | string): void;
  /** Takes all free addresses but `leave`. */
  fillPool(leave?: number): void;
  /** Locks the database as two concurrent logins would; no effect in version 14. */
  lock(): void;
  heal(): void;
  locked(): boolean;
  /** How often a login met a login or mutation and locked the database. */
  collisions(): number;
  loseSessions(): void;
  /** Enables two-factor login; returns a generator of codes. Throws for version 14. */
  requireTotp(): () => string;
  setInterface(is: 'gone' | 'there'): void;
  /** Simulates a handshake of the client at that address. */
  shakeHands(address: string): void;
};

export function conditionsOf(state: State): Conditions {
  const { database } = state;
  return {
    add: (name: string): ClientView => {
      const client = addClient(state, name);
      if (client === null) throw new Error('the address pool is full');
      syncInterface(state);
      return viewOf(state, client);
    },
    remove: (id: number | string) => {
      removeClient(state, id);
      syncInterface(state);
    },
    fillPool: (leave = 0) => {
      for (let number = state.clients.length; number < poolSize - leave; number += 1) {
        addClient(state, `filler-${number}`);
      }
      syncInterface(state);
    },
    lock: database.lock,
    heal: database.heal,
    locked: database.locked,
    collisions: database.collisions,
    loseSessions: () => state.sessions.clear(),
    requireTotp: () => {
      if (state.dialect === '14') throw new Error('version 14 has no two-factor login');
      const key = newTotpKey();
      state.totp = { key, on: true };
      return () => totpCode(key, state.now());
    },
    setInterface: (is: 'gone' | 'there') => {
      state.interfaceGone = is === 'gone';
      if (state.interfaceGone) state.live = [];
      else syncInterface(state);
    },
    shakeHands: (address: string) => shakeHands(state, address),
  };
}

function shakeHands(state: State, address: string) {
  const peer = state.live.find((one) => one.address === address);
  if (peer === undefined) throw new Error(`no peer on the interface has ${address}`);
  peer.handshakeAt = state.now();
}

/** Applies a restart to the stored state. */
export function startAgain(state: State, changed: Partial<State>) {
  Object.assign(state, changed);
  if (state.dialect === '14') state.sessions.clear();
  state.database.heal();
  state.interfaceGone = false;
  state.live = [];
  syncInterface(state);
}

export function viewClients(state: State): ClientView[] {
  return state.clients.map((client) => viewOf(state, client));
}

function viewOf(state: State, client: Client): ClientView {
  const { id, name, ipv4Address: address, publicKey, enabled } = client;
  const live = state.live.some((peer) => peer.publicKey === publicKey);
  return { id, name, address, publicKey, enabled, live };
}
