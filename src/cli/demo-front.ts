import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { forward, reply } from '../../fakes/traefik/forward.ts';
import { packageRoot } from '../package-root.ts';
import { forBrowser } from './demo-servers.ts';

const unlimited = { passHostHeader: true, dialMs: 0, headerMs: 0 };

/** The proxy in front of the demo's box and its console; port 0 is a free one. */
export async function startFront(servers: { box: string; console: string }, host: string, port: number) {
  const server = createServer({ requestTimeout: 0 }, (incoming, response) => {
    const url = incoming.url ?? '';
    if (url === '/style.css') {
      const body = readFileSync(join(packageRoot, 'deploy/proxy/style.css'), 'utf8');
      reply(response, { status: 200, contentType: 'text/css; charset=utf-8', body });
    } else if (url === '/') response.writeHead(302, { location: '/apps' }).end();
    else {
      const name = url.startsWith('/settings/') ? 'console' : 'box';
      const service = { name, servers: [servers[name]], ...unlimited };
      const options = { service, server: servers[name], addressMap: (address: string) => address, readTimeoutMs: 0 };
      forward(incoming, response, options);
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
