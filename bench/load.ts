import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { Row } from './measure-row.ts';
import { keepLoadOn, type Server, scheduled } from './processes.ts';

export type Load = {
  /** The request, or several that are sent in turn. All responses have the same length. */
  bytes: string | readonly string[];
  /** Number of connections that are kept alive; each has one request under way. 32 without it. */
  connections?: number;
  /** Number of requests. Without it, requests are sent for one second. */
  requests?: number;
};

type LoadResult = {
  /** Processor time of the server per request, in µs. */
  cpuMicros: number;
  /** Mean time between two responses over all connections, in µs. */
  wallMicros: number;
  p99Ms: number;
  /** The server waited for its core for more than 5 % of the time. */
  disturbed: boolean;
};

const windowMs = 1000;

/** A row that compares the requests of two servers, in windows of one second. */
export function loadRow(
  row: Pick<Row, 'name' | 'floor' | 'goal'> & { figure: 'cpuMicros' | 'wallMicros' | 'p99Ms' },
  { load, ours, floor }: { load: Load; ours: Server; floor: Server },
): Row {
  const round = async () => {
    const a = await runLoad(ours, load);
    const b = await runLoad(floor, load);
    return { ours: a[row.figure], floor: b[row.figure], disturbed: a.disturbed || b.disturbed };
  };
  return { ...row, unit: row.figure === 'p99Ms' ? 'ms' : 'µs', round };
}

/** Sends requests over several connections, one at a time on each. */
export async function runLoad(server: { pid: number; port: number }, load: Load): Promise<LoadResult> {
  const texts = [load.bytes].flat();
  const { length } = await askOnce(server.port, texts[0] ?? '');
  const latencies: number[] = [];
  let left = load.requests ?? Number.POSITIVE_INFINITY;
  keepLoadOn('1');
  const before = scheduled(server.pid);
  const begin = performance.now();
  const next = () => {
    if (left <= 0 || (load.requests === undefined && performance.now() - begin > windowMs)) return null;
    left -= 1;
    return texts[latencies.length % texts.length] ?? '';
  };
  const connections = Array.from({ length: load.connections ?? 32 }, () =>
    sendInTurn(server.port, length, next, latencies),
  );
  await Promise.all(connections);
  const wallMs = performance.now() - begin;
  const after = scheduled(server.pid);
  keepLoadOn('0,1');
  latencies.sort((a, b) => a - b);
  return {
    cpuMicros: (after.ran - before.ran) / 1000 / latencies.length,
    wallMicros: (wallMs * 1000) / latencies.length,
    p99Ms: latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN,
    disturbed: (after.waited - before.waited) / 1e6 > wallMs / 20,
  };
}

/** Reads below Node's streams and only counts bytes, so that the load costs less than the server. */
async function sendInTurn(port: number, length: number, next: () => string | null, latencies: number[]): Promise<void> {
  let received = 0;
  let sent = 0;
  const send = () => {
    const bytes = next();
    sent = performance.now();
    if (bytes === null) socket.destroy();
    else socket.write(bytes, 'latin1');
  };
  const socket: Socket = connect({
    port,
    host: '127.0.0.1',
    noDelay: true,
    onread: {
      buffer: Buffer.alloc(65_536),
      callback(bytes) {
        received += bytes;
        if (received < length) return true;
        if (received > length) socket.destroy(new Error('a response is longer than the first one'));
        received = 0;
        latencies.push(performance.now() - sent);
        send();
        return true;
      },
    },
  });
  socket.setTimeout(10_000, () => socket.destroy(new Error('a response is shorter than the first one, or missing')));
  socket.on('connect', send);
  await once(socket, 'close');
}

/** Sends one request on a new connection and returns the whole response. */
export async function askOnce(port: number, bytes: string): Promise<string> {
  const socket = await openConnection(port);
  const answer = await exchange(socket, bytes);
  socket.destroy();
  return answer;
}

/** The response to measure. Checks it, because the time of a wrong response has no meaning. */
export async function checkedAnswer(port: number, bytes: string, expected: RegExp): Promise<string> {
  const answer = await askOnce(port, bytes);
  if (!expected.test(answer)) throw new Error(`a wrong answer to measure: ${answer.slice(0, 1000)}`);
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
