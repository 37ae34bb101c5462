import { isJsonObject, parseJson } from '../../../lib/json.ts';
import type { OpenPort } from '../../rules/compose/published-ports.ts';

/** The owner's choice: the domain of the names, and the source of their certificates. */
export type HttpsSetting = {
  domain: string;
  /** `local`: by Caddy's own authority. */
  certificate: { by: 'local' } | DnsCertificate;
  /** The main file of Caddy, absolute. */
  caddyfile: string;
  /** The login that Caddy asks for; `null` for none. */
  login: Login | null;
  /** Whether the ports that names lead to are bound to loopback, and the apps whose ports stay open. */
  closing: { except: string[] } | null;
  /** The name server that the devices ask; those of the machine without one. */
  resolver?: string | null;
};

/** By a name with the bcrypt hash of its password, or by lines of the owner's for Caddy. */
export type Login = ({ name: string; hash: string } | { file: string }) & {
  /** What it protects: the page with the console, the apps, or both. */
  of: LoginPlace;
  /** Apps that it does not protect. */
  except: string[];
};

/** What a login may protect, in words. */
export const loginPlaces = { all: 'the page and the apps', page: 'the page', apps: 'the apps' } as const;
export type LoginPlace = keyof typeof loginPlaces;

/** By an authority that looks for a record, which lego makes at a provider. */
export type DnsCertificate = {
  by: 'dns';
  /** lego's word for it. */
  provider: string;
  email: string;
  /** The authority's address; `null` for the usual one. */
  server: string | null;
  /** The name server at which lego waits for the record; `null`: those of the domain. */
  resolver: string | null;
  /** The file with the variables of the provider, which are secrets. */
  variables: string;
};

/** An installed app, and the port that its name leads to. */
export type NamedApp = {
  name: string;
  state: string;
  ports: readonly OpenPort[];
  /** The addresses of ports that only one address of the machine has. */
  bound?: ReadonlyMap<number, string>;
};

/** `address` is 127.0.0.1 if absent. */
export type Target = { port: number; isHttps: boolean; address?: string };

/** Where a name leads. `down`: the app does not run. `kept`: nobody knows, so its file stays. */
export type Site = { app: string; label: string; target: Target | 'down' | 'kept' };

const hostPattern = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;
const labelPattern = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** Leaves room for the label of an app. */
const longestDomain = 189;

/** Why a text is no domain for the names; `null` if it is one. */
export function domainProblem(text: string): string | null {
  if (/^[a-z]+:\/\//i.test(text) || text.includes('/'))
    return 'write the name alone, without https:// and without a path';
  if (text.startsWith('*.')) return 'write it without "*."; the names of the apps come below it by themselves';
  if (text.endsWith('.')) return 'write it without the dot at its end';
  if (text.length > longestDomain) return `it has more than ${longestDomain} characters`;
  if (!hostPattern.test(text)) return 'expected a name in small letters with a dot, such as box.example.org';
  return null;
}

/** `null` if the text is not one that `setup` wrote. */
export function parseSetting(text: string): HttpsSetting | null {
  const found = parseJson(text);
  if (!isJsonObject(found)) return null;
  const { domain, caddyfile, certificate, login = null } = found;
  if (typeof domain !== 'string' || domainProblem(domain) !== null || typeof caddyfile !== 'string') return null;
  // A login that cannot be read must not become none.
  if (!isCertificate(certificate) || !(login === null || isLogin(login))) return null;
  const resolver = typeof found.resolver === 'string' ? found.resolver : null;
  return { domain, caddyfile, certificate, login, closing: parseClosing(found.closing), resolver };
}

function parseClosing(found: unknown): HttpsSetting['closing'] {
  if (!isJsonObject(found)) return null;
  return { except: Array.isArray(found.except) ? found.except.map(String) : [] };
}

export function isToClose(setting: HttpsSetting | null, app: string): boolean {
  return setting?.closing ? !setting.closing.except.includes(app) : false;
}

function isCertificate(found: unknown): found is HttpsSetting['certificate'] {
  if (!isJsonObject(found)) return false;
  const { by, provider, email, server, resolver, variables } = found;
  const areTexts = [provider, email, variables].every((value) => typeof value === 'string');
  return by === 'local' || (by === 'dns' && areTexts && isTextOrNull(server) && isTextOrNull(resolver));
}

function isLogin(found: unknown): found is Login {
  if (!isJsonObject(found)) return false;
  const { name, hash, file, of, except } = found;
  const isNamed = file === undefined && isLoginName(name) && typeof hash === 'string' && hashPattern.test(hash);
  const isPlace = Object.keys(loginPlaces).some((place) => place === of);
  return isPlace && Array.isArray(except) && (isNamed || typeof file === 'string');
}

const hashPattern = /^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/;

export function isLoginName(text: unknown): text is string {
  return typeof text === 'string' && /^[A-Za-z0-9_.-]{1,64}$/.test(text);
}

function isTextOrNull(value: unknown): boolean {
  return value === null || typeof value === 'string';
}

/**
 * The name of an app below the domain; `null` if its name cannot be one. Only letters, digits and hyphens remain, so
 * that no app can write anything into Caddy's files.
 */
export function hostLabel(app: string): string | null {
  const label = app.toLowerCase().replaceAll(/[ ._]/g, '-');
  return labelPattern.test(label) && !label.startsWith('xn--') ? label : null;
}

/** The installed app that each name belongs to: of two apps for one name, the first. */
export function labelOwners(apps: readonly { name: string }[]): Map<string, string> {
  const owners = new Map<string, string>();
  for (const { name } of apps) {
    const label = hostLabel(name);
    if (label !== null && !owners.has(label)) owners.set(label, name);
  }
  return owners;
}

/** @param present - the names that have a file now */
export function sitesOf(apps: readonly NamedApp[], present: ReadonlySet<string>): Site[] {
  const owners = labelOwners(apps);
  return apps.flatMap(({ name: app, state, ports: [port], bound }): Site[] => {
    const label = hostLabel(app);
    if (label === null || owners.get(label) !== app) return [];
    if (port !== undefined) {
      const address = bound?.get(port.port);
      const target = { port: port.port, isHttps: /\bhttps\b/i.test(port.label) };
      return [{ app, label, target: address === undefined ? target : { ...target, address } }];
    }
    // An app without a page for a browser has no name. One that is only stopped keeps it.
    if (!present.has(label) || state === 'running') return [];
    return [{ app, label, target: state === 'unknown' ? 'kept' : 'down' }];
  });
}
