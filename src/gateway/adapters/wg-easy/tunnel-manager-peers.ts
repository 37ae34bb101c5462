import { createPrivateKey, createPublicKey } from 'node:crypto';
import { ignore } from '../../../lib/ignore.ts';
import { type Peer, type PeerOfBox, TunnelFailed } from '../../ports.ts';
import { isPeerOf, peerNameOf } from '../../rules/ids.ts';
import { type KnownNetwork, parseTunnelConfig } from '../../rules/tunnel-config.ts';
import type { TunnelSession } from './tunnel-manager-session.ts';
import { WgEasyError, type WgEasyFault } from './wg-easy-error.ts';
import type { WgEasyPeer } from './wg-easy-responses.ts';

/**
 * Makes a peer. A create is sent only once. If the response does not show whether the peer was made, every peer of the
 * name, which is unique, is removed.
 * should/gateway/42, should/gateway/53
 */
export async function createPeer(
  session: TunnelSession,
  name: string,
  { cleanUpMs, network }: { cleanUpMs: number; network: KnownNetwork },
): Promise<Peer & { config: string }> {
  const id = await session.create(name).catch(async (error: unknown) => {
    if (!(error instanceof WgEasyError) || withoutEffect.has(error.fault)) throw error;
    throw await cleanUp(session, name, error, cleanUpMs, error.fault === 'serverError');
  });
  return describe(session, name, id, network).catch(async (error: unknown) => {
    if (!(error instanceof WgEasyError)) throw error;
    throw await cleanUp(session, name, error, cleanUpMs, false);
  });
}

/**
 * After these faults of a create there is no peer, and none will come. `sessionLost` is not among them: on version 14 a
 * create that failed after storing looks the same.
 */
const withoutEffect: ReadonlySet<WgEasyFault> = new Set(['unreachable', 'redirect', 'wrongPath', 'refused']);

async function describe(
  session: TunnelSession,
  name: string,
  knownId: string | null,
  network: KnownNetwork,
): Promise<Peer & { config: string }> {
  // The key by which the manager will list the peer.
  const listed = only(await session.list(), name);
  const id = knownId ?? idOf(listed);
  // The box refuses an Endpoint that it cannot reach, and a box on this machine reaches a local one.
  const parsed = parseTunnelConfig(await session.configuration(id), network, true);
  if (parsed === null) throw new WgEasyError('unexpected', 'not a configuration of a peer');
  if ('problem' in parsed) throw new WgEasyError('unusable', parsed.problem);
  return { id, name, publicKey: listed.publicKey ?? publicKeyOf(parsed.config), ...parsed };
}

/**
 * Why the manager's configurations are of no use for a box; `null` if they are, or if there is no peer to see it by. The
 * configuration of another user's peer has the same keys and endpoint.
 */
export async function findConfigMistake(session: TunnelSession): Promise<string | null> {
  const peers = (await session.list()).filter(({ id, address }) => id !== null && address !== null);
  const peer = peers.find(({ name }) => name.startsWith(peerNameOf(''))) ?? peers[0];
  if (peer === undefined) return null;
  // Somebody may have removed the peer.
  const text = await session.configuration(idOf(peer)).catch(ignore(WgEasyError, () => ''));
  const parsed = parseTunnelConfig(text);
  return parsed !== null && 'problem' in parsed ? parsed.problem : null;
}

/** No known version lists a peer of a box without an id. */
function idOf({ id, name }: WgEasyPeer): string {
  if (id === null) throw new WgEasyError('unexpected', `a list without the id of ${name}`);
  return id;
}

function only(clients: readonly WgEasyPeer[], name: string): WgEasyPeer {
  const [client, ...more] = clients.filter((one) => one.name === name);
  if (client !== undefined && more.length === 0) return client;
  const count = client === undefined ? 0 : 1 + more.length;
  throw new WgEasyError('unexpected', `a list with ${count} peers of a name that was just created once`);
}

/**
 * Removes what a failed create left, and makes the error for the caller. The peer may still come later, unless it was
 * found and removed, or `isFinal` says that the create has ended.
 */
async function cleanUp(
  session: TunnelSession,
  name: string,
  error: WgEasyError,
  cleanUpMs: number,
  isFinal: boolean,
): Promise<TunnelFailed> {
  session.grant(cleanUpMs);
  // If the removal fails, the deletion stays pending. The caller needs the reason of the failed create.
  const clients = await removeAll(session, { peerName: name, peerKey: null }).catch(() => null);
  const wasStored = clients?.some((client) => client.name === name) ?? false;
  const phrase =
    isFinal && clients !== null
      ? createRefusal({ wasStored, peers: clients.length, is14: session.is14() })
      : error.phrase;
  const peerMayRemain = clients === null || !(wasStored || isFinal);
  return new TunnelFailed(phrase, { cause: error, peerMayRemain });
}

/** The default address pool: `.2` to `.254` of a /24. */
const usualPoolSize = 253;

/**
 * The likely reason for a 500 to a create; no version of wg-easy gives one. `peers` is the number of other peers,
 * `wasStored` whether the manager listed the new one.
 */
function createRefusal(found: { wasStored: boolean; peers: number; is14: boolean }): string {
  if (found.wasStored) {
    return 'it stored the peer but failed to bring it up (500), so the peer was removed again: see its log';
  }
  if (found.peers >= usualPoolSize) {
    return `pool full: its ${found.peers} peers have all the addresses; remove there what nobody uses`;
  }
  if (found.is14) return `it refused to make a peer (500, it has ${found.peers}): see its log`;
  return (
    'locked: it refuses changes with 500, as it does for a minute or two after two logins at once; ' +
    `try again then, or see whether its ${found.peers} peers have all the addresses`
  );
}

/** Removes the peer of a box. @returns how many there were */
export async function removePeers(session: TunnelSession, peer: PeerOfBox): Promise<number> {
  return peersOf(peer, await removeAll(session, peer)).length;
}

/** Keys of WireGuard are unique. If a manager lists one key for several peers, their names tell them apart. */
function peersOf(peer: PeerOfBox, clients: readonly WgEasyPeer[]): WgEasyPeer[] {
  const own = clients.filter((client) => isPeerOf(peer, client));
  return own.length > 1 ? own.filter(({ name }) => name === peer.peerName) : own;
}

/** Like `removePeers`. @returns all peers before the removal */
async function removeAll(session: TunnelSession, peer: PeerOfBox): Promise<WgEasyPeer[]> {
  const clients = await session.list();
  for (const client of peersOf(peer, clients)) await remove(session, client, peer.peerName);
  return clients;
}

/**
 * After a 500 to a delete, wg-easy has usually removed the peer from its list but not from the WireGuard interface.
 * Version 15 updates the interface at the next delete, even of an unknown peer; version 14 only at the next change.
 */
async function remove(session: TunnelSession, peer: WgEasyPeer, peerName: string): Promise<void> {
  const id = idOf(peer);
  try {
    await session.remove(id);
  } catch (error) {
    if (!(error instanceof WgEasyError && error.fault === 'serverError')) throw error;
    await session.remove(id);
    if (session.is14()) await forceUpdate(session, peerName);
  }
}

/** Makes and deletes a peer whose name is to be removed anyway, so that a failure leaves no other one. */
async function forceUpdate(session: TunnelSession, name: string): Promise<void> {
  await session.create(name);
  for (const client of await session.list()) {
    if (client.name === name) await session.remove(idOf(client));
  }
}

/** PKCS #8 of an X25519 key, before its 32 bytes. */
const header = Buffer.from('302e020100300506032b656e04220420', 'hex');

/** The public key of the peer whose configuration this is, as wg-easy lists it; `null` if the private key has another form. */
export function publicKeyOf(config: string): string | null {
  const [, text = ''] = /^[ \t]*PrivateKey[ \t]*=[ \t]*([A-Za-z0-9+/]{43}=)[ \t\r]*$/m.exec(config) ?? [];
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== 32) return null;
  const key = createPrivateKey({ key: Buffer.concat([header, bytes]), format: 'der', type: 'pkcs8' });
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  return Buffer.from(x, 'base64url').toString('base64');
}
