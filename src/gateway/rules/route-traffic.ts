import type { Route } from '../ports.ts';
import { routerName } from './route-file.ts';

/** Requests that the proxy has answered, and bytes of visitors and to them, since the proxy's start. */
export type Traffic = { requests: number; received: number; sent: number };

const counted: Readonly<Record<string, keyof Traffic>> = {
  traefik_router_requests_total: 'requests',
  traefik_router_requests_bytes_total: 'received',
  traefik_router_responses_bytes_total: 'sent',
};

/** The sums by router of `traefik_router_requests_total{code="200",method="GET",router="a@file"} 7` and others. */
export function parseTraffic(text: string): Map<string, Traffic> {
  const traffic = new Map<string, Traffic>();
  for (const line of text.split('\n')) {
    const kind = counted[line.slice(0, line.indexOf('{'))];
    const router = /[{,]router="([^"\\]{1,200})"/.exec(line)?.[1];
    const value = Number(line.slice(line.lastIndexOf(' ') + 1));
    if (kind === undefined || router === undefined || !Number.isFinite(value)) continue;
    const sum = traffic.get(router) ?? { requests: 0, received: 0, sent: 0 };
    traffic.set(router, { ...sum, [kind]: sum[kind] + value });
  }
  return traffic;
}

/** The traffic of a route, whose paths without a login have a router of their own; `null` if nobody has asked for it. */
export function trafficOf(route: Pick<Route, 'id'>, traffic: ReadonlyMap<string, Traffic>): Traffic | null {
  const parts = ['', '-open'].flatMap((suffix) => traffic.get(`${routerName(route)}${suffix}@file`) ?? []);
  if (parts.length === 0) return null;
  return parts.reduce((sum, part) => ({
    requests: sum.requests + part.requests,
    received: sum.received + part.received,
    sent: sum.sent + part.sent,
  }));
}
