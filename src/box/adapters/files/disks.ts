import { readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { linkTarget } from '../../../lib/files/storage.ts';
import { isJsonObject } from '../../../lib/json.ts';
import type { DiskMemory } from '../../engine/ports.ts';
import { type Disks, hasData, isWithin, type Mount, mayHang, mountOf, parseMounts } from '../../engine/rules/mounts.ts';
import { makeAppsFile } from './apps-file.ts';

const largestBytes = 16 * 1024 * 1024;
const mostLinks = 40;

type System = { mounts: string; udev: string; devices: string };
const system: System = { mounts: '/proc/self/mountinfo', udev: '/run/udev/data', devices: '/sys/class/block' };

/** `disks.json`, and the mounts of this machine. */
export function makeDiskMemory(stateDirectory: string, { mounts: mountsFile, udev, devices } = system): DiskMemory {
  const file = makeAppsFile(stateDirectory, 'disks.json', { largestBytes, isValid: isDisks });
  return {
    of: (app) => file.load().get(app) ?? {},
    async remember(disks) {
      const before = file.load();
      const changed = [...disks].filter(([app, one]) => JSON.stringify(before.get(app) ?? {}) !== JSON.stringify(one));
      if (changed.length === 0) return;
      const all = [...new Map([...before, ...changed])];
      await file.save(all.filter(([, one]) => Object.keys(one).length > 0));
    },
    look() {
      const mounts = parseMounts(textOf(mountsFile) ?? '');
      return {
        of(folder) {
          const mount = mountOf(withoutLinks(folder, mounts), mounts);
          return { at: mount?.point ?? '/', uuid: mount === null ? null : uuidOf(mount) };
        },
        below(folder) {
          const real = withoutLinks(folder, mounts);
          const inner = mounts.filter((mount) => mount.point !== real && isWithin(mount.point, real) && hasData(mount));
          return inner.map(({ point }) => folder + point.slice(real.length));
        },
        real: (path) => withoutLinks(path, mounts),
        mountsIn(path) {
          const real = withoutLinks(path, mounts);
          return mounts.map(({ point }) => point).filter((point) => isWithin(point, real));
        },
        isMountPoint: (path) => mounts.some(({ point }) => point === path),
      };
    },
  };

  /** udev knows it also where the service sees no devices. The device of Btrfs has no number of its own. */
  function uuidOf({ source, device }: Mount): string | null {
    if (!source.startsWith('/dev/')) return null;
    const number = device.startsWith('0:') ? textOf(join(devices, basename(source), 'dev'))?.trim() : device;
    return /^E:ID_FS_UUID=(\S+)$/m.exec(textOf(join(udev, `b${number}`)) ?? '')?.[1] ?? null;
  }
}

function isDisks(value: unknown): value is Disks {
  return isJsonObject(value) && Object.values(value).every((one) => isJsonObject(one) && typeof one.at === 'string');
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

/**
 * Follows the links in a path as far as it exists. Does not look into a file system of another machine, which may not
 * answer.
 */
function withoutLinks(path: string, mounts: readonly Mount[]): string {
  const left = path.split('/').filter((name) => name !== '');
  let links = 0;
  let reached = '/';
  while (left.length > 0) {
    const mount = mountOf(reached, mounts);
    if (mount !== null && mayHang(mount)) break;
    const next = join(reached, left.shift() as string);
    const target = linkTarget(next);
    if (target === null) reached = next;
    else if (links++ === mostLinks) break;
    else {
      left.unshift(
        ...resolve(dirname(next), target)
          .split('/')
          .filter((name) => name !== ''),
      );
      reached = '/';
    }
  }
  return join(reached, ...left);
}
