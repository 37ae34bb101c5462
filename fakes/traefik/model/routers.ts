import type { Configuration } from './configuration.ts';
import { type Guard, guardOf } from './middlewares.ts';
import { parseRule, type Rule } from './rule.ts';
import type { RouterFields } from './shape-of-file.ts';

export type Started = { entryPoints: string[]; certResolvers: string[] };

/** A router with its status. `warning`: some requested entry points do not exist. `disabled`: it is not served. */
export type Router = {
  name: string;
  status: 'enabled' | 'warning' | 'disabled';
  errors: string[];
  entryPoints: string[];
  /** The entry points that serve it. */
  using: string[];
  fields: RouterFields;
  rule: Rule | null;
  /** In the order in which they see a request. */
  guards: Guard[];
  service: Service | null;
};

export type Service = {
  name: string;
  servers: string[];
  passHostHeader: boolean;
  /** Time limits for the connection and for the response headers; 0 is unlimited. */
  dialMs: number;
  headerMs: number;
};

export function routersOf(configuration: Configuration, started: Started): Router[] {
  return Object.entries(configuration.routers)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, fields]) => routerOf(name, fields, configuration, started));
}

function routerOf(name: string, fields: RouterFields, all: Configuration, started: Started): Router {
  const entryPoints = fields.entryPoints?.length ? fields.entryPoints : started.entryPoints;
  const using = entryPoints.filter((each) => started.entryPoints.includes(each));
  const warnings = entryPoints
    .filter((each) => !using.includes(each))
    .map((each) => `entryPoint "${each}" doesn't exist`);
  const errors = using.length === 0 ? ['no valid entryPoint for this router'] : [];
  const attempt = <T>(make: () => T): T | null => {
    try {
      return make();
    } catch (error) {
      // An error disables the router and is reported with it.
      errors.push((error as Error).message);
      return null;
    }
  };
  const guards = attempt(() => guardsOf(fields.middlewares ?? [], all)) ?? [];
  const service = attempt(() => serviceOf(fields.service ?? '', all));
  const rule = attempt(() => parseRule(fields.rule ?? ''));
  const status = errors.length > 0 ? 'disabled' : warnings.length > 0 ? 'warning' : 'enabled';
  return { name, status, errors: [...warnings, ...errors], entryPoints, using, fields, rule, guards, service };
}

function guardsOf(names: string[], { middlewares }: Configuration): Guard[] {
  return names.map(ownName).map((name) => {
    const fields = Object.hasOwn(middlewares, name) ? middlewares[name] : undefined;
    if (fields === undefined) throw new Error(`middleware "${name}@file" does not exist`);
    return guardOf(name, fields);
  });
}

function serviceOf(reference: string, all: Configuration): Service {
  const { services, transports } = all;
  if (reference === '') throw new Error('router has no service and no child routers');
  const name = ownName(reference);
  const fields = Object.hasOwn(services, name) ? services[name] : undefined;
  if (fields === undefined) throw new Error(`the service "${name}@file" does not exist`);
  if (fields.middlewares?.length) throw new Error('middlewares of a service are not served by this fake');
  const { loadBalancer } = fields;
  if (loadBalancer === undefined) {
    const [kind] = Object.keys(fields);
    throw new Error(
      kind === undefined
        ? `the service "${name}@file" does not have any type defined`
        : `${kind} is not served by this fake`,
    );
  }
  const servers = (loadBalancer.servers ?? []).map(({ url = '' }) => serverUrl(url));
  const timeouts = timeoutsOf(loadBalancer.serversTransport ?? '', transports);
  return { name, servers, passHostHeader: loadBalancer.passHostHeader ?? true, ...timeouts };
}

function timeoutsOf(reference: string, transports: Configuration['transports']) {
  const name = ownName(reference);
  const transport = Object.hasOwn(transports, name) ? transports[name] : undefined;
  if (reference !== '' && transport === undefined)
    throw new Error(`getting RoundTripper: servers transport not found ${name}@file`);
  const { dialTimeout = 30_000, responseHeaderTimeout = 0 } = transport?.forwardingTimeouts ?? {};
  return { dialMs: dialTimeout, headerMs: responseHeaderTimeout };
}

/** Removes `@file`; there are no other providers. */
function ownName(reference: string): string {
  return reference.replace(/@file$/, '');
}

/** Accepts every address with a scheme, even with an invalid port. */
function serverUrl(url: string): string {
  if (/^[a-z][a-z0-9+.-]*:/i.test(url) || !url.split('/')[0]?.includes(':')) return url;
  throw new Error(`error parsing server URL ${url}`);
}
