import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Ports below the ephemeral range, which the kernel also gives to outgoing connections.
 *
 * Each process reserves a block of ports by listening on its first port. A port is reused only after all others of its
 * block.
 */
const lowest = 10_240;
const blockSize = 1024;
const blocks = 22;

/** A free port. No other caller gets the same port for a long time. */
export async function freePort(): Promise<number> {
  ownBlock ??= takeBlock();
  const block = await ownBlock;
  for (let tries = 1; tries < blockSize; tries += 1) {
    const port = block + 1 + (given++ % (blockSize - 1));
    if (await canListen(port)) return port;
  }
  throw new Error(`no free port between ${block} and ${block + blockSize - 1}`);
}

let ownBlock: Promise<number> | undefined;
let given = 0;

/** The first port of a free block; a random one if all blocks are reserved. */
async function takeBlock(): Promise<number> {
  const first = randomInt(blocks);
  for (let at = 0; at < blocks; at += 1) {
    const port = lowest + blockSize * ((first + at) % blocks);
    if (await reserve(port)) return port;
  }
  given = randomInt(blockSize);
  return lowest + blockSize * first;
}

function reserve(port: number): Promise<boolean> {
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
