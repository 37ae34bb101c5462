import { stat, statfs } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { runCommand } from '../../../lib/process/run-command.ts';
import { shareByKey } from '../../../lib/share-work.ts';
import type { DiskSpace } from '../rules/disk-space.ts';

const answerMs = 2000;
const countMs = 10 * 60_000;

/** A folder, and what it is for. */
type UsedFolder = { use: string; path: string };

/** The disks of folders. A folder that does not exist, or whose file system does not answer, is left out. */
export async function disksOf(
  folders: readonly UsedFolder[],
  { look = lookAt, withinMs = answerMs } = {},
): Promise<DiskSpace[]> {
  const found = await Promise.all(
    folders.map((folder) =>
      Promise.race([share(JSON.stringify(folder), () => look(folder)), pause(withinMs, null, { ref: false })]),
    ),
  );
  const disks = new Map<number, DiskSpace>();
  for (const one of found) {
    if (one === null) continue;
    const known = disks.get(one.device);
    if (known === undefined) disks.set(one.device, { uses: [one.use], free: one.free, size: one.size });
    else known.uses.push(one.use);
  }
  return [...disks.values()];
}

/**
 * Does not look again while an earlier look has no answer: a server of files that is off keeps a thread for each look,
 * and Node has few.
 */
const { share } = shareByKey<Awaited<ReturnType<typeof lookAt>>>();

async function lookAt({ use, path }: UsedFolder) {
  try {
    const { dev: device } = await stat(path);
    const { bavail, bfree, blocks, bsize } = await statfs(path);
    // Blocks that only root may use count neither as free nor as used, as in `df`.
    return { device, use: `${use} (${path})`, free: bavail * bsize, size: (blocks - bfree + bavail) * bsize };
  } catch {
    return null;
  }
}

/** Does not leave the file system of the folder. */
export async function folderBytes(path: string, signal: AbortSignal): Promise<number | null> {
  if (signal.aborted) return null;
  try {
    const { stdout } = await runCommand(['du', '-skx', '--', path], { cwd: '/', timeoutMs: countMs, signal });
    return Number.parseInt(stdout, 10) * 1024;
  } catch {
    return null;
  }
}
