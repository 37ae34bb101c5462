import type { Refused, Visitor } from './model/middlewares.ts';
import type { Router, Service } from './model/routers.ts';
import type { Asked } from './model/rule.ts';

/** A response without a server. */
export type Answer = { status: number; contentType: string; body: string; headers?: Record<string, string> };

export type Decision = { answer: Answer } | { service: Service; server: string; hidesLogin: boolean };

const plain = (status: number, body: string): Answer => ({ status, contentType: 'text/plain; charset=utf-8', body });

export const badGateway = plain(502, 'Bad Gateway');
export const gatewayTimeout = plain(504, 'Gateway Timeout');
const forbidden = plain(403, 'Forbidden');
const notFound = plain(404, '404 page not found\n');

/**
 * Routes a request at a TLS entry point: the matching router with the highest priority, by default the length of its
 * rule. Routers without `tls` never match. Its middlewares see the request first.
 */
export function decide(routers: Router[], entryPoint: string, asked: Asked & Visitor): Decision {
  const [router] = routers
    .filter((each) => each.status !== 'disabled' && each.using.includes(entryPoint))
    .filter((each) => each.fields.tls !== undefined && each.rule?.matches(asked) === true)
    .sort((one, other) => priority(other) - priority(one));
  if (router === undefined || router.service === null) return { answer: notFound };
  for (const guard of router.guards) {
    const refused = guard.refuses(asked);
    if (refused !== null) return { answer: refusal(refused) };
  }
  const [server] = router.service.servers;
  if (server === undefined) return { answer: plain(503, 'no available server\n') };
  return { service: router.service, server, hidesLogin: router.guards.some((guard) => guard.hidesLogin) };
}

function refusal(refused: Refused): Answer {
  if (refused.why === 'address') return forbidden;
  const headers = { 'www-authenticate': `Basic realm="${refused.realm}"` };
  return { ...plain(401, '401 Unauthorized\n'), headers };
}

function priority({ fields }: Router): number {
  return fields.priority || (fields.rule ?? '').length;
}

export type StartedWith = { entryPoints: string[]; readTimeoutMs: number };

/** The API responses about routers and entry points; `null` for an unknown path. */
export function answerApi(
  path: string,
  query: URLSearchParams,
  { routers, version, entryPoints, readTimeoutMs }: StartedWith & { routers: Router[]; version: string },
): unknown {
  const views = routers.map(routerView);
  const status = query.get('status');
  if (path === '/api/version') return { Version: version, Codename: 'fake' };
  if (path === '/api/overview') return { http: { routers: counts(views) }, providers: ['File'] };
  const entryPoint = entryPoints.find((each) => path === `/api/entrypoints/${each}`);
  if (entryPoint !== undefined) {
    const respondingTimeouts = { ...(readTimeoutMs > 0 ? { readTimeout: `${readTimeoutMs / 1000}s` } : {}) };
    return { name: entryPoint, transport: { respondingTimeouts } };
  }
  if (path === '/api/http/routers')
    return views.filter((each) => status === null || each.status === status.toLowerCase());
  const name = /^\/api\/http\/routers\/([^/]+)$/.exec(path)?.[1];
  return views.find((each) => each.name === decodeURIComponent(name ?? '')) ?? null;
}

export type RouterView = {
  name: string;
  provider: 'file';
  status: Router['status'];
  error?: string[];
  entryPoints: string[];
  using?: string[];
  rule?: string;
  service?: string;
  priority: number;
  tls?: { options: string; certResolver?: string };
};

export function routerView(router: Router): RouterView {
  const { fields, errors, using } = router;
  const view: RouterView = {
    name: `${router.name}@file`,
    provider: 'file',
    status: router.status,
    entryPoints: router.entryPoints,
    priority: priority(router),
  };
  if (errors.length > 0) view.error = errors;
  if (using.length > 0) view.using = using;
  if (fields.rule) view.rule = fields.rule;
  if (fields.service) view.service = fields.service;
  if (fields.tls !== undefined) view.tls = { options: 'default', ...fields.tls };
  return view;
}

function counts(views: RouterView[]) {
  const of = (status: Router['status']) => views.filter((each) => each.status === status).length;
  return { total: views.length, warnings: of('warning'), errors: of('disabled') };
}
