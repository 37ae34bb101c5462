import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Ports below those that the kernel hands out by itself. Of these anybody may take one while a slow program has not
 * bound it yet, or while it is to be refused for a moment; and an attempt to connect to one where nobody listens may
 * meet itself.
 *
 * A block of them is this process's alone for as long as it lives: it listens on the first one, so that whoever looks
 * for a block beside it takes another. What is given comes round again only when all others of the block were.
 */
const lowest = 10_240;
const blockSize = 1024;
const blocks = 22;

/** A port that nobody listens on, and that nobody else is told of for a good while. */
export async function freePort(): Promise<number> {
  ownBlock ??= takeBlock();
  const block = await ownBlock;
  for (let tries = 1; tries < blockSize; tries += 1) {
    const port = block + 1 + (given++ % (blockSize - 1));
    if (await canListen(port)) return port;
  }
  throw new Error(`nobody may listen on any port from ${block} to ${block + blockSize - 1}`);
}

let ownBlock: Promise<number> | undefined;
let given = 0;

/** Its first port. Where all are taken, it is shared with somebody. */
async function takeBlock(): Promise<number> {
  const first = randomInt(blocks);
  for (let at = 0; at < blocks; at += 1) {
    const port = lowest + blockSize * ((first + at) % blocks);
    if (await listenForGood(port)) return port;
  }
  given = randomInt(blockSize);
  return lowest + blockSize * first;
}

function listenForGood(port: number): Promise<boolean> {
  const server = createServer((socket) => socket.destroy()).unref();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => resolve(true));
  });
}

function canListen(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
