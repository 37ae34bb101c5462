import { type Finding, ok, problem } from '../../rules/findings/finding.ts';
import { sizeText } from '../../rules/text/amounts.ts';

/** A disk, and what of boxgate is on it, such as `the apps (/var/lib/boxgate/apps)`. `free` is what programs may use. */
export type DiskSpace = { uses: string[]; free: number; size: number };

const lowShare = 0.1;

export function isLow({ free, size }: DiskSpace): boolean {
  return free < size * lowShare;
}

/** What to tell the owner about disks that are nearly full; `null` if none is. */
export function lowDisksText(disks: readonly DiskSpace[]): string | null {
  const texts = disks.filter(isLow).map(({ uses, free, size }) => {
    const share = Math.floor((free / size) * 100);
    return `the disk of ${uses.join(', ')} has only ${sizeText(free)} of ${sizeText(size)} free (${share} %)`;
  });
  const all = texts.join('; ');
  return all === '' ? null : `${all[0]?.toUpperCase()}${all.slice(1)}.`;
}

export function judgeDisk(disk: DiskSpace): Finding {
  const text = `${sizeText(disk.free)} of ${sizeText(disk.size)} are free for ${disk.uses.join(', ')}`;
  if (!isLow(disk)) return ok('disk', text);
  return problem('disk', `only ${text}: remove what is not needed; boxgate box space shows what apps use`);
}
