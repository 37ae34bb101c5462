import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, ftruncateSync, mkdirSync, openSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';

const sparseBytes = 3 * 1024 ** 3;

/** Things other than a regular file that can be at a path, each with a function that makes it. */
export const oddFiles: Readonly<Record<string, (path: string) => void | Promise<void>>> = {
  'a named pipe': (path) => void execFileSync('mkfifo', [path]),
  'a socket': async (path) => {
    const server = createServer().listen(path);
    await once(server, 'listening');
    server.unref();
  },
  'a link to a device': (path) => symlinkSync('/dev/zero', path),
  'a directory': (path) => void mkdirSync(path),
  'a dangling link': (path) => symlinkSync('/nowhere/at-all', path),
  'a link to itself': (path) => symlinkSync(path, path),
  'a huge file': (path) => {
    const file = openSync(path, 'w');
    ftruncateSync(file, sparseBytes); // A sparse file takes no disk space.
    closeSync(file);
  },
  'unreadable bytes': (path) => writeFileSync(path, Buffer.from([0xff, 0xfe, 0, 0x80, 0x0a, 0x7b, 0xc3, 0x28])),
};

export async function putOdd(kind: string, path: string): Promise<void> {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(dirname(path), { recursive: true });
  await oddFiles[kind]?.(path);
}
