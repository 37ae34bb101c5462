import { type FSWatcher, watch } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { FakeEngine, SeenContainer } from './engine.ts';

export type ServedPorts = {
  ports(): number[];
  close(): Promise<void>;
};

/**
 * Serves a page on every port that a running container publishes, on the loopback address. Follows the engine as
 * containers start and stop. Warns about a port that is already in use.
 */
export async function servePublishedPorts(
  engine: FakeEngine,
  warn: (text: string) => void = (text) => process.stderr.write(`${text}\n`),
): Promise<ServedPorts> {
  const servers = new Map<number, Server>();
  const refused = new Set<number>();
  let turn = Promise.resolve();
  const update = () => {
    turn = turn.then(() => follow(engine, servers, refused, warn));
    return turn;
  };
  const watcher: FSWatcher = watch(engine.folder, (_event, name) => {
    if (name === 'state.json') void update();
  });
  await update();
  return {
    ports: () => [...servers.keys()].sort((one, other) => one - other),
    async close() {
      watcher.close();
      await turn;
      await Promise.all([...servers.values()].map(closeServer));
    },
  };
}

async function follow(
  engine: FakeEngine,
  servers: Map<number, Server>,
  refused: Set<number>,
  warn: (text: string) => void,
): Promise<void> {
  const wanted = publishedPorts(engine.containers());
  for (const [port, server] of servers) {
    if (wanted.has(port)) continue;
    servers.delete(port);
    await closeServer(server);
  }
  for (const port of refused) if (!wanted.has(port)) refused.delete(port);
  for (const port of wanted.keys()) {
    if (servers.has(port) || refused.has(port)) continue;
    const server = await listenOn(port, () => publishedPorts(engine.containers()).get(port));
    if (server) servers.set(port, server);
    else {
      refused.add(port);
      warn(`port ${port} is taken on this machine: the app cannot be shown there`);
    }
  }
}

function publishedPorts(containers: readonly SeenContainer[]): Map<number, SeenContainer> {
  const running = containers.filter((one) => one.status === 'running');
  return new Map(
    running.flatMap((one) =>
      one.ports
        .filter((port) => port.protocol === 'tcp' && port.hostPort > 0)
        .map((port) => [port.hostPort, one] as const),
    ),
  );
}

function listenOn(port: number, find: () => SeenContainer | undefined): Promise<Server | null> {
  return new Promise((resolve) => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
      response.end(page(find(), port));
    });
    server.once('error', () => resolve(null));
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

function page(container: SeenContainer | undefined, port: number): string {
  const app = escapeHtml(container?.project || container?.name || 'an app');
  const service = escapeHtml(container?.service || container?.name || '');
  const image = escapeHtml(container?.image ?? '');
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>${app}</title>
<body style="font-family: system-ui, sans-serif; max-width: 40em; margin: 4em auto; padding: 0 1em">
<h1>${app}</h1>
<p>Here would be <strong>${app}</strong>: the service <code>${service}</code> of the image <code>${image}</code>, on port ${port}.</p>
<p>This is a demonstration without Docker, so nothing of the app runs.</p>
</body></html>
`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
