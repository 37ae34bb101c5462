import { lstat, readdir, readlink, rename, rm, stat, statfs, symlink, unlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import valid from 'semver/functions/valid.js';
import { readTextIfThere } from '../../lib/files/read-file.ts';
import { isAbsent, onStorage } from '../../lib/files/storage.ts';
import { syncDirectory } from '../../lib/files/write-file.ts';
import { isJsonObject, parseJson } from '../../lib/json.ts';
import { CommandFailed, runCommand } from '../../lib/process/run-command.ts';
import type { SoftwareFolder } from '../ports.ts';
import { fail } from '../rules/update-failed.ts';

const largestPackageFile = 1024 * 1024;
const helpTimeoutMs = 60_000;

/**
 * The software folder as install.sh lays it out. `.rollback` is a link to the previous version. It exists from just
 * before a switch until its commit. If it exists while no updater runs, the units restore that version. A switch and a
 * roll-back are one rename each. `.placed` is a link to the new version until its commit, so that root need not believe
 * the state file, which the user of a gateway's service can write.
 * choice/box/365
 */
export function makeSoftwareFolder(softwareDir: string): SoftwareFolder {
  const path = resolve(softwareDir);
  const current = join(path, 'current');
  const before = join(path, '.rollback');
  const coming = join(path, '.current');
  const placed = join(path, '.placed');
  const download = join(path, '.download');
  const staging = join(path, '.staging');
  const onFolder = <T>(doing: string, work: () => Promise<T>) => onStorage(`cannot ${doing} in ${path}`, work);
  const remove = async (entry: string) => {
    await rm(entry, { recursive: true, force: true });
  };
  return {
    path,
    download,
    staging,
    current: () => onFolder('read the current version', () => versionOf(path, current)),
    previous: () => onFolder('read the version before', () => versionOf(path, before)),
    freeBytes: () =>
      onFolder('read the free space', async () => {
        const { bavail, bsize } = await statfs(path);
        return bavail * bsize;
      }),
    checkStaged: (version, command) => checkStaged(staging, version, command),
    place: (version) =>
      onFolder(`put version ${version} into its place`, async () => {
        await remove(placed);
        await remove(join(path, version));
        await symlink(version, placed);
        await rename(staging, join(path, version));
        await syncDirectory(path);
      }),
    switchTo: (version) =>
      onFolder(`make version ${version} the current one`, async () => {
        await remove(before);
        await symlink(await readlink(current), before);
        await syncDirectory(path);
        await remove(coming);
        await symlink(version, coming);
        await rename(coming, current);
        await syncDirectory(path);
      }),
    rollBack: () =>
      onFolder('make the version before the current one', async () => {
        await rename(before, current);
        await syncDirectory(path);
      }),
    commit: () =>
      onFolder('keep the new version', async () => {
        await unlink(before);
        await remove(placed);
        await syncDirectory(path);
      }),
    clear: () =>
      onFolder('remove the files of an update', async () => {
        for (const entry of [download, staging, coming]) await remove(entry);
      }),
    discard: () =>
      onFolder('remove an uncommitted version', async () => {
        const version = await versionOf(path, placed);
        if (version !== null && version !== (await versionOf(path, current))) await remove(join(path, version));
        await remove(placed);
      }),
    prune: (kept) =>
      onFolder('remove old versions', async () => {
        for (const name of await versionsIn(path)) {
          if (!kept.includes(name)) await remove(join(path, name));
        }
      }),
  };
}

/** The names of the directories that contain a version. */
export async function versionsIn(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory() && valid(entry.name) !== null).map(({ name }) => name);
}

/** The version that a link of the folder names; `null` unless it is a link to a directory beside it. */
async function versionOf(folder: string, link: string): Promise<string | null> {
  try {
    if (!(await lstat(link)).isSymbolicLink()) return null;
    const version = await readlink(link);
    if (valid(version) === null) return null;
    return (await stat(join(folder, version))).isDirectory() ? version : null;
  } catch (error) {
    // If links cannot be read, no update has made one. The update then ends with the reason of its first change.
    if (isAbsent(error) || ['EACCES', 'ELOOP'].includes(String((error as NodeJS.ErrnoException).code))) return null;
    throw error;
  }
}

async function checkStaged(staging: string, version: string, command: readonly string[]): Promise<void> {
  const text = readTextIfThere(join(staging, 'package.json'), largestPackageFile);
  const found = parseJson(text ?? '');
  const { name, version: actual } = isJsonObject(found) ? found : {};
  if (name !== 'boxgate' || actual !== version) {
    const what = text === null ? 'no package.json' : `${name} ${actual}`;
    const holds = `the archive of version ${version} holds something else: ${what}`;
    fail(`${holds}; its publisher has to correct the release`);
  }
  try {
    await runCommand([join(staging, 'bin/boxgate'), ...command, '--help'], { timeoutMs: helpTimeoutMs });
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    const said = error.stderrTail.split('\n').at(-1) ?? '';
    const problem = said === '' ? error.message.slice(error.argv.join(' ').length + 2) : said;
    fail(`version ${version} does not run on this machine: ${problem}`, error);
  }
}
