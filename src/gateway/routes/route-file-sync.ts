import { coalesce } from '../../lib/coalesce.ts';
import { mapConcurrently } from '../../lib/map-concurrently.ts';
import type { GatewayPorts } from '../ports.ts';
import { type RouteFileOptions, routeFileText } from '../rules/route-file.ts';

export type RouteFileSync = ReturnType<typeof makeRouteFileSync>;

type Ports = Pick<GatewayPorts, 'store' | 'routeFiles' | 'now' | 'pause' | 'warn'>;

const retryMs = 2000;
const progressMs = 2000;
/** Simultaneous writes, which share syncs of the directory. */
const mostAtOnce = 32;

/**
 * Each write reads the store when it begins, and a box has one write at a time. So the last write has the newest
 * content, whatever the order of the changes. A failed write is repeated until it succeeds. A stopped proxy would still
 * serve the routes of a removed box, so each write starts a search for invalid files, which no caller waits for.
 * @param reportInvalidFiles - never rejects
 * choice/gateway/90, should/gateway/98, choice/gateway/568, choice/gateway/102
 */
export function makeRouteFileSync(ports: Ports, options: RouteFileOptions, reportInvalidFiles: () => Promise<void>) {
  const { store, routeFiles, now, warn } = ports;
  const writes = new Map<string, { take: () => Promise<void>; waiting: number }>();
  const withdrawn = new Set<string>();

  const write = async (boxId: string) => {
    const box = withdrawn.has(boxId) ? null : await store.publishedBox(boxId);
    await routeFiles.put(boxId, box === null ? null : routeFileText(box, options));
    void reportInvalidFiles();
  };

  const writeInTurn = async (boxId: string) => {
    const turn = writes.get(boxId) ?? { take: coalesce(() => write(boxId)), waiting: 0 };
    writes.set(boxId, turn);
    turn.waiting += 1;
    try {
      await turn.take();
    } finally {
      turn.waiting -= 1;
      if (turn.waiting === 0) writes.delete(boxId);
    }
  };

  const update = retrying(writeInTurn, ports);

  return {
    /** Resolves when the box's file matches the store's content at or after the call. */
    update,
    /** Removes the box's file and keeps it removed until `restore`. */
    withdraw(boxId: string): Promise<void> {
      withdrawn.add(boxId);
      return update(boxId);
    },
    /** Ends a withdrawal and updates the file. */
    restore(boxId: string): Promise<void> {
      withdrawn.delete(boxId);
      return update(boxId);
    },
    /** Updates the files of all boxes, and removes those of boxes that are gone. Rejects at the first failure. */
    async updateAll(): Promise<void> {
      const boxIds = new Set(await routeFiles.list());
      for await (const { boxId } of store.publishedBoxes()) boxIds.add(boxId);
      let done = 0;
      let reportedAt = now();
      await mapConcurrently([...boxIds], mostAtOnce, async (boxId) => {
        await update(boxId);
        done += 1;
        if (now() - reportedAt < progressMs) return;
        reportedAt = now();
        warn(`updating the route files: ${done} of ${boxIds.size} boxes`);
      });
      void reportInvalidFiles();
    },
  };
}

/** The first failed update of a box rejects. The update is then retried until an update of that box succeeds. */
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
