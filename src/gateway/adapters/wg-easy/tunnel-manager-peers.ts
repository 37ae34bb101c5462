import { type Peer, TunnelFailed } from '../../ports.ts';
import { parseTunnelConfig } from '../../rules/tunnel-config.ts';
import { createRefusal, phraseOf } from './tunnel-manager-failures.ts';
import type { Talk } from './tunnel-manager-talk.ts';
import type { WgEasyClient } from './wg-easy-answers.ts';
import { WgEasyError, type WgEasyFault } from './wg-easy-failure.ts';

/**
 * Makes a peer. A create is sent once: an answer that does not say what became of it is followed by a look at the
 * list, and what is there under the name, which nothing else has, is removed.
 * choice/gateway/42, choice/gateway/53
 */
export async function createPeer(
  talk: Talk,
  name: string,
  cleanUpMs: number,
): Promise<Peer & { config: string }> {
  const id = await talk.create(name).catch(async (error: unknown) => {
    if (!(error instanceof WgEasyError) || withoutEffect.has(error.fault)) throw error;
    throw await cleanUp(talk, name, error, cleanUpMs, error.fault === 'serverError');
  });
  return describe(talk, name, id).catch(async (error: unknown) => {
    if (!(error instanceof WgEasyError)) throw error;
    throw await cleanUp(talk, name, error, cleanUpMs, false);
  });
}

/**
 * Faults of a create after which nothing of it is there, nor will be. A lost session is none of them: at version 14 a
 * create that failed after storing may look like one.
 */
const withoutEffect: ReadonlySet<WgEasyFault> = new Set(['unreachable', 'redirect', 'wrongPath', 'refused']);

async function describe(
  talk: Talk,
  name: string,
  knownId: string | null,
): Promise<Peer & { config: string }> {
  const id = knownId ?? only(await talk.list(), name).id;
  const parsed = parseTunnelConfig(await talk.configuration(id));
  if (parsed === null) throw new WgEasyError('nonsense', 'a configuration that is none of a peer');
  return { id, name, ...parsed };
}

function only(clients: readonly WgEasyClient[], name: string): WgEasyClient {
  const [client, ...more] = clients.filter((one) => one.name === name);
  if (client !== undefined && more.length === 0) return client;
  const count = client === undefined ? 0 : 1 + more.length;
  throw new WgEasyError('nonsense', `a list with ${count} peers of the name that it just made one of`);
}

/**
 * Removes what a create that failed has left, and says what is known then. A create gives one peer: where it was
 * found nothing more will come, and nothing after a refusal that `isFinal`. Otherwise it may be carried out yet.
 */
async function cleanUp(
  talk: Talk,
  name: string,
  error: WgEasyError,
  cleanUpMs: number,
  isFinal: boolean,
): Promise<TunnelFailed> {
  talk.grant(cleanUpMs);
  // What cannot be removed now stays in the ledger; what matters to the caller is why the create failed.
  const clients = await removeAll(talk, name).catch(() => null);
  const wasStored = clients?.some((client) => client.name === name) ?? false;
  const phrase =
    isFinal && clients !== null
      ? createRefusal({ wasStored, peers: clients.length, is14: talk.is14() })
      : phraseOf(error);
  const peerMayRemain = clients === null || !(wasStored || isFinal);
  return new TunnelFailed(phrase, { cause: error, peerMayRemain });
}

/** Removes every peer of exactly that name and answers how many there were. */
export async function removePeers(talk: Talk, name: string): Promise<number> {
  const clients = await removeAll(talk, name);
  return clients.filter((client) => client.name === name).length;
}

/** The same, and answers the list of all as it was before. */
async function removeAll(talk: Talk, name: string): Promise<WgEasyClient[]> {
  const clients = await talk.list();
  for (const client of clients) {
    if (client.name === name) await remove(talk, client);
  }
  return clients;
}

/**
 * A delete that is answered with 500 is stored as a rule, and then the peer still works: the interface was not told.
 * Version 15 tells it at the next delete, even of what is gone; version 14 only when something changes.
 */
async function remove(talk: Talk, { id, name }: WgEasyClient): Promise<void> {
  try {
    await talk.remove(id);
  } catch (error) {
    if (!(error instanceof WgEasyError && error.fault === 'serverError')) throw error;
    await talk.remove(id);
    if (talk.is14()) await changeSomething(talk, name);
  }
}

/** Under a name that has to go anyway, so that nothing new can be left behind. */
async function changeSomething(talk: Talk, name: string): Promise<void> {
  await talk.create(name);
  for (const client of await talk.list()) {
    if (client.name === name) await talk.remove(client.id);
  }
}
