import type { LeftOut, SavedVolume } from './app-facts.ts';

/** A volume as Docker describes it. */
export type Volume = {
  name: string;
  driver: string;
  mountpoint: string;
  labels: Record<string, string>;
  /** It has options, so its data is elsewhere: another folder, a network share or memory. */
  hasOptions: boolean;
};

/** A mount of a container: `source` is the folder on this machine, `name` that of a volume. */
export type Mount = { type: string; source: string; name: string };

/** What an app's manifest says about its backups. */
export type BackupRules = { exclude?: string[]; volumes?: { exclude?: string[] } };

type AppData = {
  directory: string;
  volumes: readonly Volume[];
  mounts: readonly Mount[];
  rules: BackupRules | undefined;
};

const volumeKey = 'com.docker.compose.volume';

/** Divides an app's data into the volumes that a backup copies, and what it leaves out. */
export function planData({ directory, volumes, mounts, rules }: AppData): { saved: SavedVolume[]; leftOut: LeftOut[] } {
  const excluded = new Set(rules?.volumes?.exclude ?? []);
  const saved: SavedVolume[] = [];
  const leftOut: LeftOut[] = [];
  for (const { name, driver, mountpoint: path, labels, hasOptions } of volumes) {
    const key = labels[volumeKey] ?? name;
    const what = `volume ${name}`;
    if (excluded.has(key)) leftOut.push({ what, why: 'its manifest excludes it' });
    else if (driver !== 'local') leftOut.push({ what, why: `its driver is ${driver}` });
    else if (hasOptions) leftOut.push({ what, why: 'its data is outside of Docker' });
    else saved.push({ name, key, path, labels });
  }
  const own = new Set(volumes.map(({ name }) => name));
  for (const { type, source, name } of mounts) {
    if (type === 'volume' && !own.has(name))
      leftOut.push({ what: `volume ${name}`, why: 'it does not belong to the Compose project' });
    if (type === 'bind' && source !== directory && !source.startsWith(`${directory}/`))
      leftOut.push({ what: source, why: "it is outside of the app's directory" });
  }
  return { saved, leftOut: unique(leftOut) };
}

/** What the manifest excludes from the app's directory, as patterns below it. */
export function excludedPaths(
  directory: string,
  rules: BackupRules | undefined,
): { folder: string; pattern: string }[] {
  return (rules?.exclude ?? []).map((pattern) => ({ folder: directory, pattern: pattern.replace(/^\.?\/+/, '') }));
}

function unique(all: readonly LeftOut[]): LeftOut[] {
  return [...new Map(all.map((one) => [one.what, one])).values()];
}
