import type { AppFolders } from '../core.ts';
import type { ServicePowers } from '../rules/compose/root-powers.ts';

/**
 * Names the powers that make an app as good as root; `null` if it has none. `reads`: the files that Compose reads. A
 * service that may write one of them decides what the next change of the app starts.
 */
export function shownPowers(
  folders: Pick<AppFolders, 'finderOf'>,
  { directory, reads }: { directory: string; reads: readonly string[] },
  found: readonly ServicePowers[],
): string | null {
  const fileAt = folders.finderOf(directory, reads);
  const shown = found.flatMap(({ service, powers, writes }) => {
    const [written] = [...writes].flatMap((place) => fileAt(place) ?? []);
    const all = [...powers, ...(written === undefined ? [] : [`may write its own ${written}`])];
    return all.length === 0 ? [] : [`${service} (${all.join(', ')})`];
  });
  return shown.length === 0 ? null : `as good as root on the box: ${shown.join(', ')}`;
}
