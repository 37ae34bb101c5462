import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { forward, reply } from '../../fakes/traefik/forward.ts';
import { packageRoot } from '../package-root.ts';
import { forBrowser } from './demo-servers.ts';

/** The files that `deploy/proxy` serves beside the box. */
const files: Readonly<Record<string, { name: string; contentType: string }>> = {
  '/settings/': { name: 'settings/index.html', contentType: 'text/html; charset=utf-8' },
  '/style.css': { name: 'style.css', contentType: 'text/css; charset=utf-8' },
};

const unlimited = { passHostHeader: true, dialMs: 0, headerMs: 0 };

/** The proxy in front of the demo's box; port 0 is a free one. */
export async function startFront(box: string, host: string, port: number) {
  const server = createServer({ requestTimeout: 0 }, (incoming, response) => {
    const file = files[incoming.url ?? ''];
    if (file !== undefined) {
      const body = readFileSync(join(packageRoot, 'deploy/proxy', file.name), 'utf8');
      reply(response, { status: 200, contentType: file.contentType, body });
    } else if (incoming.url === '/') response.writeHead(302, { location: '/apps' }).end();
    else {
      const service = { name: 'box', servers: [box], ...unlimited };
      forward(incoming, response, { service, server: box, addressMap: (address) => address, readTimeoutMs: 0 });
    }
  }).listen(port, host);
  await once(server, 'listening');
  const { port: actual } = server.address() as AddressInfo;
  return {
    address: forBrowser(`http://${host.includes(':') ? `[${host}]` : host}:${actual}`),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
