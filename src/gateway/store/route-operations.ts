import type { NewRoute, PublishedBox, Route } from '../ports.ts';
import { happens, lockOne, type Operation, query, queryOne } from './statement.ts';

/** Counts and inserts under a lock on the box. The unique index decides between two claims of one subdomain. */
export function* insertRoute(
  route: NewRoute,
  limit: number,
): Operation<'inserted' | 'subdomainTaken' | 'limitReached' | 'boxGone'> {
  const box = yield* lockOne<{ accountId: string }>(
    `SELECT account_id AS "accountId" FROM boxes WHERE id = $1 AND state = 'active'`,
    route.boxId,
  );
  if (box === null) return 'boxGone';
  if (yield* happens('SELECT 1 FROM routes WHERE subdomain = $1', route.subdomain)) return 'subdomainTaken';
  const counted = yield* queryOne<{ routes: number }>(
    'SELECT COUNT(*) AS routes FROM (SELECT 1 FROM routes WHERE box_id = $1 LIMIT $2) AS counted',
    route.boxId,
    limit,
  );
  if (counted === null || counted.routes >= limit) return 'limitReached';
  const inserted = yield* happens(
    `INSERT INTO routes (id, box_id, account_id, position, app_name, subdomain, port, access, created_at)
      VALUES ($1, $2, $3, (SELECT COALESCE(MAX(position), 0) + 1 FROM routes WHERE box_id = $2), $4, $5, $6, $7, $8)
      ON CONFLICT (subdomain) DO NOTHING RETURNING id`,
    route.id,
    route.boxId,
    box.accountId,
    route.appName,
    route.subdomain,
    route.port,
    accessText(route),
    route.createdAt,
  );
  return inserted ? 'inserted' : 'subdomainTaken';
}

export function* replaceAccess(route: NewRoute): Operation<string | null> {
  const replaced = yield* queryOne<{ id: string }>(
    `UPDATE routes SET access = $1 WHERE subdomain = $2 AND box_id = $3 AND app_name = $4 AND port = $5 RETURNING id`,
    accessText(route),
    route.subdomain,
    route.boxId,
    route.appName,
    route.port,
  );
  return replaced?.id ?? null;
}

export function* removeRoute(id: string, boxId: string): Operation<string | null> {
  const removed = yield* queryOne<{ subdomain: string }>(
    'DELETE FROM routes WHERE id = $1 AND box_id = $2 RETURNING subdomain',
    id,
    boxId,
  );
  return removed?.subdomain ?? null;
}

const columns = `routes.id, routes.box_id AS "boxId", routes.account_id AS "accountId",
  routes.app_name AS "appName", routes.subdomain, routes.port, routes.access`;

type RouteRow = Omit<Route, 'access'> & { access: string | null };

function toRoute({ access, ...row }: RouteRow): Route {
  return { ...row, ...(access === null ? {} : { access: JSON.parse(access) }) };
}

function accessText({ access }: NewRoute): string | null {
  return access === undefined ? null : JSON.stringify(access);
}

export function* routesOfBox(boxId: string): Operation<Route[]> {
  const rows = yield* query<RouteRow>(`SELECT ${columns} FROM routes WHERE box_id = $1 ORDER BY position`, boxId);
  return rows.map(toRoute);
}

type PublishedRow = RouteRow & { address: string };

/** Selects the routes of the boxes that have an address. Without one they are not published. */
const published = `SELECT ${columns}, boxes.address FROM routes
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
  const rows = yield* query<PublishedRow>(`${published} WHERE routes.box_id = $1 ORDER BY routes.position`, boxId);
  return toPublishedBoxes(rows)[0] ?? null;
}

const boxesInPortion = 256;

/** The next published boxes, in the order of their ids; empty at the end. */
function* publishedBoxesAfter(boxId: string): Operation<PublishedBox[]> {
  const rows = yield* query<PublishedRow>(
    `${published} WHERE routes.box_id IN (
        SELECT DISTINCT routes.box_id FROM routes JOIN boxes ON boxes.id = routes.box_id
        WHERE routes.box_id > $1 AND boxes.address IS NOT NULL ORDER BY routes.box_id LIMIT ${boxesInPortion})
      ORDER BY routes.box_id, routes.position`,
    boxId,
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
