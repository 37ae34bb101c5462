import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { pipeline } from 'node:stream';
import { freePort } from '../support/server-process.ts';

/** A proxy in front of `url` that records the cookies of all responses. */
export type Overheard = { url: string; cookies: () => string[]; close: () => void };

export async function overhear(url: string): Promise<Overheard> {
  const seen = new Set<string>();
  const port = await freePort();
  const server = createServer((incoming, response) => {
    const outgoing = request(new URL(incoming.url ?? '/', url), { method: incoming.method, headers: incoming.headers });
    outgoing.on('response', (answer) => {
      // The client was killed meanwhile.
      if (response.destroyed) {
        outgoing.destroy();
        return;
      }
      for (const cookie of answer.headers['set-cookie'] ?? []) seen.add(/=([^;]*)/.exec(cookie)?.[1] ?? '');
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage, answer.headers);
      pipeline(answer, response, () => {});
    });
    // The other side of the proxy reports a broken connection.
    outgoing.on('error', () => response.destroy());
    pipeline(incoming, outgoing, () => {});
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${port}`,
    cookies: () => [...seen].filter((value) => value !== ''),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
