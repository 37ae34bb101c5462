import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

/** A TCP proxy whose connections a test can cut. */
export type Proxy = {
  /** The target's URL through this proxy. */
  url: string;
  /** Cuts every connection, and refuses new ones until `mend`. */
  cut(): void;
  mend(): void;
  /** Forwards the next bytes with `text` to the server, and cuts the connection before the response. */
  cutAfter(text: string): void;
  close(): Promise<void>;
};

export async function startProxy(target: string): Promise<Proxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isCut = false;
  let lastWords: string | null = null;

  const server = createServer((near) => {
    if (isCut) return near.destroy();
    const far = connect(Number(port), hostname);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => undefined); // 'close' follows.
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    far.on('data', (bytes) => near.write(bytes));
    near.on('data', (bytes) => {
      far.write(bytes, () => {
        if (lastWords === null || !bytes.includes(lastWords)) return;
        lastWords = null;
        near.destroy();
      });
      if (lastWords !== null && bytes.includes(lastWords)) far.removeAllListeners('data');
    });
    return undefined;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const url = new URL(target);
  url.port = String((server.address() as AddressInfo).port);
  url.hostname = '127.0.0.1';
  return {
    url: url.href,
    cut() {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    mend() {
      isCut = false;
    },
    cutAfter(text) {
      lastWords = text;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
