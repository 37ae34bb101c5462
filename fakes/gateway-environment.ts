import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { DisposeOptions } from './box-environment.ts';
import { environmentsFolder } from './environments-folder.ts';
import { makeScratchDatabase } from './scratch-database.ts';
import { type FakeTraefik, startTraefik, type TraefikOptions } from './traefik/traefik.ts';
import { startWgEasy, type WgEasy, type WgEasyOptions } from './wg-easy/wg-easy.ts';

/**
 * The environment of one gateway: folders, a tunnel manager, and a reverse proxy that reads the routes directory. The
 * proxy maps tunnel addresses to loopback addresses. Environments share nothing; disposing of one removes everything it
 * made.
 */
export type GatewayEnvironment = {
  root: string;
  stateDir: string;
  routesDir: string;
  domain: string;
  registrationToken: string;
  manager: WgEasy;
  traefik: FakeTraefik;
  /** Overrides for later starts; `undefined` removes a variable. */
  variables: Record<string, string | undefined>;
  /** `memory` is lost when the process ends. */
  store: 'files' | 'database' | 'memory';
  env: () => Record<string, string>;
  /** Replaces the tunnel manager by another one without peers. */
  useManager: (options: WgEasyOptions) => Promise<WgEasy>;
  /** Starts another reverse proxy; by default on the routes directory. */
  openTraefik: (directory?: string) => Promise<FakeTraefik>;
  serveApp: (address: string, text: string) => Promise<ServedApp>;
  dispose: (options?: DisposeOptions) => Promise<void>;
};

export type ServedApp = { port: number; close: () => Promise<void> };

export type GatewayEnvironmentOptions = {
  manager?: WgEasyOptions;
  /** Opens a tunnel manager; a fake by default. */
  openManager?: (wishes?: WgEasyOptions) => Promise<WgEasy>;
  domain?: string;
  /** Where the proxy listens and how it maps tunnel addresses; by default a free port and random loopback addresses. */
  proxy?: Pick<TraefikOptions, 'host' | 'port' | 'addressMap' | 'readTimeoutMs'>;
  /** `memory:`, or the URL of a PostgreSQL on which a temporary database is made. */
  store?: string;
};

/** The certificate resolvers in the proxy's configuration. */
export const certResolvers = ['wharf-letters'];
export const entryPoints = ['websecure', 'seaside'];

export async function makeGatewayEnvironment(options: GatewayEnvironmentOptions = {}): Promise<GatewayEnvironment> {
  const root = mkdtempSync(join(environmentsFolder(), 'boxgate-env-'));
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
  const domain = options.domain ?? `${randomBytes(4).toString('hex')}.harbour.example`;
  const map = options.proxy?.addressMap ?? addressMap();
  const openTraefik = async (directory = routesDir) => {
    const traefik = await startTraefik({
      routesDir: directory,
      entryPoints,
      certResolvers,
      addressMap: map,
      // As in deploy/gateway/compose.yaml.
      readTimeoutMs: 0,
      environment: { GATEWAY_DOMAIN: domain },
      ...options.proxy,
    });
    closers.push(traefik.close);
    return traefik;
  };
  const startManager =
    options.openManager ??
    ((asked: WgEasyOptions = {}) => startWgEasy({ username: 'harbourmaster', loginMs: 5, mutationMs: 1, ...asked }));
  const environment: GatewayEnvironment = {
    root,
    stateDir,
    routesDir,
    domain,
    registrationToken: `Reg-${randomBytes(15).toString('base64url')}`,
    manager: await startManager(options.manager),
    traefik: await openTraefik(),
    variables: {},
    store: kindOf(options.store),
    env: () => envOf(environment, home, database.url),
    useManager: async (asked) => {
      const next = await startManager(asked);
      await environment.manager.close();
      environment.manager = next;
      return next;
    },
    openTraefik,
    serveApp: async (address, text) => {
      const app = await serve(map(address), text);
      closers.push(app.close);
      return app;
    },
    dispose: async ({ keepFiles = false } = {}) => {
      await Promise.all([environment.manager.close(), ...closers.splice(0).map((close) => close())]);
      await database.drop();
      if (!keepFiles) rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
    },
  };
  return environment;
}

/** Maps tunnel addresses to a random loopback range, so that environments do not collide. */
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

function envOf(environment: GatewayEnvironment, home: string, store: string | undefined): Record<string, string> {
  const all: Record<string, string | undefined> = {
    GATEWAY_HOST: '127.0.0.1',
    GATEWAY_STATE_DIR: environment.stateDir,
    GATEWAY_ROUTES_DIR: environment.routesDir,
    GATEWAY_DOMAIN: environment.domain,
    GATEWAY_BOX_TOKEN: environment.registrationToken,
    GATEWAY_TUNNEL_URL: environment.manager.url,
    GATEWAY_TUNNEL_USERNAME: environment.manager.username,
    GATEWAY_TUNNEL_PASSWORD: environment.manager.password,
    GATEWAY_STORE: store,
    HOME: home,
    PATH: process.env.PATH ?? '',
    ...environment.variables,
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
