import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { required } from './required.ts';
import { type Answer, launcher, ServerProcess } from './server-process.ts';

export type GatewayOptions = {
  manager: { url: string; username: string; password: string };
  domain: string;
  /** The store's address; by default a file in the gateway's own state directory. */
  store?: string;
  /** More variables, without the prefix `GATEWAY_`. */
  more?: Record<string, string>;
  nodeOptions?: string;
};

export type Route = { id: string; box_id: string; app_name: string; subdomain: string; port: number; host: string };

const run = promisify(execFile);

export const registrationToken = 'Registration-Token-Of-This-Run';

/** One `boxgate gateway serve` with folders of its own. */
export class Gateway extends ServerProcess {
  readonly folder = mkdtempSync(join(required('BOXGATE_REAL'), 'gateway-'));
  readonly state = join(this.folder, 'state');
  readonly routes = join(this.folder, 'routes');

  constructor(options: GatewayOptions) {
    const { manager, domain, store, more = {}, nodeOptions } = options;
    super(['gateway', 'serve'], (port) => ({
      PATH: process.env.PATH,
      HOME: this.folder,
      GATEWAY_PORT: port,
      GATEWAY_STATE_DIR: this.state,
      GATEWAY_ROUTES_DIR: this.routes,
      GATEWAY_DOMAIN: domain,
      GATEWAY_BOX_TOKEN: registrationToken,
      GATEWAY_TUNNEL_URL: manager.url,
      GATEWAY_TUNNEL_USERNAME: manager.username,
      GATEWAY_TUNNEL_PASSWORD: manager.password,
      GATEWAY_STORE: store,
      NODE_OPTIONS: nodeOptions,
      ...Object.fromEntries(Object.entries(more).map(([name, value]) => [`GATEWAY_${name}`, value])),
    }));
    mkdirSync(this.routes);
  }

  register(name: string, token = registrationToken): Promise<Answer> {
    const body = JSON.stringify({ registration_token: token, box_name: name });
    return this.ask('/v1/boxes/register', { method: 'POST', body });
  }

  /** Requests of a box with its token. */
  as({ id, token }: { id: string; token: string }) {
    const headers = { authorization: `Bearer ${token}` };
    const post = (path: string, body?: unknown) =>
      this.ask(path, { method: 'POST', headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
    return {
      publish: (subdomain: string, port: number, app = 'app') => post('/v1/routes', { app_name: app, subdomain, port }),
      list: () => this.ask('/v1/routes', { headers }),
      unpublish: (route: string) => this.ask(`/v1/routes/${route}`, { method: 'DELETE', headers }),
      heartbeat: () => post(`/v1/boxes/${id}/heartbeat`),
      rotate: () => post(`/v1/boxes/${id}/rotate-token`),
      deregister: () => post(`/v1/boxes/${id}/deregister`),
    };
  }

  /** The lines of the operator's list of boxes, active and pending. */
  async boxLines(): Promise<string[]> {
    const lines = (await this.#boxes('list')).split('\n');
    return lines.filter((line) => /\bbox_\w+/.test(line));
  }

  /** The ids of all boxes, active and pending. */
  async listBoxes(): Promise<string[]> {
    return (await this.boxLines()).map((line) => /\bbox_\w+/.exec(line)?.[0] ?? '');
  }

  /** Asynchronous, since this process serves the fakes. */
  async #boxes(...words: string[]): Promise<string> {
    const argv = [launcher, 'gateway', 'boxes', ...words];
    const { stdout } = await run(process.execPath, argv, { env: this.environment('0') });
    return stdout;
  }

  /** The route files by box id; skips files that are removed meanwhile. */
  routeFiles(): Map<string, string> {
    const found = new Map<string, string>();
    for (const name of readdirSync(this.routes)) {
      const [, box] = /^boxgate-(.*)\.yml$/.exec(name) ?? [];
      const text = box === undefined ? null : readIfThere(join(this.routes, name));
      if (box !== undefined && text !== null) found.set(box, text);
    }
    return found;
  }
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return null;
  }
}
