import type { GatewayPorts } from '../ports.ts';
import { coalesce } from '../rules/coalesce.ts';
import { type RouteFileOptions, routeFileText } from '../rules/route-file.ts';

/** Keeps the route files as the store says. */
export type RouteFileSync = {
  /** Settles when the box's file is as the store said after the call. */
  update(boxId: string): Promise<void>;
  /** Takes the box's file away, whatever the store says, until it is restored. */
  withdraw(boxId: string): Promise<void>;
  /** Ends a withdrawal: the file is again as the store says. */
  restore(boxId: string): Promise<void>;
  /** Updates every box, while others go on changing. */
  updateAll(): Promise<void>;
  /** Brings all files in line at a start, when nothing else changes them yet: faster than `updateAll`. */
  syncAll(): Promise<void>;
};

type Ports = Pick<GatewayPorts, 'store' | 'routeFiles' | 'now' | 'pause' | 'warn'>;

/** Looks for files that block the proxy; never rejects. */
type ReportInvalidFiles = () => Promise<void>;

const retryMs = 5000;
const progressMs = 2000;

/**
 * Every file is made from what the store says when its turn comes, one turn of a box at a time: whatever order
 * changes come in, the last turn sees the last of them. A file that could not be written is tried again until it can.
 * A blocked proxy would keep the routes of a removed box, so each turn ends with a look for files that block it. No
 * caller waits for the look.
 * choice/gateway/92, choice/gateway/97, choice/gateway/98
 */
export function makeRouteFileSync(
  ports: Ports,
  options: RouteFileOptions,
  reportInvalidFiles: ReportInvalidFiles,
): RouteFileSync {
  const { store, routeFiles } = ports;
  const turns = new Map<string, { take: () => Promise<void>; waiting: number }>();
  const withdrawn = new Set<string>();

  const write = async (boxId: string) => {
    const box = withdrawn.has(boxId) ? null : await store.publishedBox(boxId);
    await routeFiles.put(boxId, box === null ? null : routeFileText(box, options));
    void reportInvalidFiles();
  };

  const takeTurn = async (boxId: string) => {
    const turn = turns.get(boxId) ?? { take: coalesce(() => write(boxId)), waiting: 0 };
    turns.set(boxId, turn);
    turn.waiting += 1;
    try {
      await turn.take();
    } finally {
      turn.waiting -= 1;
      if (turn.waiting === 0) turns.delete(boxId);
    }
  };

  const update = retrying(takeTurn, ports);

  return {
    update,
    withdraw(boxId) {
      withdrawn.add(boxId);
      return update(boxId);
    },
    restore(boxId) {
      withdrawn.delete(boxId);
      return update(boxId);
    },
    async updateAll() {
      const boxIds = new Set(await routeFiles.list());
      for await (const { boxId } of store.publishedBoxes()) boxIds.add(boxId);
      const crowd = makeCrowd();
      for (const boxId of boxIds) await crowd.add(update(boxId));
      await crowd.end();
    },
    syncAll: () => syncAll(ports, options),
  };
}

/** A call fails where the update fails; the update is tried again all the same, until one of the box has worked. */
function retrying(update: (boxId: string) => Promise<void>, { pause, warn }: Ports) {
  const behind = new Set<string>();
  let isWaiting = false;

  const attempt = async (boxId: string) => {
    try {
      await update(boxId);
      behind.delete(boxId);
    } catch (error) {
      behind.add(boxId);
      if (!isWaiting) retryLater();
      throw error;
    }
  };

  const retryLater = () => {
    isWaiting = true;
    void pause(retryMs).then(async () => {
      for (const boxId of [...behind]) {
        await attempt(boxId).catch((error: Error) => warn(`the route file of ${boxId}: ${error.message}`));
      }
      isWaiting = false;
      if (behind.size > 0) retryLater();
    });
  };

  return attempt;
}

/** Only ids are held in memory, never all routes. */
async function syncAll({ store, routeFiles, now, warn }: Ports, options: RouteFileOptions): Promise<void> {
  const orphans = new Set(await routeFiles.list());
  const total = await store.countPublishedBoxes();
  const crowd = makeCrowd();
  let done = 0;
  let toldAt = now();
  for await (const box of store.publishedBoxes()) {
    orphans.delete(box.boxId);
    await crowd.add(routeFiles.put(box.boxId, routeFileText(box, options)));
    done += 1;
    if (now() - toldAt < progressMs) continue;
    toldAt = now();
    warn(`bringing the route files in line: ${done} of ${total} boxes`);
  }
  for (const boxId of orphans) await crowd.add(routeFiles.put(boxId, null));
  await crowd.end();
}

/** So many files are under way at once: they share the syncs of their directory. */
const crowdSize = 32;

/** Holds a bounded number of promises; the first failure among them is that of the next call. */
function makeCrowd() {
  const underWay = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const check = () => {
    if (failures.length > 0) throw failures[0];
  };
  return {
    async add(work: Promise<void>): Promise<void> {
      const one: Promise<void> = work
        .catch((error) => void failures.push(error))
        .then(() => void underWay.delete(one));
      underWay.add(one);
      if (underWay.size >= crowdSize) await Promise.race(underWay);
      check();
    },
    async end(): Promise<void> {
      await Promise.all(underWay);
      check();
    },
  };
}
