import { performance } from 'node:perf_hooks';
import { type Caller, requestOf } from './gateway.ts';
import { exchange, openConnection } from './load.ts';

let published = 0;

/**
 * Publishes and unpublishes routes over several connections, each for another box. Returns the mean time per change in
 * µs: the total time divided by the number of changes of all connections.
 */
export async function changeMicros(
  server: { port: number },
  callers: readonly Caller[],
  { pairs, connections }: { pairs: number; connections: number },
): Promise<number> {
  const sockets = await Promise.all(Array.from({ length: connections }, () => openConnection(server.port)));
  let left = pairs;
  const begin = performance.now();
  await Promise.all(
    sockets.map(async (socket, n) => {
      const caller = callers[n % callers.length];
      if (caller === undefined) throw new Error('there is no box to publish for');
      while (left > 0) {
        left -= 1;
        published += 1;
        const route = { app_name: 'app', subdomain: `bench-${process.pid}-${published}`, port: 8000 };
        const answer = await exchange(socket, requestOf('POST', '/v1/routes', caller, route));
        const id = /^HTTP\/1\.1 201 .*"id":"([^"]+)"/s.exec(answer)?.[1];
        if (id === undefined) throw new Error(`not published: ${answer}`);
        const gone = await exchange(socket, requestOf('DELETE', `/v1/routes/${id}`, caller));
        if (!gone.startsWith('HTTP/1.1 200 ')) throw new Error(`not taken back: ${gone}`);
      }
    }),
  );
  const micros = ((performance.now() - begin) * 1000) / (pairs * 2);
  for (const socket of sockets) socket.destroy();
  return micros;
}
