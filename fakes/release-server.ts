import { once } from 'node:events';
import { createReadStream, readFileSync, statSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';

/** A fault of all responses with the feed, or of all with an archive. */
export type ServerFault =
  | 'none'
  /** Closes the connection without a response. */
  | 'gone'
  | 'not found'
  /** Sends single bytes for ever. */
  | 'slow'
  /** Sends data for ever, as fast as the client reads. */
  | 'endless'
  | 'not JSON'
  /** Redirects to plain HTTP at a non-loopback address. */
  | 'redirect elsewhere'
  /** Sends the first half, the rest after `resume`. */
  | 'stalls'
  /** Sends the first half, then single bytes until `resume`. */
  | 'trickles'
  /** Sends the first half, then closes the connection. */
  | 'breaks off';

export type ReleaseServer = {
  /** Feed URL for `BOX_RELEASE_FEED`. */
  url: string;
  fail: (what: 'feed' | 'archive', fault: ServerFault) => void;
  /** Lets stalled responses continue, now and later. */
  resume: () => void;
  requests: () => readonly string[];
  close: () => Promise<void>;
};

/** Serves a release feed folder on the loopback address. */
export async function serveReleases(folder: string): Promise<ReleaseServer> {
  const faults: Record<'feed' | 'archive', ServerFault> = { feed: 'none', archive: 'none' };
  const requests: string[] = [];
  let resume: () => void = () => undefined;
  const resumed = new Promise<void>((resolve) => {
    resume = resolve;
  });
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    requests.push(path);
    const what = path.endsWith('.json') ? 'feed' : 'archive';
    // The client may close the connection early.
    response.on('error', () => undefined);
    const fault = path.startsWith('/elsewhere/') ? 'none' : faults[what];
    void answer(join(folder, basename(path)), fault, response, () => resumed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/feed.json`,
    fail: (what, fault) => {
      faults[what] = fault;
    },
    resume: () => resume(),
    requests: () => requests,
    close: async () => {
      resume();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(file: string, fault: ServerFault, response: ServerResponse, resumed: () => Promise<void>) {
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
    await resumed();
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
