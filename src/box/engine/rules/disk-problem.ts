import { isWithin } from './mounts.ts';

/** The mount that a folder is on. `uuid` is that of a file system on a disk; `null` if it is unknown. */
export type Disk = { at: string; uuid: string | null };

/** By the path of a folder that an app mounts. */
export type Disks = Readonly<Record<string, Disk>>;

/**
 * Why a folder is not what it was when its app was last started; `null` if it is. Without its own mount it looks like an
 * empty folder, in which an app would begin anew. `isMounted`: something is still mounted where it was.
 */
export function diskProblem(folder: string, before: Disk, now: Disk, isMounted: boolean): string | null {
  if (now.at === before.at) {
    const isSame = before.uuid === null || now.uuid === null || before.uuid === now.uuid;
    return isSame ? null : `another disk than before is mounted at ${before.at}, where its folder ${folder} is`;
  }
  // The owner has put a link to another place.
  if (isMounted || !isWithin(before.at, now.at)) return null;
  return `nothing is mounted at ${before.at}, where the disk with its folder ${folder} was`;
}

/** Mounts that are there on every machine, and hold no data of an app. */
const ofTheSystem = ['/dev', '/proc', '/sys', '/run'];
/** The box's service has its own. */
const temporary = ['/tmp', '/var/tmp'];

/** Whether a mount has to be remembered for an app in this directory. It is there as long as that directory is. */
export function isWorthRemembering({ at }: Disk, directory: string): boolean {
  if (isWithin(directory, at) || temporary.includes(at)) return false;
  return isWithin(at, '/run/media') || !ofTheSystem.some((folder) => isWithin(at, folder));
}
