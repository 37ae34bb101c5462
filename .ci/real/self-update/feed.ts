import { createReadStream, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { freePort } from '../support/server-process.ts';
import type { Release } from './archive.ts';

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/**
 * Serves a release feed and its archives at a loopback address. The address stays the same after `close` and a new
 * start.
 */
export class Feed {
  #port = 0;
  /** The handlers of requests for the feed and for an archive. */
  feed: Answer = (response) => response.end('{}');
  archive: Answer = (response) => response.writeHead(404).end();
  asked = { feed: 0, archive: 0 };
  readonly #server = createServer((request, response) => {
    const what = request.url === '/release.json' ? 'feed' : 'archive';
    this.asked[what] += 1;
    response.on('error', () => undefined);
    this[what](response, request);
  });

  async open(): Promise<void> {
    if (this.#port === 0) this.#port = await freePort();
    // A test that failed must not keep the process.
    this.#server.unref();
    await new Promise<void>((resolve) => this.#server.listen(this.#port, '127.0.0.1', resolve));
  }

  /** Closes the server and its connections. */
  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/release.json`;
  }

  announce(release: Release): void {
    this.feed = (response) => response.end(JSON.stringify(release.feed));
    this.archive = (response) => {
      response.setHeader('content-length', release.archive.length);
      response.end(release.archive);
    };
    this.asked = { feed: 0, archive: 0 };
  }

  /** Serves a release from a folder that `npm run release` has written. */
  serveFolder(folder: string): void {
    const answer: Answer = (response, request) => {
      const path = `${folder}${request.url}`;
      response.setHeader('content-length', statSync(path).size);
      createReadStream(path).pipe(response);
    };
    this.feed = answer;
    this.archive = answer;
    this.asked = { feed: 0, archive: 0 };
  }

  /** Delays the next responses, or the second half of an archive, until the returned function is called. */
  hold(what: 'feed' | 'archive'): () => void {
    const answer = this[what];
    const held: (() => void)[] = [];
    this[what] = (response, request) => held.push(() => answer(response, request));
    return () => {
      this[what] = answer;
      for (const one of held.splice(0)) one();
    };
  }
}
