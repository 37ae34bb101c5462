import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import type { CommandResult } from '../../lib/command-result.ts';
import { isJsonObject, parseJson } from '../../lib/json.ts';

/** `by`: the user who asks, for the journal. */
export type Removal = { id: string; by: string };
const mostBytes = 64 * 1024;
/** Longer than a removal waits for the tunnel manager. */
const answerMs = 90_000;

/** The socket of the gateway that works on the store in this file. */
export function socketOf(storePath: string): string {
  return `${storePath}.sock`;
}

/**
 * Takes removals of boxes from the operator's command, one in each connection. Only this user and root may connect. The caller
 * holds the lock of the store, so a socket that is there is one that a killed gateway left.
 */
export async function serveRemovals(
  path: string,
  remove: (removal: Removal) => Promise<CommandResult>,
): Promise<{ close(): Promise<void> }> {
  const running = new Set<Promise<void>>();
  const reading = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    reading.add(socket);
    const one: Promise<void> = readObject(socket)
      .then((removal) => {
        reading.delete(socket);
        return answerOne(socket, removal, remove);
      })
      .catch(() => void socket.destroy())
      .finally(() => void running.delete(one));
    running.add(one);
  });
  // A connection that cannot be accepted is the operator's to try again.
  server.on('error', () => undefined);
  rmSync(path, { force: true });
  const umask = process.umask(0o177);
  try {
    server.listen(path);
  } finally {
    process.umask(umask);
  }
  await once(server, 'listening');
  return {
    /** Resolves when the removals under way have ended. */
    async close() {
      server.close();
      for (const socket of reading) socket.destroy();
      await Promise.all(running);
    },
  };
}

async function answerOne(
  socket: Socket,
  removal: Record<string, unknown> | null,
  remove: (removal: Removal) => Promise<CommandResult>,
): Promise<void> {
  const { id, by } = removal ?? {};
  if (typeof id === 'string' && typeof by === 'string') socket.end(JSON.stringify(await remove({ id, by })));
  else socket.destroy();
}

/** Asks the gateway that works on a store to remove a box; `null` if no gateway listens. */
export async function askForRemoval(path: string, removal: Removal): Promise<CommandResult | null> {
  const socket = connect(path);
  const isConnected = await once(socket, 'connect').catch(() => null);
  if (isConnected === null) return null;
  socket.end(JSON.stringify(removal));
  const { status, text } = (await readObject(socket)) ?? {};
  if (typeof status === 'number' && typeof text === 'string') return { status, text };
  return { status: 1, text: 'the gateway took the removal and gave no answer: look at its log, and at `boxes list`' };
}

/** What the other side sends until it ends; `null` if that is no JSON object, or does not come in time. */
async function readObject(socket: Socket): Promise<Record<string, unknown> | null> {
  socket.on('error', () => undefined).setTimeout(answerMs, () => socket.destroy());
  let text = '';
  try {
    for await (const bytes of socket.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
      text += bytes;
      if (text.length > mostBytes) return null;
    }
  } catch {
    return null;
  }
  const value = parseJson(text);
  return isJsonObject(value) ? value : null;
}
