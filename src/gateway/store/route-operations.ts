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

/** The content of a box's route file; `null` if there is no live box of that id, or it has no address or no routes. */
export function* publishedBox(boxId: string): Operation<PublishedBox | null> {
  const box = yield* queryOne<{ address: string | null }>(
    `SELECT address FROM boxes WHERE id = $1 AND state = 'active'`,
    boxId,
  );
  return toPublishedBox({ boxId, address: box?.address ?? null, routes: yield* routesOfBox(boxId) });
}

function toPublishedBox({ boxId, address, routes }: RoutedBox): PublishedBox | null {
  return address === null || routes.length === 0 ? null : { boxId, address, routes };
}

const boxesInPortion = 256;

/** A box with routes. Without an address they are not published. */
type RoutedBox = { boxId: string; address: string | null; routes: Route[] };

/** The next boxes with routes, in the order of their ids; empty at the end. */
function* routedBoxesAfter(boxId: string): Operation<RoutedBox[]> {
  const rows = yield* query<RouteRow & { address: string | null }>(
    `SELECT ${columns}, boxes.address FROM
        (SELECT DISTINCT box_id FROM routes WHERE box_id > $1 ORDER BY box_id LIMIT ${boxesInPortion}) AS portion
      JOIN boxes ON boxes.id = portion.box_id JOIN routes ON routes.box_id = portion.box_id
      ORDER BY routes.box_id, routes.position`,
    boxId,
  );
  const boxes: RoutedBox[] = [];
  for (const { address, ...row } of rows) {
    const route = toRoute(row);
    const last = boxes.at(-1);
    if (last?.boxId === route.boxId) last.routes.push(route);
    else boxes.push({ boxId: route.boxId, address, routes: [route] });
  }
  return boxes;
}

export function* countPublishedBoxes(): Operation<number> {
  const row = yield* queryOne<{ boxes: number }>('SELECT COUNT(DISTINCT box_id) AS boxes FROM routes');
  return row?.boxes ?? 0;
}

/** Every published box, read in portions. @param read - runs an operation that only reads */
export async function* publishedBoxes(
  read: (operation: Operation<RoutedBox[]>) => RoutedBox[] | Promise<RoutedBox[]>,
): AsyncGenerator<PublishedBox, void> {
  for (let after = ''; ; ) {
    const portion = await read(routedBoxesAfter(after));
    for (const routed of portion) {
      const box = toPublishedBox(routed);
      if (box !== null) yield box;
    }
    const last = portion.at(-1);
    if (last === undefined) return;
    after = last.boxId;
  }
}
