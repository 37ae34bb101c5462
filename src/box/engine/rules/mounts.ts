/** The mounts of this machine, as `/proc/self/mountinfo` lists them. */
export type Mount = {
  id: string;
  parent: string;
  /** Its device numbers, such as `8:17`; they may change with every boot. */
  device: string;
  /** The folder of the file system that is mounted. */
  root: string;
  point: string;
  type: string;
  source: string;
};

/**
 * Leaves out folders that are mounted on themselves, which is how systemd restricts a service: they are no other disk,
 * and only the service sees them.
 */
export function parseMounts(text: string): Mount[] {
  const all = text.split('\n').flatMap(parseLine);
  const byId = new Map(all.map((mount) => [mount.id, mount]));
  const others = all.filter((mount) => !isOnItself(mount, byId.get(mount.parent)));
  // Programs see the last of several mounts at one place.
  return [...new Map(others.map((mount) => [mount.point, mount])).values()];
}

function parseLine(line: string): Mount[] {
  const fields = line.split(' ');
  const end = fields.indexOf('-', 6);
  if (end === -1) return [];
  const [id = '', parent = '', device = '', root = '', point = ''] = fields;
  const [type = '', source = ''] = fields.slice(end + 1);
  return [{ id, parent, device, root: decoded(root), point: decoded(point), type, source: decoded(source) }];
}

function isOnItself({ device, root, point }: Mount, parent: Mount | undefined): boolean {
  if (parent === undefined || parent.device !== device || !isWithin(point, parent.point)) return false;
  return root === join(parent.root, point.slice(parent.point.length));
}

/** The mount that a path without links is on. */
export function mountOf(path: string, mounts: readonly Mount[]): Mount | null {
  const covering = mounts.filter(({ point }) => isWithin(path, point));
  return covering.toSorted((a, b) => b.point.length - a.point.length)[0] ?? null;
}

/** Asking such a file system may wait for ever for another machine. */
export function mayHang({ type }: Mount): boolean {
  return /^(?:nfs|cifs|smb|fuse|autofs|9p|ceph|gluster|afs|davfs|lustre|beegfs)/.test(type);
}

/** Whether a mount is a disk or comes from another machine, and not one that the system makes by itself. */
export function hasData(mount: Mount): boolean {
  const isDisk = mount.source.startsWith('/dev/') && !mount.source.startsWith('/dev/loop');
  return isDisk || mount.type === 'zfs' || mayHang(mount);
}

/** Whether a path is a folder or below it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

function join(folder: string, rest: string): string {
  const path = `${folder}/${rest}`.replaceAll(/\/{2,}/g, '/');
  return path === '/' ? path : path.replace(/\/$/, '');
}

function decoded(text: string): string {
  return text.replaceAll(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}

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
