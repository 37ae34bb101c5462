import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { serveCommandOf } from './box.ts';
import { type Server, startServer } from './processes.ts';

/** Folders and variables of one gateway. No row calls the tunnel manager, so it does not exist. */
export type Ground = {
  root: string;
  database: string;
  routes: string;
  environment: Record<string, string>;
  dispose(): void;
};

export function makeGround(): Ground {
  const root = mkdtempSync(join(tmpdir(), 'boxgate-bench-'));
  const [database, routes] = [join(root, 'gateway.db'), join(root, 'routes')];
  mkdirSync(routes);
  return {
    root,
    database,
    routes,
    environment: {
      PATH: process.env.PATH ?? '',
      HOME: root,
      GATEWAY_PORT: '0',
      GATEWAY_STATE_DIR: root,
      GATEWAY_STORE: `file:${database}`,
      GATEWAY_ROUTES_DIR: routes,
      GATEWAY_BOX_TOKEN: 'the registration token of a benchmark',
      GATEWAY_TUNNEL_URL: 'http://127.0.0.1:9',
      GATEWAY_TUNNEL_PASSWORD: 'never used',
      GATEWAY_DOMAIN: 'example.org',
      GATEWAY_ROUTE_LIMIT: '1000',
    },
    dispose: () => rmSync(root, { recursive: true, force: true }),
  };
}

export function startGateway({ environment }: Ground, cores?: string): Promise<Server> {
  return startServer(serveCommandOf('gateway'), environment, cores);
}

/** Starts and stops a gateway, which creates its store. */
export async function makeStore(ground: Ground): Promise<void> {
  const server = await startGateway(ground, '0,1');
  await server.stop();
}

export type Caller = { id: string; token: string };

export type Filling = {
  boxes: number;
  /** Number of boxes whose token is known to the benchmark. */
  callers: number;
  /** The first `boxes` boxes get `each` routes. */
  routes?: { boxes: number; each: number };
};

/** Fills a store by SQL, because registrations would take too long. */
export function fill(path: string, { boxes, callers, routes = { boxes: 0, each: 0 } }: Filling): Caller[] {
  const database = new DatabaseSync(path);
  try {
    database.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -500000; BEGIN');
    if (boxes > 0) database.prepare(insertBoxes).run({ boxes });
    if (routes.each > 0) database.prepare(insertRoutes).run({ boxes: routes.boxes, each: routes.each });
    const known = Array.from({ length: callers }, (_, n) => ({ id: boxId(n), token: newToken() }));
    const give = database.prepare('UPDATE boxes SET token_hash = ? WHERE id = ?');
    for (const { id, token } of known) give.run(createHash('sha256').update(token).digest(), id);
    database.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
    return known;
  } finally {
    database.close();
  }
}

const numbers = (limit: string) =>
  `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${limit})`;

const insertBoxes = `${numbers('$boxes')}
  INSERT INTO boxes (id, account_id, name, peer_name, state, token_hash, peer_id, address, created_at)
  SELECT printf('box_%020d', i), (SELECT account_id FROM store), 'Box ' || i, printf('boxgate-box_%020d', i), 'active',
    randomblob(32), 'peer-' || i, printf('10.%d.%d.%d', i / 65536, i / 256 % 256, i % 256), 1 FROM n`;

const insertRoutes = `${numbers('$boxes * $each')}
  INSERT OR IGNORE INTO routes (id, box_id, account_id, position, app_name, subdomain, port, created_at)
  SELECT printf('rt_%020d', i), printf('box_%020d', i / $each), (SELECT account_id FROM store), i % $each, 'app',
    's' || i, 8000, 1 FROM n`;

export const boxId = (n: number) => `box_${String(n).padStart(20, '0')}`;

/** A valid token: its check characters are the CRC-32 of the random part in base 62. */
export function newToken(): string {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  const random = randomBytes(32).toString('base64url');
  let rest = crc32(random);
  let check = '';
  for (let n = 0; n < 6; n += 1) {
    check = digits.charAt(rest % 62) + check;
    rest = Math.floor(rest / 62);
  }
  return `bgt_${random}${check}`;
}

/**
 * Copies the route file of the first box, which a gateway has written, for all other boxes. That many durable writes
 * would take minutes. Each box has one route.
 */
export function copyRouteFiles({ routes }: Ground, boxes: number): void {
  const sample = readFileSync(join(routes, `boxgate-${boxId(0)}.yml`), 'utf8');
  for (let n = 1; n < boxes; n += 1) {
    const address = `10.${Math.floor(n / 65_536)}.${Math.floor(n / 256) % 256}.${n % 256}`;
    const text = sample
      .replaceAll(boxId(0), boxId(n))
      .replaceAll(`rt_${'0'.repeat(20)}`, `rt_${String(n).padStart(20, '0')}`)
      .replace('`s0.', `\`s${n}.`)
      .replace('10.0.0.0', address);
    writeFileSync(join(routes, `boxgate-${boxId(n)}.yml`), text);
  }
}

export function requestOf(method: string, path: string, { token }: Pick<Caller, 'token'>, body?: unknown): string {
  const text = body === undefined ? '' : JSON.stringify(body);
  const length = body === undefined ? '' : `Content-Length: ${Buffer.byteLength(text)}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n${length}\r\n${text}`;
}

export const heartbeatOf = (caller: Caller) => requestOf('POST', `/v1/boxes/${caller.id}/heartbeat`, caller);
