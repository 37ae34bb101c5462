import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { components } from '../../api/api.gen.ts';
import { renderPage } from '../render.ts';

type Schemas = components['schemas'];
type Reply =
  | { status: number; body: unknown; refusal?: string }
  | 'drop'
  | { html: string; status: number }
  | { picture: Buffer; status: number };
type Setting = Schemas['SettingEntry'];
type InstalledApp = Schemas['InstalledApp'];
type BrokenApp = Schemas['BrokenApp'];
export type Live = Pick<
  InstalledApp,
  | 'state'
  | 'state_detail'
  | 'published'
  | 'open_ports'
  | 'available_version'
  | 'operation'
  | 'public_urls'
  | 'open_urls'
>;
/** An installed app. Without a given state the app runs. */
type Installed = (Omit<InstalledApp, keyof Live> | Omit<BrokenApp, keyof Live>) & Partial<Live>;

/**
 * A fake box for tests of the page. It serves the API from a state that a test changes by assignment, and has no
 * containers. `answers` replaces the usual answers; `held` contains requests that wait for the test.
 */
export type StubBox = {
  url: string;
  installed: Installed[];
  bundled: Schemas['AppSummary'][];
  settings: Record<string, Setting[]>;
  version: string;
  selfUpdate: Record<string, unknown>;
  isDown: boolean;
  /** Whether a proxy serves the update's state as a file, also while the box is down. */
  isPublished: boolean;
  styleSheet: string | null;
  answers: Map<string, Reply>;
  requests: { method: string; path: string; body: unknown }[];
  /** Makes the next request of this kind wait; resolves, once it has come, to the function that releases it. */
  hold: (endpoint: string) => Promise<() => void>;
  close: () => Promise<void>;
};

export async function startStubBox(): Promise<StubBox> {
  const holds = new Map<string, (release: () => void) => void>();
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const box: StubBox = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    installed: [],
    bundled: [],
    settings: {},
    version: '1.0.0',
    selfUpdate: {},
    isDown: false,
    isPublished: false,
    styleSheet: null,
    answers: new Map(),
    requests: [],
    hold: (endpoint) => new Promise((resolve) => holds.set(endpoint, resolve)),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '';
    const endpoint = `${request.method} ${path}`;
    const text = await readText(request);
    const body: unknown = text ? JSON.parse(text) : null;
    if (path.startsWith('/api/')) box.requests.push({ method: request.method ?? '', path, body });
    if (path === '/update-state.json' && box.isPublished) {
      return void response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(box.selfUpdate));
    }
    if (box.isDown) return void request.socket.destroy();
    const holder = holds.get(endpoint);
    if (holder) {
      holds.delete(endpoint);
      await new Promise<void>((release) => holder(release));
    }
    if (['/', '/apps', '/apps/'].includes(path)) {
      const page = renderPage(box.version);
      return void response.writeHead(200, page.headers).end(page.html);
    }
    if (path === '/style.css' && box.styleSheet !== null) {
      return void response.writeHead(200, { 'Content-Type': 'text/css' }).end(box.styleSheet);
    }
    const reply = box.answers.get(endpoint) ?? usualReply(box, endpoint, body);
    if (reply === 'drop') return void request.socket.destroy();
    if ('html' in reply) return void response.writeHead(reply.status, { 'Content-Type': 'text/html' }).end(reply.html);
    if ('picture' in reply) return void response.writeHead(reply.status).end(reply.picture);
    const refusal = reply.refusal === undefined ? {} : { 'Boxgate-Error': reply.refusal };
    response.writeHead(reply.status, { 'Content-Type': 'application/json', ...refusal });
    response.end(JSON.stringify(reply.body));
  }
  return box;
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function usualReply(box: StubBox, endpoint: string, body: unknown): Reply {
  const name = (body as { name?: string } | null)?.name ?? '';
  const pathName = decodeURIComponent(/^\S+ \/api\/apps\/([^/]+)\//.exec(endpoint)?.[1] ?? '');
  if (endpoint === 'GET /api/apps') return ok(box.installed.map(withState));
  if (endpoint === 'GET /api/bundled') return ok(box.bundled);
  if (endpoint === 'GET /api/self/update/status') return ok(box.selfUpdate);
  if (endpoint === 'POST /api/self/update/check') {
    return ok({ current: box.version, latest: '1.1.0', update_available: box.version !== '1.1.0' });
  }
  if (endpoint === 'POST /api/self/update/apply') {
    return { status: 202, body: { status: 'dispatched', unit: 'boxgate-update.service' } };
  }
  if (endpoint === 'POST /api/apps/install') return install(box, name);
  if (endpoint === 'POST /api/apps/remove') return remove(box, name);
  if (endpoint.startsWith('GET ') && endpoint.endsWith('/settings')) return settingsView(box, pathName);
  if (endpoint.endsWith('/settings')) return ok({ updated: pathName, actions: [started(pathName)] });
  if (endpoint.endsWith('/update')) return update(box, pathName);
  return { status: 404, body: { error: 'not found' } };
}

const ok = (body: unknown): Reply => ({ status: 200, body });

const started = (app: string): Schemas['Action'] => ({
  kind: 'start',
  target: `${app}/web`,
  detail: 'It did not run.',
});

function withState(app: Installed): Installed {
  const ports = 'error' in app ? [] : app.ports.flatMap((port) => (typeof port === 'number' ? [port] : []));
  return {
    state: 'running',
    state_detail: 'Running since 2026-11-21 10:32 UTC.',
    published: ports,
    open_ports: ports.map((port) => ({ port, label: '' })),
    available_version: null,
    ...app,
  };
}

function install(box: StubBox, name: string): Reply {
  const found = box.bundled.find((app) => app.name === name);
  if (found) {
    box.bundled = box.bundled.filter((app) => app !== found);
    box.installed = [...box.installed.filter((app) => app.name !== name), { ...found, ok: true }];
  }
  return ok({ installed: `/var/lib/boxgate/apps/${name}`, actions: [started(name)] });
}

/** Like the box, updates to the catalogue's newer version if there is one. */
function update(box: StubBox, name: string): Reply {
  const found = box.installed.find((app) => app.name === name);
  const newer = found?.available_version;
  if (!found || 'error' in found || !newer) return ok({ app: name, updated: false, services: [] });
  const upgraded = { ...found, version: newer, available_version: null };
  box.installed = box.installed.map((app) => (app === found ? upgraded : app));
  const services = [{ service: 'web', from: 'sha256:1', to: 'sha256:2', tag: newer }];
  return ok({ app: name, updated: true, services, from_version: found.version, to_version: newer, kept: [] });
}

function remove(box: StubBox, name: string): Reply {
  const found = box.installed.find((app) => app.name === name);
  if (!found) return { status: 404, body: { error: `app not installed: ${name}` } };
  box.installed = box.installed.filter((app) => app !== found);
  if (!('error' in found)) {
    const { ok: _, ...summary } = found;
    box.bundled = [...box.bundled, summary];
  }
  return ok({ removed: name, compose_warning: null });
}

function settingsView(box: StubBox, name: string): Reply {
  const installed = box.installed.find((app) => app.name === name);
  const app = installed && !('error' in installed) ? installed : box.bundled.find((each) => each.name === name);
  if (!app) return { status: 404, body: { error: `app not found: ${name}` } };
  return ok({
    name,
    display_name: app.display_name,
    description: app.description,
    description_long: app.description_long,
    installed: installed !== undefined,
    settings: box.settings[name] ?? [],
  });
}

/** An app for a test, as the lists show it. */
export function stubApp(name: string, more: Partial<Schemas['AppSummary']> = {}): Schemas['AppSummary'] {
  return {
    name,
    display_name: name,
    version: '1.0',
    description: `What ${name} is for`,
    description_long: '',
    ports: [],
    icon: '',
    icon_svg: null,
    has_settings: false,
    ...more,
  };
}

/** A setting for a test, as the settings view shows it. */
export function stubSetting(name: string, more: Partial<Setting> = {}): Setting {
  return { name, label: name, description: '', type: 'text', required: false, default: null, value: '', ...more };
}
