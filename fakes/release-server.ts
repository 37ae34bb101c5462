import { once } from 'node:events';
import { createReadStream, readFileSync, statSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';

/** A fault of all answers about the feed, or of all about archives. */
export type ServerFault =
  | 'none'
  /** The connection is closed without an answer. */
  | 'gone'
  | 'not found'
  /** A byte now and then, for ever. */
  | 'slow'
  /** As fast as it is read, for ever. */
  | 'endless'
  | 'not JSON'
  /** To plain HTTP at an address that is not a loopback one. */
  | 'redirect elsewhere'
  /** The first half, then nothing until `letGo`. */
  | 'stalls'
  /** The first half, then a byte now and then until `letGo`. */
  | 'trickles'
  /** The first half, then the connection is closed. */
  | 'breaks off';

export type ReleaseServer = {
  /** Address of the feed, for `BOX_RELEASE_FEED`. */
  url: string;
  /** Applies from the next request on. */
  fail: (what: 'feed' | 'archive', fault: ServerFault) => void;
  /** Ends what stalls or trickles, for good. */
  letGo: () => void;
  /** The paths that were asked for. */
  requests: () => readonly string[];
  close: () => Promise<void>;
};

/** Serves the folder of a release feed on the loopback address, with faults by script. */
export async function serveReleases(folder: string): Promise<ReleaseServer> {
  const faults: Record<'feed' | 'archive', ServerFault> = { feed: 'none', archive: 'none' };
  const requests: string[] = [];
  let letGo: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    requests.push(path);
    const what = path.endsWith('.json') ? 'feed' : 'archive';
    // A caller that has seen enough closes the connection.
    response.on('error', () => undefined);
    const fault = path.startsWith('/elsewhere/') ? 'none' : faults[what];
    void answer(join(folder, basename(path)), fault, response, () => released);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/feed.json`,
    fail: (what, fault) => {
      faults[what] = fault;
    },
    letGo: () => letGo(),
    requests: () => requests,
    close: async () => {
      letGo();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(
  file: string,
  fault: ServerFault,
  response: ServerResponse,
  released: () => Promise<void>,
) {
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  if (fault === 'gone') response.destroy();
  else if (fault === 'not found' || size === undefined) response.writeHead(404).end('gone\n');
  else if (fault === 'not JSON') response.end('<!doctype html><p>Welcome to this network\n');
  else if (fault === 'redirect elsewhere') {
    const port = response.socket?.localPort;
    response.writeHead(302, { Location: `http://0.0.0.0:${port}/elsewhere/${basename(file)}` }).end();
  } else if (fault === 'slow') drip(response);
  else if (fault === 'endless') flood(response);
  else if (fault === 'none') {
    response.writeHead(200, { 'Content-Length': size });
    createReadStream(file).pipe(response);
  } else {
    const bytes = readFileSync(file);
    response.writeHead(200, { 'Content-Length': size });
    const isOver = fault === 'breaks off';
    response.write(bytes.subarray(0, size / 2), () => isOver && response.destroy());
    if (isOver) return;
    let sent = Math.floor(size / 2);
    const timer = setInterval(() => {
      if (fault === 'trickles' && sent < size) response.write(bytes.subarray(sent, ++sent));
    }, 100);
    response.once('close', () => clearInterval(timer));
    await released();
    clearInterval(timer);
    response.end(bytes.subarray(sent));
  }
}

function drip(response: ServerResponse): void {
  const timer = setInterval(() => response.write(' '), 200);
  response.once('close', () => clearInterval(timer));
}

function flood(response: ServerResponse): void {
  const piece = Buffer.alloc(64 * 1024, ' ');
  const write = () => {
    while (!response.destroyed && response.write(piece));
  };
  response.on('drain', write);
  write();
}
