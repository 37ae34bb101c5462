import type { NewRoute, PublishedBox, Route } from '../ports.ts';
import { happens, lockOne, type Operation, query, queryOne, sql } from './statement.ts';

/** Counts and inserts under a lock on the box. The unique index decides between two claims of one subdomain. */
export function* insertRoute(
  route: NewRoute,
  limit: number,
): Operation<'inserted' | 'subdomainTaken' | 'limitReached' | 'boxGone'> {
  const box = yield* lockOne<{ accountId: string }>(
    sql`SELECT account_id AS "accountId" FROM boxes WHERE id = ${route.boxId} AND state = 'active'`,
  );
  if (box === null) return 'boxGone';
  if (yield* happens(sql`SELECT 1 FROM routes WHERE subdomain = ${route.subdomain}`)) return 'subdomainTaken';
  const counted = yield* queryOne<{ routes: number }>(
    sql`SELECT COUNT(*) AS routes FROM (SELECT 1 FROM routes WHERE box_id = ${route.boxId} LIMIT ${limit}) AS counted`,
  );
  if (counted === null || counted.routes >= limit) return 'limitReached';
  const inserted = yield* happens(
    sql`INSERT INTO routes (id, box_id, account_id, position, app_name, subdomain, port, access, created_at)
      VALUES (${route.id}, ${route.boxId}, ${box.accountId},
        (SELECT COALESCE(MAX(position), 0) + 1 FROM routes WHERE box_id = ${route.boxId}),
        ${route.appName}, ${route.subdomain}, ${route.port}, ${accessText(route)}, ${route.createdAt})
      ON CONFLICT (subdomain) DO NOTHING RETURNING id`,
  );
  return inserted ? 'inserted' : 'subdomainTaken';
}

export function* replaceAccess(route: NewRoute): Operation<string | null> {
  const replaced = yield* queryOne<{ id: string }>(
    sql`UPDATE routes SET access = ${accessText(route)} WHERE subdomain = ${route.subdomain}
      AND box_id = ${route.boxId} AND app_name = ${route.appName} AND port = ${route.port} RETURNING id`,
  );
  return replaced?.id ?? null;
}

export function* removeRoute(id: string, boxId: string): Operation<string | null> {
  const removed = yield* queryOne<{ subdomain: string }>(
    sql`DELETE FROM routes WHERE id = ${id} AND box_id = ${boxId} RETURNING subdomain`,
  );
  return removed?.subdomain ?? null;
}

const columns = sql`routes.id, routes.box_id AS "boxId", routes.account_id AS "accountId",
  routes.app_name AS "appName", routes.subdomain, routes.port, routes.access`;

type RouteRow = Omit<Route, 'access'> & { access: string | null };

function toRoute({ access, ...row }: RouteRow): Route {
  return { ...row, ...(access === null ? {} : { access: JSON.parse(access) }) };
}

function accessText({ access }: NewRoute): string | null {
  return access === undefined ? null : JSON.stringify(access);
}

export function* routesOfBox(boxId: string): Operation<Route[]> {
  const rows = yield* query<RouteRow>(sql`SELECT ${columns} FROM routes WHERE box_id = ${boxId} ORDER BY position`);
  return rows.map(toRoute);
}

type PublishedRow = RouteRow & { address: string };

/** Selects the routes of the boxes that have an address. Without one they are not published. */
const published = sql`SELECT ${columns}, boxes.address FROM routes
  JOIN boxes ON boxes.id = routes.box_id AND boxes.address IS NOT NULL`;

/** @param rows - of `published`, sorted by box */
function toPublishedBoxes(rows: readonly PublishedRow[]): PublishedBox[] {
  return [...Map.groupBy(rows, ({ boxId }) => boxId)].map(([boxId, own]) => ({
    boxId,
    address: own[0]?.address ?? '',
    routes: own.map(({ address: _, ...row }) => toRoute(row)),
  }));
}

/** The content of a box's route file; `null` if there is no live box of that id, or it has no address or no routes. */
export function* publishedBox(boxId: string): Operation<PublishedBox | null> {
  const rows = yield* query<PublishedRow>(sql`${published} WHERE routes.box_id = ${boxId} ORDER BY routes.position`);
  return toPublishedBoxes(rows)[0] ?? null;
}

const boxesInPortion = 256;

/** The next published boxes, in the order of their ids; empty at the end. */
function* publishedBoxesAfter(boxId: string): Operation<PublishedBox[]> {
  const rows = yield* query<PublishedRow>(
    sql`${published} WHERE routes.box_id IN (
        SELECT DISTINCT routes.box_id FROM routes JOIN boxes ON boxes.id = routes.box_id
        WHERE routes.box_id > ${boxId} AND boxes.address IS NOT NULL ORDER BY routes.box_id LIMIT ${boxesInPortion})
      ORDER BY routes.box_id, routes.position`,
  );
  return toPublishedBoxes(rows);
}

/** Every published box, read in portions. @param read - runs an operation that only reads */
export async function* publishedBoxes(
  read: (operation: Operation<PublishedBox[]>) => Promise<PublishedBox[]>,
): AsyncGenerator<PublishedBox, void> {
  for (let after = ''; ; ) {
    const portion = await read(publishedBoxesAfter(after));
    yield* portion;
    const last = portion.at(-1);
    if (last === undefined) return;
    after = last.boxId;
  }
}
