import type { StoreAddress } from './gateway-settings.ts';
import { type BoxRecord, type Store, StoreFailed, type StoreView } from './ports.ts';
import { peerNameOf } from './rules/ids.ts';
import { shownName } from './rules/shown-name.ts';
import { openStore, viewStore } from './store/open-store.ts';

/** What a command prints, and its exit status. */
export type CommandOutcome = { status: number; text: string };

/** `gateway boxes list`, beside a gateway that runs or not. choice/gateway/107 */
export async function listBoxesCommand(address: StoreAddress): Promise<CommandOutcome> {
  const store = await viewStore(address);
  try {
    return { status: 0, text: (await boxLines(store, Date.now())).join('\n') };
  } finally {
    await store.close();
  }
}

/** `gateway boxes remove ID`. choice/gateway/107 */
export async function removeBoxCommand(address: StoreAddress, id: string): Promise<CommandOutcome> {
  const store = await openForChange(address);
  try {
    return await removeBox(store, id, Date.now());
  } finally {
    await store.close();
  }
}

async function openForChange(address: StoreAddress): Promise<Store> {
  if (address.kind === 'memory')
    throw new StoreFailed('a store in memory is changed by its own gateway only');
  // To open one makes it, for whoever runs the command: the gateway could be kept out of its own store.
  if (address.kind === 'file') await (await viewStore(address)).close();
  try {
    return await openStore(address);
  } catch (error) {
    if (address.kind !== 'file' || !(error instanceof StoreFailed)) throw error;
    throw new StoreFailed(
      `${error.message}; boxes of a file: store are removed while the gateway is stopped`,
    );
  }
}

/** What the operator reads of the boxes: a line each, oldest first. */
export async function boxLines({ listBoxes }: Pick<StoreView, 'listBoxes'>, now: number): Promise<string[]> {
  const boxes = await listBoxes();
  if (boxes.length === 0) return ['there are no boxes'];
  const rows = [
    ['ID', 'NAME', 'ADDRESS', 'ROUTES', 'LAST SEEN'],
    ...boxes.map((box) => [
      box.id,
      shownName(box.name),
      box.address ?? (box.state === 'pending' ? 'pending' : 'lost'),
      String(box.routes),
      lastSeen(box, now),
    ]),
  ];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

function lastSeen({ lastSeenAt }: BoxRecord, now: number): string {
  if (lastSeenAt === null) return 'never';
  const seconds = Math.max(0, Math.round((now - lastSeenAt) / 1000));
  if (seconds < 120) return `${seconds} s ago`;
  if (seconds < 2 * 3600) return `${Math.round(seconds / 60)} min ago`;
  if (seconds < 48 * 3600) return `${Math.round(seconds / 3600)} h ago`;
  return new Date(lastSeenAt).toISOString().slice(0, 10);
}

/** Long enough for every gateway that shares the store to take the route file away first. */
const syncedMs = 5000;

/**
 * Removes a box as a deregistration does: it, its routes and its token are gone from now on. Its peer stands in the
 * ledger, and a gateway that works on the store removes it; its route file as well.
 */
export async function removeBox(
  store: Pick<Store, 'removeBox' | 'syncedElsewhere'>,
  id: string,
  now: number,
): Promise<CommandOutcome> {
  const isRemoved = await store.removeBox(id, now + syncedMs);
  if (!isRemoved) return { status: 1, text: `there is no box ${JSON.stringify(id)}` };
  await store.syncedElsewhere();
  const text = `${id} is removed; a gateway on this store removes its route file and its peer ${peerNameOf(id)}, a stopped one when it starts`;
  return { status: 0, text };
}
