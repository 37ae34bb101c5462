import { userInfo } from 'node:os';
import type { CommandResult } from '../lib/command-result.ts';
import { changeLine } from '../lib/journal.ts';
import { runCommand } from '../lib/process/run-command.ts';
import { shownName, shownText } from '../lib/shown-text.ts';
import { askForRemoval, socketOf } from './adapters/operator-socket.ts';
import { noBox, rememberedMs } from './boxes/boxes.ts';
import type { StoreAddress } from './gateway-settings.ts';
import { type BoxRecord, type Store, StoreFailed, type StoreView } from './ports.ts';
import { contentOf, copyStore } from './store/copy-store.ts';
import { openStore, viewStore } from './store/open-store.ts';

/** `gateway boxes list`. The gateway may be running. choice/gateway/107 */
export async function listBoxesCommand(address: StoreAddress): Promise<CommandResult> {
  const store = await viewStore(address);
  try {
    return { status: 0, text: (await boxLines(store, Date.now())).join('\n') };
  } finally {
    await store.close();
  }
}

/** `gateway boxes remove ID`: a running gateway removes the box from its store in a file. choice/gateway/107 */
export async function removeBoxCommand(address: StoreAddress, id: string): Promise<CommandResult> {
  // Behind `sudo`, the person who called it.
  const by = `by ${process.env.SUDO_USER ?? userInfo().username}, at the command line`;
  const answer = address.kind === 'file' ? await askForRemoval(socketOf(address.path), { id, by }) : null;
  if (answer !== null) return { ...answer, text: shownText(answer.text) };
  const store = await openForChange(address);
  try {
    const beganAt = performance.now();
    const outcome = await removeBox(store, id, Date.now());
    if (outcome.status === 0) {
      const durationMs = performance.now() - beganAt;
      const line = changeLine({ operation: 'remove', subject: id, by, outcome: 'ok', detail: '', durationMs });
      await writeToUnitJournal(line);
    }
    return outcome;
  } finally {
    await store.close();
  }
}

/**
 * Writes a line into the journal of the gateway's unit. The field OBJECT_SYSTEMD_UNIT makes `journalctl -u` show it. Has
 * no effect on a machine without a journal.
 */
async function writeToUnitJournal(line: string): Promise<void> {
  const unit = 'OBJECT_SYSTEMD_UNIT=boxgate-gateway.service';
  const stdin = `MESSAGE=${shownName(line)}\nSYSLOG_IDENTIFIER=boxgate\nPRIORITY=6\n${unit}\n`;
  await runCommand(['logger', '--journald'], { stdin, timeoutMs: 2000 }).catch(() => undefined);
}

async function openForChange(address: StoreAddress): Promise<Store> {
  if (address.kind === 'memory') throw new StoreFailed('a store in memory is changed by its own gateway only');
  // Opening creates a missing store, which would belong to this user and lock the gateway out.
  if (address.kind === 'file') await (await viewStore(address)).close();
  try {
    return await openStore(address);
  } catch (error) {
    if (address.kind !== 'file' || !(error instanceof StoreFailed)) throw error;
    throw new StoreFailed(
      `${error.message} and does not take the removal: stop it first; a gateway takes it once it is ready`,
    );
  }
}

/** A header and a line for each box, oldest first. */
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
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return [...lines, ...sharedNames(boxes)];
}

/** A box that joined again, or a copy of its disk, has the name of the box before. */
function sharedNames(boxes: readonly BoxRecord[]): string[] {
  return [...Map.groupBy(boxes, ({ name }) => name)].flatMap(([name, { length }]) =>
    length === 1
      ? []
      : [`note: ${length} boxes have the name ${shownName(name)}; remove those that are no longer in use`],
  );
}

function lastSeen({ lastSeenAt }: BoxRecord, now: number): string {
  if (lastSeenAt === null) return 'never';
  const seconds = Math.round((now - lastSeenAt) / 1000);
  // A wrong clock has written a time in the future.
  if (seconds < -120) return new Date(lastSeenAt).toISOString().slice(0, 10);
  if (seconds < 120) return `${Math.max(0, seconds)} s ago`;
  if (seconds < 2 * 3600) return `${Math.round(seconds / 60)} min ago`;
  if (seconds < 48 * 3600) return `${Math.round(seconds / 3600)} h ago`;
  return new Date(lastSeenAt).toISOString().slice(0, 10);
}

/** The janitor waits this long, so that every gateway of the store removes the route file before the peer. */
const syncedMs = 5000;

/**
 * Removes a box with its routes and its token, as a deregistration does. A gateway on the store then removes its route
 * file and carries out the pending deletion of its peer.
 */
export async function removeBox(
  store: Pick<Store, 'listBoxes' | 'removeBox' | 'syncedElsewhere'>,
  id: string,
  now: number,
): Promise<CommandResult> {
  const peer = await store.removeBox(id, now + syncedMs, now + rememberedMs);
  if (peer === null) return { status: 1, text: await noBox(store, id) };
  await store.syncedElsewhere();
  const text = `${id} is removed; a gateway on this store removes its route file and its peer ${peer.peerName}, a stopped one when it starts. On the box, \`boxgate tunnel leave\` ends its tunnel, and it may join again`;
  return { status: 0, text };
}

export async function copyStoreCommand(from: StoreAddress, to: StoreAddress): Promise<CommandResult> {
  const { id, counts } = await copyStore(from, to);
  const next =
    'Now set GATEWAY_STORE or GATEWAY_STORE_FILE to the new address and start the gateway. Start none on the old store: it would change the same peers.';
  return { status: 0, text: `copied the store ${id} (${contentOf(counts)}). ${next}` };
}
