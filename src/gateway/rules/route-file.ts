import type { PublishedBox, Route } from '../ports.ts';
import { hostOf } from './route-view.ts';

/** The name of a box's route file. choice/gateway/90 */
export function routeFileName(boxId: string): string {
  return `boxgate-${boxId}.yml`;
}

/** The box whose route file has that name; undefined: it is no route file. */
export function boxIdOfRouteFile(name: string): string | undefined {
  return /^boxgate-(.+)\.yml$/.exec(name)?.[1];
}

/** What is the same in every route file of a gateway. */
export type RouteFileOptions = { domain: string; entrypoint: string; certResolver: string | null };

/**
 * How long the proxy waits for a box. The wait for a connection spans one lost handshake of the tunnel, which WireGuard
 * repeats after 5 s. Requests and answers may last as long as they like: the limit is on the silence between the end of
 * a request and the headers of its answer, and longer than long polling takes. A connection that is not in use is
 * closed soon, so that a box that is switched off costs few requests more than the wait for a connection; servers
 * written for Node close theirs after 5 s, and a request sent at that moment is lost. choice/gateway/230
 */
const timeouts = ['dialTimeout: "8s"', 'responseHeaderTimeout: "120s"', 'idleConnTimeout: "4s"'];

/** As many as the proxy keeps without a transport of its own. */
const idleConnections = 200;

/**
 * The route file of a box: for each route a router and a service of the same name, in the order of the routes, the
 * transport that all of them share, and only what versions 2 and 3 of the proxy both read. The same routes make the
 * same bytes; a box without routes has no text, because the proxy refuses an empty map.
 *
 *     http:
 *       routers:
 *         boxgate-rt_a:
 *           entryPoints: ["websecure"]
 *           rule: "Host(`notes.example.org`)"
 *           service: boxgate-rt_a
 *           tls: {}
 *       services:
 *         boxgate-rt_a:
 *           loadBalancer:
 *             serversTransport: boxgate-box_a
 *             servers:
 *               - url: "http://10.8.0.2:8080"
 *       serversTransports:
 *         boxgate-box_a:
 *           maxIdleConnsPerHost: 200
 *           forwardingTimeouts:
 *             dialTimeout: "8s"
 *
 * choice/gateway/91, choice/gateway/92, choice/gateway/94, choice/gateway/95
 */
export function routeFileText(box: PublishedBox, options: RouteFileOptions): string | null {
  const { address, routes } = box;
  if (routes.length === 0) return null;
  const routers = routes.map((route) => routerText(route, options));
  const transport = `boxgate-${plain(box.boxId)}`;
  const services = routes.map((route) => serviceText(route, plain(address), transport));
  return (
    `http:\n  routers:\n${routers.join('')}  services:\n${services.join('')}` +
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

function routerText(route: Route, { domain, entrypoint, certResolver }: RouteFileOptions): string {
  const name = routerName(route);
  return [
    `    ${name}:`,
    `      entryPoints: ["${plain(entrypoint)}"]`,
    `      rule: "Host(\`${plain(hostOf(route.subdomain, domain))}\`)"`,
    `      service: ${name}`,
    certResolver === null ? '      tls: {}' : `      tls:\n        certResolver: "${plain(certResolver)}"`,
    '',
  ].join('\n');
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

function routerName(route: Route): string {
  return `boxgate-${plain(route.id)}`;
}

/**
 * A value as it is, once it was seen to hold nothing that could end a value or begin a template: no back-tick, quote,
 * line break or brace. Every value was checked where it came in; this is the last door before the proxy.
 * choice/gateway/96
 */
function plain(value: string): string {
  if (!/^[A-Za-z0-9._-]+$/.test(value))
    throw new Error(`${JSON.stringify(value)} cannot fixture in a route file`);
  return value;
}
