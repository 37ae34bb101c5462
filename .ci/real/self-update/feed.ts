import { createReadStream, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { freePort } from '../support/server-process.ts';

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** Serves at a loopback address what `npm run release` has written into a folder. */
export class Feed {
  #port = 0;
  readonly #folder: string;
  /** How an archive is sent. */
  archive: Answer = (response, request) => this.#send(response, request);
  readonly #server = createServer((request, response) => {
    response.on('error', () => undefined);
    if (request.url === '/release.json') this.#send(response, request);
    else this.archive(response, request);
  });

  constructor(folder: string) {
    this.#folder = folder;
  }

  async open(): Promise<void> {
    this.#port = await freePort();
    // A test that failed must not keep the process.
    this.#server.unref();
    await new Promise<void>((resolve) => this.#server.listen(this.#port, '127.0.0.1', resolve));
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/release.json`;
  }

  #send(response: ServerResponse, request: IncomingMessage): void {
    const path = `${this.#folder}${request.url}`;
    response.setHeader('content-length', statSync(path).size);
    createReadStream(path).pipe(response);
  }
}
