import type { components } from '../api.gen.ts';
import type { Gateway } from '../gateway.ts';
import type { Box, NewRoute, Route } from '../ports.ts';
import { type RefusalName, refuse } from '../refusals.ts';
import { isReserved } from '../rules/reserved-subdomain.ts';
import { accessFault } from '../rules/route-access.ts';
import { hostOf, isHostTooLong, routeView } from '../rules/route-view.ts';
import { newId } from '../tokens.ts';

type RouteList = components['schemas']['RouteList'];

/** Answers of lists that a store keeps and never changes. A frozen answer is also encoded only once. */
const listOf = new WeakMap<readonly Route[], Readonly<RouteList>>();

/** The routes of the box, oldest first. gateway/listRoutes/2-3 */
export async function listRoutes({ store, domain }: Gateway, box: Box): Promise<RouteList> {
  const routes = await store.routesOfBox(box.id);
  const known = listOf.get(routes);
  if (known !== undefined) return known;
  const list = { routes: routes.map((route) => routeView(route, domain)) };
  if (Object.isFrozen(routes)) listOf.set(routes, Object.freeze(list));
  return list;
}

const refusalOf = {
  subdomainTaken: 'subdomainInUse',
  limitReached: 'routeLimitExceeded',
  boxGone: 'invalidBoxToken',
} as const satisfies Record<string, RefusalName>;

/**
 * Publishes a route: inserts the row, then writes the file. If the file cannot be written, removes the row again.
 * gateway/publishRoute/6-8, gateway/rules/3, gateway/states/7-8, choice/gateway/15,
 * choice/gateway/73, choice/gateway/88, choice/gateway/310
 *
 * With access rules, a route that the box already has is kept, with these rules. If the file cannot be written then,
 * the store has the new rules, and the route file sync retries.
 */
export async function publishRoute(
  gateway: Gateway,
  box: Box,
  wanted: Pick<Route, 'appName' | 'subdomain' | 'port' | 'access'>,
): Promise<components['schemas']['PublishedRoute']> {
  const { store, now, domain, routeLimit, reservedSubdomains, routeFileSync } = gateway;
  if (isHostTooLong(wanted.subdomain, domain)) {
    refuse('routeInvalid', { reason: 'subdomain must be so short that the host has at most 253 characters' });
  }
  if (isReserved(wanted.subdomain, reservedSubdomains)) refuse('subdomainReserved');
  const fault = wanted.access === undefined ? null : accessFault(wanted.access);
  if (fault !== null) refuse('routeInvalid', { reason: fault });
  const route: NewRoute = { ...wanted, id: newId('rt'), boxId: box.id, createdAt: now() };
  const id = wanted.access === undefined ? null : await store.replaceAccess(route);
  if (id !== null) {
    await routeFileSync.update(box.id);
    return routeView({ ...route, id, accountId: box.accountId }, domain);
  }
  const outcome = await store.insertRoute(route, routeLimit);
  if (outcome !== 'inserted') refuse(refusalOf[outcome]);
  try {
    await routeFileSync.update(box.id);
  } catch (error) {
    await store.removeRoute(route.id, box.id);
    // The write may have failed after the file was in place. The route file sync retries a failed update.
    await routeFileSync.update(box.id).catch(() => undefined);
    throw error;
  }
  return routeView({ ...route, accountId: box.accountId }, domain);
}

/**
 * Unpublishes a route: removes the row, then updates the file. The row stays removed if the file cannot be written.
 * @param onRemoved - gets the host as soon as the row is removed
 * gateway/unpublishRoute/2-3, gateway/states/9-10, choice/gateway/88
 */
export async function unpublishRoute(
  { store, routeFileSync, domain }: Gateway,
  box: Box,
  id: string,
  onRemoved: (host: string) => void = () => undefined,
): Promise<void> {
  const subdomain = await store.removeRoute(id, box.id);
  if (subdomain === null) refuse('routeNotFound');
  onRemoved(hostOf(subdomain, domain));
  await routeFileSync.update(box.id);
}
