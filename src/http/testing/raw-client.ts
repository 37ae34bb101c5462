import { connect, type Socket } from 'node:net';

export type RawAnswer = { status: number; phrase: string; headers: Map<string, string>; body: string };

/** A client that sends exactly the given bytes, for requests that other clients cannot send. */
export type RawClient = {
  socket: Socket;
  send(text: string | Buffer): void;
  /** The next complete response, by its Content-Length. A response to HEAD has no body. */
  answer(options?: { head?: boolean }): Promise<RawAnswer>;
  /** Settles when the server has closed the connection, with the bytes that no `answer()` has taken. */
  closed(): Promise<string>;
};

export async function rawClient(port: number, allowHalfOpen = false): Promise<RawClient> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen });
  let received = Buffer.alloc(0);
  let isClosed = false;
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const resolve of waiting) resolve();
    waiting.clear();
  };
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    wake();
  });
  socket.on('error', () => {}); // A close follows.
  const onEnd = () => {
    isClosed = true;
    wake();
  };
  socket.on('end', onEnd);
  socket.on('close', onEnd);
  await new Promise((resolve) => socket.once('connect', resolve));
  const more = () =>
    new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('the server neither answers nor closes')), 30_000);
      waiting.add(() => {
        clearTimeout(timer);
        resolve();
      });
    });

  return {
    socket,
    send: (text) => void socket.write(text),
    async answer({ head = false } = {}) {
      for (;;) {
        const end = received.indexOf('\r\n\r\n');
        if (end !== -1) {
          const parsed = parseHead(received.subarray(0, end).toString('latin1'));
          const length = head ? 0 : Number(parsed.headers.get('content-length') ?? 0);
          if (received.length >= end + 4 + length) {
            const body = received.subarray(end + 4, end + 4 + length).toString('utf8');
            received = received.subarray(end + 4 + length);
            return { ...parsed, body };
          }
        }
        if (isClosed) throw new Error(`closed before a whole answer: ${JSON.stringify(received.toString())}`);
        await more();
      }
    },
    async closed() {
      while (!isClosed) await more();
      return received.toString('latin1');
    },
  };
}

function parseHead(text: string): Omit<RawAnswer, 'body'> {
  const [first = '', ...lines] = text.split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  const [, status, ...phrase] = first.split(' ');
  return { status: Number(status), phrase: phrase.join(' '), headers: new Map(headers) };
}
