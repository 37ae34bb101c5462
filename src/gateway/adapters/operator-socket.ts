import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import type { CommandResult } from '../../lib/command-result.ts';
import { isJsonObject, parseJson } from '../../lib/json.ts';
import { boundedBytes } from '../../lib/network/bounded-bytes.ts';

/** `by`: the user who asks, for the journal. */
export type Removal = { id: string; by: string };
type Remove = (removal: Removal) => Promise<CommandResult>;

const mostBytes = 64 * 1024;
/** Longer than a removal waits for the tunnel manager. */
const answerMs = 90_000;

/** The socket of the gateway that works on the store in this file. */
export function socketOf(storePath: string): string {
  return `${storePath}.sock`;
}

/**
 * Takes removals of boxes from the operator's command, one in each request. Only this user and root may connect. The
 * caller holds the lock of the store, so a socket that is there is one that a killed gateway left.
 */
export async function serveRemovals(path: string, remove: Remove): Promise<{ close(): Promise<void> }> {
  /** Connections whose request is not complete: a stopped server would wait for them for ever. */
  const reading = new Set<Socket>();
  const server = createServer((asked, response) => {
    asked.on('end', () => reading.delete(asked.socket));
    answerTo(asked, remove).then(
      (answer) => response.end(answer),
      () => response.destroy(),
    );
  });
  server.on('connection', (socket) => {
    reading.add(socket);
    socket.on('close', () => reading.delete(socket));
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
      const closed = once(server, 'close');
      server.close();
      for (const socket of reading) socket.destroy();
      await closed;
    },
  };
}

async function answerTo(asked: IncomingMessage, remove: Remove): Promise<string> {
  const { id, by } = await readObject(asked);
  if (typeof id !== 'string' || typeof by !== 'string') throw new TypeError('it is no removal');
  return JSON.stringify(await remove({ id, by }));
}

/** Asks the gateway that works on a store to remove a box; `null` if no gateway listens. */
export async function askForRemoval(path: string, removal: Removal): Promise<CommandResult | null> {
  const signal = AbortSignal.timeout(answerMs);
  const asked = request({ socketPath: path, method: 'POST', agent: false, signal }).on('error', () => undefined);
  asked.end(JSON.stringify(removal));
  try {
    const [response] = await once(asked, 'response');
    const { status, text } = await readObject(response);
    if (typeof status === 'number' && typeof text === 'string') return { status, text };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === 'connect') return null;
  }
  return { status: 1, text: 'the gateway took the removal and gave no answer: look at its log, and at `boxes list`' };
}

/** Empty for anything but a JSON object. */
async function readObject(message: IncomingMessage): Promise<Record<string, unknown>> {
  const value = parseJson(String(await boundedBytes(message, mostBytes)));
  return isJsonObject(value) ? value : {};
}
