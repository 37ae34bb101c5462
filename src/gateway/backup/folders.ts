import { lstatSync, readdirSync, statSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { readRegularFile } from '../../lib/files/read-file.ts';
import { lstatIfThere } from '../../lib/files/storage.ts';
import { syncDirectory } from '../../lib/files/write-file.ts';
import { runCommand } from '../../lib/process/run-command.ts';

/** Marks replaced content: the end of a file's name, or the start of the name of a folder with the files. */
export const keptName = '.before-restore';

const incomingName = '.restoring';
const largestFileBytes = 16 * 1024 * 1024;
const copyMs = 10 * 60_000;

/** Runs work with a folder that only this user can open, and removes the folder; also those of commands that were killed. */
export async function inTemporaryFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  await removeAbandoned();
  const folder = await mkdtemp(join(tmpdir(), `boxgate-backup-${process.pid}-`));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The folders have secrets. Their names have the id of the process. */
async function removeAbandoned(): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    const [, pid] = /^boxgate-backup-(\d{1,9})-/.exec(name) ?? [];
    if (pid === undefined || isRunning(Number(pid))) continue;
    const folder = join(tmpdir(), name);
    if (lstatIfThere(folder)?.uid === process.getuid?.()) await rm(folder, { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Leaves only files and folders below a folder that a backup has filled: a link would lead what reads it elsewhere. Nobody
 * but the owner may write them, and none runs as its owner.
 */
export async function keepPlainFiles(folder: string): Promise<void> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (!entry.isFile() && !entry.isDirectory()) await rm(path);
    else await chmod(path, lstatSync(path).mode & 0o755);
    if (entry.isDirectory()) await keepPlainFiles(path);
  }
}

/** Runs `cp`, which unlike Node's own copy keeps owners. */
export async function runCopy(args: readonly string[]): Promise<void> {
  await runCommand(['cp', ...args], { cwd: '/', timeoutMs: copyMs });
}

/** Runs work with the rights of a folder's owner, who could otherwise make root follow a link out of it. */
export async function asOwnerOf<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  const { uid, gid } = statSync(folder);
  if (process.getuid?.() !== 0 || uid === 0) return work();
  const groups = process.getgroups?.() ?? [];
  process.setgroups?.([]);
  process.setegid?.(gid);
  process.seteuid?.(uid);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
    process.setegid?.(0);
    process.setgroups?.(groups);
  }
}

/** The regular files below a folder. Follows no links. Empty if the folder does not exist. */
export function regularFiles(folder: string): { name: string; bytes: Buffer }[] {
  if (lstatIfThere(folder) === null) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap((entry) => {
      const path = join(entry.parentPath, entry.name);
      const bytes = readRegularFile(path, largestFileBytes, 'refused');
      if (bytes.length === largestFileBytes)
        throw new Error(`${path} is too large for a file of settings or routes: move it away`);
      return typeof bytes === 'string' ? [] : [{ name: relative(folder, path), bytes }];
    });
}

/**
 * Replaces the content of a folder, which stays itself: it may be a mount point. The old content is moved into a folder
 * in it, whose path is returned. A replacement that was cut off can be repeated.
 */
export async function replaceContent(folder: string, from: string, now: Date): Promise<string> {
  const incoming = join(folder, incomingName);
  await rm(incoming, { recursive: true, force: true });
  await runCopy(['-a', '--', from, incoming]);
  const kept = join(folder, `${keptName}-${now.toISOString().replaceAll(':', '')}`);
  await mkdir(kept, { mode: 0o700 });
  for (const name of readdirSync(folder)) {
    if (name !== incomingName && !name.startsWith(keptName)) await rename(join(folder, name), join(kept, name));
  }
  for (const name of readdirSync(incoming)) await rename(join(incoming, name), join(folder, name));
  await rm(incoming, { recursive: true });
  await syncDirectory(folder);
  return kept;
}
