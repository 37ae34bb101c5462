import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { keepLoadOn, scheduled } from './processes.ts';

export type Load = {
  requests: number;
  connections: number;
  /** The request, or several that are sent in turn. */
  bytes: string | readonly string[];
};

export type LoadResult = {
  /** Processor time of the server per request, in µs. */
  cpuMicros: number;
  /** Mean time between two responses over all connections, in µs. */
  wallMicros: number;
  p99Ms: number;
  /** The server waited for its core for more than 5 % of the time. */
  disturbed: boolean;
};

/** Sends a number of requests over several connections, one at a time on each. */
export async function runLoad(server: { pid: number; port: number }, load: Load): Promise<LoadResult> {
  const sockets = await Promise.all(Array.from({ length: load.connections }, () => openConnection(server.port)));
  const latencies: number[] = [];
  const texts = typeof load.bytes === 'string' ? [load.bytes] : load.bytes;
  let left = load.requests;
  keepLoadOn('1');
  const before = scheduled(server.pid);
  const begin = performance.now();
  await Promise.all(
    sockets.map(async (socket) => {
      while (left > 0) {
        left -= 1;
        const bytes = texts[left % texts.length] ?? '';
        const sent = performance.now();
        await exchange(socket, bytes);
        latencies.push(performance.now() - sent);
      }
    }),
  );
  const wallMs = performance.now() - begin;
  const after = scheduled(server.pid);
  keepLoadOn('0,1');
  for (const socket of sockets) socket.destroy();
  latencies.sort((a, b) => a - b);
  return {
    cpuMicros: (after.ran - before.ran) / 1000 / latencies.length,
    wallMicros: (wallMs * 1000) / latencies.length,
    p99Ms: latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN,
    disturbed: (after.waited - before.waited) / 1e6 > wallMs / 20,
  };
}

/** Sends one request on a new connection and returns the whole response. */
export async function askOnce(port: number, bytes: string): Promise<string> {
  const socket = await openConnection(port);
  const answer = await exchange(socket, bytes);
  socket.destroy();
  return answer;
}

export async function openConnection(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  socket.setEncoding('latin1');
  await once(socket, 'connect');
  return socket;
}

/** Sends a request and returns the whole response. */
export function exchange(socket: Socket, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const onData = (chunk: string) => {
      answer += chunk;
      if (!isWhole(answer)) return;
      socket.off('data', onData);
      socket.off('close', onClose);
      resolve(answer);
    };
    const onClose = () => reject(new Error(`the connection closed after ${JSON.stringify(answer)}`));
    socket.on('data', onData);
    socket.once('close', onClose);
    socket.write(bytes);
  });
}

function isWhole(answer: string): boolean {
  const head = answer.indexOf('\r\n\r\n');
  if (head < 0) return false;
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(answer.slice(0, head + 2))?.[1] ?? 0);
  return answer.length >= head + 4 + length;
}
