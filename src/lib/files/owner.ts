import { accessSync, fchownSync, fstatSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';

/**
 * If root has the file open, gives it to the owner of `like`, whose service could not open it otherwise. A file with a
 * hard link may belong to another user, so its owner is not changed. Has no effect where root may not change owners, as
 * in a container or unit without that capability, or in a folder of another machine.
 */
export function giveToOwner(descriptor: number, like: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(like);
  const file = fstatSync(descriptor);
  if ((file.uid === uid && file.gid === gid) || file.nlink !== 1) return;
  try {
    fchownSync(descriptor, uid, gid);
  } catch {
    // The service reports a file that it cannot open.
  }
}

/**
 * Throws if this user may not open the path, with its owner, its mode and a remedy. An absent path is no error.
 * @param mode - of `fs.constants`: `R_OK`, `W_OK`
 */
export function requireAccess(path: string, mode: number): void {
  try {
    accessSync(path, mode);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EACCES' || code === 'EPERM') throw new Error(problemOf(path), { cause: error });
    if (code !== 'ENOENT') throw error;
  }
}

function problemOf(path: string): string {
  const folder = dirname(path);
  const [found, around] = [path, folder].map((one) => statOrNull(one));
  if (!found) return `permission denied for ${userName()} in ${folder}: run this as root`;
  const { uid, mode } = found;
  const what = `${path} belongs to ${uid === 0 ? 'root' : `user ${uid}`} and has mode ${(mode & 0o7777).toString(8)}, so ${userName()} cannot open it`;
  const own = process.getuid?.();
  if (uid === own) return `${what}: chmod u+rw ${path}`;
  return around?.uid === own ? `${what}: as root, chown --reference=${folder} ${path}` : `${what}: run this as root`;
}

function statOrNull(path: string) {
  try {
    return statSync(path);
  } catch {
    return null;
  }
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.()}`; // A user without an entry in /etc/passwd, as in containers.
  }
}
