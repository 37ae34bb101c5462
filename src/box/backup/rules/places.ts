import type { Container } from '../../engine/rules/container.ts';
import { isWithin } from '../../engine/rules/mounts.ts';
import { excluded, type LeftOut, type SavedVolume, type UsedAt } from './app-facts.ts';

/**
 * The places of an app's data, as Docker and the kernel know them: its directory, its volumes with and without a name,
 * and what its containers mount beside these. Names in the Compose file decide only which volumes have a name.
 */

export type Volume = {
  name: string;
  driver: string;
  mountpoint: string;
  labels: Record<string, string>;
  /** It has options, so its data is elsewhere: another folder, a network share or memory. */
  hasOptions: boolean;
};

export type BackupRules = { exclude?: string[]; volumes?: { exclude?: string[] } };

/** What the kernel knows about paths. */
export type Paths = {
  /** The path without links. */
  real(path: string): string;
  /** The mount points at a path and below it, without links. */
  mountsIn(path: string): readonly string[];
};

export type AppData = {
  directory: string;
  project: string;
  /** The volumes of the project, and all others that its containers mount. */
  volumes: readonly Volume[];
  containers: readonly Pick<Container, 'service' | 'mounts'>[];
  /** The names of the volumes that the Compose files declare; `undefined` if they cannot be read. */
  declared: readonly string[] | undefined;
  rules: BackupRules | undefined;
  paths: Paths;
};

const volumeKey = 'com.docker.compose.volume';
const projectLabel = 'com.docker.compose.project';
/** Docker's own mark of a volume that it made for one container. */
const unnamedLabel = 'com.docker.volume.anonymous';

/** Divides an app's data into the volumes that a backup copies beside the directory, and what it leaves out. */
export function placesOf(data: AppData): { saved: SavedVolume[]; leftOut: LeftOut[] } {
  const saved: SavedVolume[] = [];
  const leftOut: LeftOut[] = [];
  for (const volume of data.volumes) {
    const { name, mountpoint: path, labels } = volume;
    const at = placesOfUnnamed(volume, data);
    const [one] = at;
    const key = one === undefined ? (labels[volumeKey] ?? name) : unnamedKey(one);
    const why = whyLeftOut(volume, key, at, data);
    if (why === null) saved.push({ name, key, path, labels, ...(one === undefined ? {} : { at }) });
    else leftOut.push({ what: one === undefined ? `volume ${name}` : unnamedText(one), why });
  }
  return { saved, leftOut: unique([...leftOut, ...foldersOutside(data)]) };
}

/** A volume without a name, in words: its id tells an owner nothing. */
export function unnamedText({ service, target }: UsedAt): string {
  return `the volume without a name at ${target} of ${service}`;
}

function unnamedKey({ service, target }: UsedAt): string {
  return `unnamed-${service}${target.replaceAll(/[^a-zA-Z0-9]+/g, '-')}`;
}

export function mountedVolumes(containers: readonly Pick<Container, 'mounts'>[]): string[] {
  const mounts = containers.flatMap((one) => one.mounts).filter(({ type, name }) => type === 'volume' && name !== '');
  return [...new Set(mounts.map(({ name }) => name))];
}

/** Where containers mount a volume that no Compose file declares; empty for others. */
export function placesOfUnnamed(
  { name, labels }: Pick<Volume, 'name' | 'labels'>,
  { containers, declared }: Pick<AppData, 'containers' | 'declared'>,
): UsedAt[] {
  const isUnnamed = labels[unnamedLabel] !== undefined || (declared !== undefined && !declared.includes(name));
  if (!isUnnamed) return [];
  return containers.flatMap(({ service, mounts }) => {
    return mounts.filter((mount) => mount.name === name).map(({ target }) => ({ service, target }));
  });
}

/** `null` for a volume that a backup copies. */
function whyLeftOut(volume: Volume, key: string, at: readonly UsedAt[], data: AppData): string | null {
  const { driver, labels, hasOptions, mountpoint } = volume;
  const owner = labels[projectLabel];
  const isOwn = owner === undefined ? at.length > 0 : owner === data.project;
  if (!isOwn) return 'it does not belong to the Compose project';
  if (data.rules?.volumes?.exclude?.includes(key)) return excluded;
  if (driver !== 'local') return `its driver is ${driver}`;
  if (hasOptions) return 'its data is outside of Docker';
  const target = linkTarget(mountpoint, data.paths);
  if (target !== null) return `its folder is a link to ${target}`;
  return isOneOfSeveral(at, data.containers) ? 'each container of the service has its own' : null;
}

/** Nothing tells which container of a service had which volume. */
export function isOneOfSeveral(at: readonly UsedAt[], containers: AppData['containers']): boolean {
  const ofServices = containers.filter(({ service }) => at.some((one) => one.service === service));
  return ofServices.length > new Set(at.map(({ service }) => service)).size;
}

/** Where a link leads; `null` for anything else. Links on the way to it do not count. */
export function linkTarget(path: string, { real }: Paths): string | null {
  const parent = path.slice(0, path.lastIndexOf('/'));
  const plain = `${parent === '' ? '' : real(parent)}${path.slice(parent.length)}`;
  return real(path) === plain ? null : real(path);
}

/** Volumes that no backup copies, because each container of a service has its own. An install names them. */
export function unsavedVolumes({ containers, declared }: Pick<AppData, 'containers' | 'declared'>): UsedAt[] {
  const at = mountedVolumes(containers).map((name) => placesOfUnnamed({ name, labels: {} }, { containers, declared }));
  const lost = at.filter((one) => one.length > 0 && isOneOfSeveral(one, containers)).flat();
  return [...new Map(lost.map((one) => [unnamedText(one), one])).values()];
}

/** The folders and files of the machine that containers mount, and that are not in the app's directory. */
function foldersOutside({ directory, containers, paths: { real } }: AppData): LeftOut[] {
  const own = real(directory);
  return containers
    .flatMap(({ mounts }) => mounts.filter(({ type }) => type === 'bind'))
    .flatMap(({ source, isWritable }): LeftOut[] => {
      const path = real(source);
      if (isWithin(path, own)) return [];
      const mark = isWritable ? {} : { isReadOnly: true as const };
      if (!isWithin(source, directory)) return [{ what: source, why: "it is outside of the app's directory", ...mark }];
      return [{ what: path, why: `${source} is a link to it`, ...mark }];
    });
}

/** If one folder has several mounts, the one that can be written decides. */
function unique(all: readonly LeftOut[]): LeftOut[] {
  const found = new Map<string, LeftOut>();
  for (const one of all) {
    if (found.get(one.what)?.isReadOnly ?? true) found.set(one.what, one);
  }
  return [...found.values()];
}

/**
 * How the content of a folder is exchanged: by a rename, by renames of its entries where a disk is mounted at a volume's
 * folder, or not at all, for this reason. A rename would carry along what is mounted below.
 */
export function howExchanged(folder: string, isVolume: boolean, paths: Paths) {
  const link = linkTarget(folder, paths);
  if (link !== null) return { isMountPoint: false, problem: `it is a link to ${link}` };
  const points = paths.mountsIn(folder);
  const isMountPoint = points.includes(paths.real(folder));
  const [inner] = isVolume ? points.filter((one) => one !== paths.real(folder)) : points;
  return { isMountPoint, problem: inner === undefined ? null : `a disk is mounted at ${inner}` };
}

/** What the manifest excludes from the app's directory, as patterns below it. */
export function excludedPaths(directory: string, rules: BackupRules | undefined) {
  return (rules?.exclude ?? []).map((pattern) => ({ folder: directory, pattern: pattern.replace(/^\.?\/+/, '') }));
}
