import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { environmentsFolder } from './environments-folder.ts';
import { makeScratchDatabase } from './scratch-database.ts';
import { type FakeTraefik, startTraefik, type TraefikOptions } from './traefik/traefik.ts';
import { startWgEasy, type WgEasy, type WgEasyOptions } from './wg-easy/wg-easy.ts';

/**
 * What one gateway stands in: folders of its own, a tunnel manager, and a reverse proxy that reads its routes
 * directory and finds the tunnel's addresses on loopback ones of this world alone. Two worlds share nothing;
 * removing one leaves nothing behind.
 */
export type GatewayEnvironment = {
  root: string;
  stateDir: string;
  routesDir: string;
  domain: string;
  registrationToken: string;
  manager: WgEasy;
  traefik: FakeTraefik;
  /** What differs from the usual environment; undefined takes a variable away. It holds for every later start. */
  variables: Record<string, string | undefined>;
  /** Where the store is: in files of the state directory, in a database, or in memory, which outlives no process. */
  store: 'files' | 'database' | 'memory';
  env: () => Record<string, string>;
  /** Puts another tunnel manager in the place of this one, which has no peers. */
  useManager: (options: WgEasyOptions) => Promise<WgEasy>;
  /** A further reverse proxy, started now; on the routes directory unless it is given another one. */
  openTraefik: (directory?: string) => Promise<FakeTraefik>;
  /** An app of a box, at its address in the tunnel. */
  serveApp: (address: string, text: string) => Promise<ServedApp>;
  dispose: () => Promise<void>;
};

export type ServedApp = { port: number; close: () => Promise<void> };

export type GatewayEnvironmentOptions = {
  manager?: WgEasyOptions;
  /** Makes a tunnel manager as wished; a stand-in when left out. */
  openManager?: (wishes?: WgEasyOptions) => Promise<WgEasy>;
  domain?: string;
  /** Where the proxy listens, and finds the tunnel's addresses; else a free port, and addresses of this world alone. */
  proxy?: Pick<TraefikOptions, 'host' | 'port' | 'addressMap'>;
  /** `memory:`, or the address of a PostgreSQL on which the world makes a database of its own. */
  store?: string;
};

/** What the world's proxy has been configured with. */
export const certResolvers = ['wharf-letters'];
export const entryPoints = ['websecure', 'seaside'];

export async function makeGatewayEnvironment(
  options: GatewayEnvironmentOptions = {},
): Promise<GatewayEnvironment> {
  const root = mkdtempSync(join(environmentsFolder(), 'boxgate-world-'));
  chmodSync(root, 0o755);
  const routesDir = join(root, 'routes');
  const home = join(root, 'home');
  const stateDir = join(root, 'state');
  for (const folder of [routesDir, home, stateDir]) {
    mkdirSync(folder);
    chmodSync(folder, 0o755);
  }
  const database = await openDatabase(options.store);
  const closers: (() => Promise<unknown>)[] = [];
  const map = options.proxy?.addressMap ?? addressMap();
  const openTraefik = async (directory = routesDir) => {
    const traefik = await startTraefik({
      routesDir: directory,
      entryPoints,
      certResolvers,
      addressMap: map,
      throttleMs: 1,
      ...options.proxy,
    });
    closers.push(traefik.close);
    return traefik;
  };
  const startManager =
    options.openManager ??
    ((asked: WgEasyOptions = {}) =>
      startWgEasy({ username: 'harbourmaster', loginMs: 5, mutationMs: 1, ...asked }));
  const world: GatewayEnvironment = {
    root,
    stateDir,
    routesDir,
    domain: options.domain ?? `${randomBytes(4).toString('hex')}.harbour.example`,
    registrationToken: `Reg-${randomBytes(15).toString('base64url')}`,
    manager: await startManager(options.manager),
    traefik: await openTraefik(),
    variables: {},
    store: kindOf(options.store),
    env: () => environmentOf(world, home, database.url),
    useManager: async (asked) => {
      const next = await startManager(asked);
      await world.manager.close();
      world.manager = next;
      return next;
    },
    openTraefik,
    serveApp: async (address, text) => {
      const app = await serve(map(address), text);
      closers.push(app.close);
      return app;
    },
    dispose: async () => {
      await Promise.all([world.manager.close(), ...closers.splice(0).map((close) => close())]);
      await database.drop();
      rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
    },
  };
  return world;
}

/** Tunnel addresses become loopback ones, in a range that is likely this world's alone. */
function addressMap(): (address: string) => string {
  const [high = 0, low = 0] = randomBytes(2);
  return (address) => address.replace(/^10\.\d+\.\d+\.(?=\d+$)/, `127.${1 + (high % 254)}.${low}.`);
}

function kindOf(store: string | undefined): GatewayEnvironment['store'] {
  if (store === undefined) return 'files';
  return store === 'memory:' ? 'memory' : 'database';
}

async function openDatabase(store: string | undefined) {
  if (store?.startsWith('postgres')) return makeScratchDatabase(store);
  return { url: store, drop: async () => {} };
}

function environmentOf(
  world: GatewayEnvironment,
  home: string,
  store: string | undefined,
): Record<string, string> {
  const all: Record<string, string | undefined> = {
    GATEWAY_HOST: '127.0.0.1',
    GATEWAY_STATE_DIR: world.stateDir,
    GATEWAY_ROUTES_DIR: world.routesDir,
    GATEWAY_DOMAIN: world.domain,
    GATEWAY_BOX_TOKEN: world.registrationToken,
    GATEWAY_TUNNEL_URL: world.manager.url,
    GATEWAY_TUNNEL_USERNAME: world.manager.username,
    GATEWAY_TUNNEL_PASSWORD: world.manager.password,
    GATEWAY_STORE: store,
    HOME: home,
    PATH: process.env.PATH ?? '',
    ...world.variables,
  };
  const set = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(set);
}

async function serve(host: string, text: string): Promise<ServedApp> {
  const server = createServer((request, response) => {
    response.end(`${text} ${request.method} ${request.url} for ${request.headers.host}`);
  }).listen(0, host);
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, close: () => closeServer(server) };
}

async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
