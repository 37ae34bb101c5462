import type { PublishedBox, Route } from '../ports.ts';
import { hostOf } from './route-view.ts';

/** The name of a box's route file. choice/gateway/90 */
export function routeFileName(boxId: string): string {
  return `boxgate-${boxId}.yml`;
}

/** The box of a route file; `undefined` if the name is not that of a route file. */
export function boxIdOfRouteFile(name: string): string | undefined {
  return /^boxgate-(.+)\.yml$/.exec(name)?.[1];
}

export type RouteFileOptions = { domain: string; entrypoint: string; certResolver: string | null };

/**
 * How long the proxy waits for a box. `dialTimeout` allows for one lost handshake of WireGuard, which repeats it after
 * 5 s. `responseHeaderTimeout` runs from the end of a request to the headers of its response, and is longer than long
 * polling takes; bodies have no limit. `idleConnTimeout` is short: after a box is switched off, few requests wait on old
 * connections, and Node servers close idle connections after 5 s. choice/gateway/94
 */
const timeouts = ['dialTimeout: "8s"', 'responseHeaderTimeout: "120s"', 'idleConnTimeout: "4s"'];

/**
 * Before every rule of another file that gives no priority: by default that is the length of the rule, so a long one
 * for all hosts would take ours.
 */
export const routePriority = 1000;

/**
 * Paths that every app reads as they are meant. Traefik decodes them before it matches, except `%`, `/`, `;` and the signs
 * that it leaves encoded. Some apps decode, drop or replace other characters: for them `/api/..%2Fadmin`,
 * `/api/.%00./admin` or `/api/..;/admin` is another path than for Traefik. A space or a letter beyond ASCII follows an
 * ASCII character and no dot, so that two dots never meet if an app drops it. Version 2 of the proxy has no such matcher
 * and does not serve the router, so that all paths ask for the login.
 */
const plainPath =
  "PathRegexp(`^([.]?([A-Za-z0-9_~!$&'()*+,=:@/-]|%(2[146-9A-C]|3[AD]|40))[ \\\\p{L}\\\\p{M}\\\\p{Nd}]*)*[.]?$`)";

/** Idle connections that the proxy keeps to each server: Traefik's default. */
const idleConnections = 200;

/**
 * The route file of a box: for each route, in order, a router and a service of the same name, and one transport for all.
 * Routes with access rules have middlewares, and a second router for paths without a login. Uses only fields that versions
 * 2.11 and 3 of the proxy accept. The same routes make the same bytes. `null` for a box without routes, because the
 * proxy rejects an empty map. `route-file.test.ts` shows a file.
 * choice/gateway/90, choice/gateway/94
 */
export function routeFileText(box: PublishedBox, options: RouteFileOptions): string | null {
  const { address, routes } = box;
  if (routes.length === 0) return null;
  const routers = routes.map((route) => routerText(route, options) + openRouterText(route, options));
  const middlewares = routes.map(middlewaresText).join('');
  const transport = `boxgate-${plain(box.boxId)}`;
  const services = routes.map((route) => serviceText(route, plain(address), transport));
  return (
    `http:\n  routers:\n${routers.join('')}  services:\n${services.join('')}` +
    (middlewares === '' ? '' : `  middlewares:\n${middlewares}`) +
    `  serversTransports:\n${transportText(transport)}`
  );
}

function transportText(name: string): string {
  return [
    `    ${name}:`,
    `      maxIdleConnsPerHost: ${idleConnections}`,
    '      forwardingTimeouts:',
    ...timeouts.map((timeout) => `        ${timeout}`),
    '',
  ].join('\n');
}

type RouterParts = { suffix?: string; paths?: string; priority?: number; asks?: boolean };

/** @param paths - what the rule says after the host. @param asks - whether visitors need the login, if there is one */
function routerText(
  route: Route,
  { domain, entrypoint, certResolver }: RouteFileOptions,
  { suffix = '', paths = '', priority = routePriority, asks = true }: RouterParts = {},
): string {
  const name = routerName(route);
  const { login, allow } = route.access ?? {};
  const middlewares = [
    ...(allow === undefined ? [] : [`"${name}-allow"`]),
    ...(login === undefined || !asks ? [] : [`"${name}-login"`]),
  ];
  return [
    `    ${name}${suffix}:`,
    `      entryPoints: ["${plain(entrypoint)}"]`,
    `      rule: "Host(\`${plain(hostOf(route.subdomain, domain))}\`)${paths}"`,
    `      priority: ${priority}`,
    ...(middlewares.length === 0 ? [] : [`      middlewares: [${middlewares.join(', ')}]`]),
    `      service: ${name}`,
    certResolver === null ? '      tls: {}' : `      tls:\n        certResolver: "${plain(certResolver)}"`,
    '',
  ].join('\n');
}

/** The router of the paths without a login; empty without one. */
function openRouterText(route: Route, options: RouteFileOptions): string {
  const { open_paths = [] } = route.access ?? {};
  if (open_paths.length === 0) return '';
  const matchers = open_paths.map((path) =>
    path.endsWith('/*') ? `PathPrefix(\`${harmless(path.slice(0, -1))}\`)` : `Path(\`${harmless(path)}\`)`,
  );
  const paths = ` && (${matchers.join(' || ')}) && ${plainPath}`;
  return routerText(route, options, { suffix: '-open', paths, priority: routePriority + 1, asks: false });
}

/** The middlewares of a route. The app does not get the login's password. */
function middlewaresText(route: Route): string {
  const { login, password_hash: hash = '', allow } = route.access ?? {};
  const name = routerName(route);
  return [
    ...(allow === undefined
      ? []
      : [
          `    ${name}-allow:`,
          '      ipAllowList:',
          `        sourceRange: [${allow.map((network) => `"${harmless(network)}"`).join(', ')}]`,
        ]),
    ...(login === undefined
      ? []
      : [
          `    ${name}-login:`,
          '      basicAuth:',
          '        removeHeader: true',
          `        users: ["${plain(login)}:${harmless(hash)}"]`,
        ]),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

function serviceText(route: Route, address: string, transport: string): string {
  return [
    `    ${routerName(route)}:`,
    '      loadBalancer:',
    `        serversTransport: ${transport}`,
    '        servers:',
    `          - url: "http://${address}:${plain(String(route.port))}"`,
    '',
  ].join('\n');
}

export function routerName(route: Pick<Route, 'id'>): string {
  return `boxgate-${plain(route.id)}`;
}

/**
 * Returns the value unchanged if it has no character that could end a value or begin a template, such as a back-tick, a
 * quote, a line break or a brace. Input is validated elsewhere; this is the last check before the proxy.
 */
function plain(value: string): string {
  return checked(value, /^[A-Za-z0-9._-]+$/);
}

/** Like `plain`, for hashes, networks and paths. */
function harmless(value: string): string {
  return checked(value, /^[A-Za-z0-9._~:/$-]+$/);
}

function checked(value: string, form: RegExp): string {
  if (!form.test(value)) throw new Error(`${JSON.stringify(value)} cannot be in a route file`);
  return value;
}
