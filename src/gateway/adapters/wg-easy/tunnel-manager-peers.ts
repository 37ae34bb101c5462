import { type Peer, TunnelFailed } from '../../ports.ts';
import { parseTunnelConfig } from '../../rules/tunnel-config.ts';
import { createRefusal, phraseOf } from './tunnel-manager-failures.ts';
import type { TunnelSession } from './tunnel-manager-session.ts';
import { WgEasyError, type WgEasyFault } from './wg-easy-error.ts';
import type { WgEasyPeer } from './wg-easy-responses.ts';

/**
 * Makes a peer. A create is sent once: an answer that does not say what became of it is followed by a look at the
 * list, and what is there under the name, which nothing else has, is removed.
 * choice/gateway/42, choice/gateway/53
 */
export async function createPeer(
  session: TunnelSession,
  name: string,
  cleanUpMs: number,
): Promise<Peer & { config: string }> {
  const id = await session.create(name).catch(async (error: unknown) => {
    if (!(error instanceof WgEasyError) || withoutEffect.has(error.fault)) throw error;
    throw await cleanUp(session, name, error, cleanUpMs, error.fault === 'serverError');
  });
  return describe(session, name, id).catch(async (error: unknown) => {
    if (!(error instanceof WgEasyError)) throw error;
    throw await cleanUp(session, name, error, cleanUpMs, false);
  });
}

/**
 * Faults of a create after which nothing of it is there, nor will be. A lost session is none of them: at version 14 a
 * create that failed after storing may look like one.
 */
const withoutEffect: ReadonlySet<WgEasyFault> = new Set(['unreachable', 'redirect', 'wrongPath', 'refused']);

async function describe(
  session: TunnelSession,
  name: string,
  knownId: string | null,
): Promise<Peer & { config: string }> {
  const id = knownId ?? only(await session.list(), name).id;
  const parsed = parseTunnelConfig(await session.configuration(id));
  if (parsed === null) throw new WgEasyError('unexpected', 'a configuration that is none of a peer');
  return { id, name, ...parsed };
}

function only(clients: readonly WgEasyPeer[], name: string): WgEasyPeer {
  const [client, ...more] = clients.filter((one) => one.name === name);
  if (client !== undefined && more.length === 0) return client;
  const count = client === undefined ? 0 : 1 + more.length;
  throw new WgEasyError('unexpected', `a list with ${count} peers of the name that it just made one of`);
}

/**
 * Removes what a create that failed has left, and says what is known then. A create gives one peer: where it was
 * found nothing more will come, and nothing after a refusal that `isFinal`. Otherwise it may be carried out yet.
 */
async function cleanUp(
  session: TunnelSession,
  name: string,
  error: WgEasyError,
  cleanUpMs: number,
  isFinal: boolean,
): Promise<TunnelFailed> {
  session.grant(cleanUpMs);
  // What cannot be removed now stays in the ledger; what matters to the caller is why the create failed.
  const clients = await removeAll(session, name).catch(() => null);
  const wasStored = clients?.some((client) => client.name === name) ?? false;
  const phrase =
    isFinal && clients !== null
      ? createRefusal({ wasStored, peers: clients.length, is14: session.is14() })
      : phraseOf(error);
  const peerMayRemain = clients === null || !(wasStored || isFinal);
  return new TunnelFailed(phrase, { cause: error, peerMayRemain });
}

/** Removes every peer of exactly that name and answers how many there were. */
export async function removePeers(session: TunnelSession, name: string): Promise<number> {
  const clients = await removeAll(session, name);
  return clients.filter((client) => client.name === name).length;
}

/** The same, and answers the list of all as it was before. */
async function removeAll(session: TunnelSession, name: string): Promise<WgEasyPeer[]> {
  const clients = await session.list();
  for (const client of clients) {
    if (client.name === name) await remove(session, client);
  }
  return clients;
}

/**
 * A delete that is answered with 500 is stored as a rule, and then the peer still works: the interface was not told.
 * Version 15 tells it at the next delete, even of what is gone; version 14 only when something changes.
 */
async function remove(session: TunnelSession, { id, name }: WgEasyPeer): Promise<void> {
  try {
    await session.remove(id);
  } catch (error) {
    if (!(error instanceof WgEasyError && error.fault === 'serverError')) throw error;
    await session.remove(id);
    if (session.is14()) await changeSomething(session, name);
  }
}

/** Under a name that has to go anyway, so that nothing new can be left behind. */
async function changeSomething(session: TunnelSession, name: string): Promise<void> {
  await session.create(name);
  for (const client of await session.list()) {
    if (client.name === name) await session.remove(client.id);
  }
}
