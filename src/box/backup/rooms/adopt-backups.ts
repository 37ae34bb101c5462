import type { Repository, Snapshot } from '../../../restic/ports.ts';
import { refuse } from '../../api/refusals.ts';
import type { AppsBox } from '../../apps/ports.ts';
import { momentText } from '../../rules/text/amounts.ts';
import { type Latest, latestBackups, latestOfBox } from '../rules/latest-backup.ts';

/** The backups of what this box lacks. */
export type Missing = { apps: Latest[]; box: Snapshot | null };

/** The latest backup of each app that is neither installed nor was removed, and of the box itself. */
export function missingHere(box: AppsBox, snapshots: readonly Snapshot[]): Missing {
  const apps = [...latestBackups(snapshots, box.now()).values()].filter(
    ({ tags }) => !tags.isRemoved && box.apps.one('installed', tags.app) === null,
  );
  return {
    apps: apps.sort((a, b) => (a.tags.app < b.tags.app ? -1 : 1)),
    box: latestOfBox(snapshots, box.now()),
  };
}

/** A key that was typed; empty for none. */
export function typedKey(typed = ''): string {
  const key = typed.trim();
  return /\p{Cc}/u.test(key) ? refuse('invalidBackupKey') : key;
}

/**
 * Makes the backups of another machine, or of this one before it was set up anew, those of this box. Returns what their
 * owner has to know. Throws ResticFailed or StorageFailed.
 * @param setsAside - whether backups of this box with another key may be left where they are
 */
export async function adoptBackups(
  { runs }: AppsBox['backup'],
  repository: Repository,
  key: string,
  setsAside: boolean,
): Promise<string[]> {
  const machines = await repository.adopt(key, setsAside);
  // The owner has the key already.
  await runs.change((known) => ({ ...known, isKeyKept: true }));
  return [
    `the backups at ${repository.shownAddress} are those of this box now`,
    ...machines.map(
      ({ host, latest }) =>
        `${host} made some until ${momentText(latest)}; it must not make more, as only one machine may work with a repository`,
    ),
  ];
}
