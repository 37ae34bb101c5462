import { once } from 'node:events';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import { commonHeaders, type Reply, type Stream } from './reply.ts';
import { reportFault } from './report.ts';

export type StreamOptions = {
  server: string;
  closes: boolean;
  /** Aborted when the server stops. */
  stopping: AbortSignal;
  /** How long a client may take to read what was sent before its connection is cut. */
  readWithinMs: number;
};

/**
 * Sends a body in parts, until the handler ends it, the client leaves or the server stops. The next part is asked for
 * when the client has read the previous ones, so the server holds at most one part for it. An error of the handler cuts
 * the connection, because the status was sent; so does a stop, unless the body is a stream of events, which has no end of its own.
 */
export async function sendStream(response: ServerResponse, reply: Reply, options: StreamOptions): Promise<void> {
  if (response.destroyed) return;
  response.writeHead(reply.status, STATUS_CODES[reply.status], commonHeaders(reply, options.server, options.closes));
  if (response.req.method === 'HEAD') return void response.end();
  response.flushHeaders();
  const left = new AbortController();
  const leave = () => left.abort();
  response.on('close', leave);
  // The server keeps connections that are half closed, and a client that closes its half of a stream has left.
  response.req.socket.once('end', leave);
  const gone = AbortSignal.any([left.signal, options.stopping]);
  const end = () => void (gone.aborted && reply.type !== 'text/event-stream' ? response.destroy() : response.end());
  try {
    for await (const part of (reply.body as Stream)(gone)) {
      if (gone.aborted) break;
      if (response.write(part)) continue;
      const cut = setTimeout(() => response.destroy(), options.readWithinMs);
      await once(response, 'drain', { signal: gone }).finally(() => clearTimeout(cut));
    }
    end();
  } catch (error) {
    if (options.stopping.aborted) return end();
    if ((error as Error).name !== 'AbortError') reportFault(error);
    response.destroy();
  } finally {
    response.req.socket.off('end', leave);
  }
}
