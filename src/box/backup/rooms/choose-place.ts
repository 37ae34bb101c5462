import { onFault, type Repository } from '../../../restic/ports.ts';
import { refuse } from '../../api/refusals.ts';
import type { AppsBox } from '../../apps/ports.ts';
import { momentText } from '../../rules/text/amounts.ts';
import { isUnfinished } from '../backup-problems.ts';
import { type BackupPlace, hostOf, placeOf, withSecrets } from '../rules/backup-place.ts';
import { addressProblem } from '../rules/host-address.ts';
import type { PlaceKind } from '../rules/place-fields.ts';

type Fields = Readonly<Record<string, string>>;

export const fixedPlace =
  'The place is set in `/etc/boxgate/box.env` (`BOX_BACKUP_REPOSITORY`), which comes first: change it there.';

/** Refuses if the settings file names the place, or something waits for the backups that are at the present one. */
export function refuseFixedPlace({ backup }: AppsBox): void {
  if (backup.place.isFixed) refuse('invalidValues', { reason: fixedPlace });
  if (!isUnfinished(backup)) return;
  refuse('invalidValues', { reason: 'an app waits for its backup at the present place: bring it to an end first' });
}

/**
 * The place that an owner typed. Refuses one that boxgate must not reach: a folder that is on no disk of those that are
 * found, or a host that is this box or tells a machine its secrets.
 */
export async function checkedPlace<Kind extends PlaceKind>(
  { backup }: AppsBox,
  kind: Kind,
  typed: Fields,
): Promise<Extract<BackupPlace, { kind: Kind }>> {
  const found = placeOf(kind, withSecrets(kind, typed, backup.place.chosen()));
  if ('problem' in found) refuse('invalidValues', { reason: found.problem });
  const { place } = found;
  if (place.kind === 'disk') {
    const disks = await backup.placeTools.disks();
    if (!disks.some(({ mount }) => mount === place.mount)) {
      refuse('invalidValues', {
        reason: `no disk for backups is mounted at ${place.mount}: connect it, and look again`,
      });
    }
  }
  await refuseForeignHost(backup, hostOf(place));
  return place as Extract<BackupPlace, { kind: Kind }>;
}

async function refuseForeignHost({ placeTools }: AppsBox['backup'], host: string | null): Promise<void> {
  if (host === null) return;
  const addresses = await placeTools.addresses(host);
  if (addresses.length === 0) refuse('invalidValues', { reason: `no address is known for the server ${host}` });
  for (const address of addresses) {
    const problem = addressProblem(address);
    if (problem !== null) {
      const at = address === host ? '' : ` (${address})`;
      refuse('invalidValues', { reason: `backups cannot go to ${host}${at}: ${problem}` });
    }
  }
}

/** The host key of a server with SSH, and the key of this box, which the owner copies there. Throws ResticFailed. */
export async function askServer(box: AppsBox, typed: Fields) {
  const anyKey = `ssh-ed25519 ${'A'.repeat(16)}`;
  const place = await checkedPlace(box, 'sftp', { ...typed, hostKey: anyKey });
  const { sshKey, hostKey } = box.backup.placeTools;
  const own = await sshKey();
  return { ...place, own, ...(await hostKey(place.host, place.port)) };
}

/**
 * Tries a place, makes the repository there unless it is there, and takes the place. With the key of a repository that
 * is there, that becomes this box's. Returns what was found, as a sentence. Throws ResticFailed or StorageFailed; then
 * everything stays as it was.
 */
export async function choosePlace(box: AppsBox, kind: PlaceKind, typed: Fields): Promise<string> {
  const { backup } = box;
  refuseFixedPlace(box);
  const place = await checkedPlace(box, kind, typed);
  const repository = backup.place.at(place);
  const isOther = onFault(['wrong-key'], () => {
    const text = `there are backups with another key at ${repository.shownAddress}: give their key to use them, or choose another folder for new ones`;
    refuse('backupsFailed', { reason: text });
  });
  const key = typedKey(typed.key ?? '');
  const isMade = key === '' && (await repository.prepare(true).catch(isOther));
  const adopted = key === '' ? [] : await adoptBackups(box, repository, key, typed.setsAside === 'yes');
  const snapshots = await repository.snapshots();
  await takePlace(box, place);
  const found = isMade ? 'It is empty so far.' : `${snapshots.length} backups are there already.`;
  const next = key === '' ? [] : ['What is there can be chosen under Backups, Bring everything back.'];
  return [`Backups go to ${repository.shownAddress} from now on. ${found}`, ...adopted.slice(1), ...next].join('\n');
}

/**
 * Takes over the backups at an address of restic. `chooses`: takes that place too, unless the settings file names it
 * already. Returns what their owner has to know. Throws ResticFailed or StorageFailed.
 */
export async function adoptAt(box: AppsBox, address: string, key: string, chooses = true): Promise<string[]> {
  const { place, repository: present } = box.backup;
  const given = place.at({ kind: 'address', address });
  const isPresent = place.isFixed && given.shownAddress === present.shownAddress;
  const isTaken = chooses && !isPresent;
  if (isTaken) refuseFixedPlace(box);
  const adopted = await adoptBackups(box, isPresent ? present : given, key, false);
  if (isTaken) await takePlace(box, { kind: 'address', address });
  return adopted;
}

function takePlace(box: AppsBox, place: BackupPlace): Promise<void> {
  return box.changes.run(async () => {
    refuseFixedPlace(box);
    await box.backup.place.choose(place);
  });
}

/** A key that was typed; empty for none. */
export function typedKey(typed: string): string {
  const key = typed.trim();
  return /\p{Cc}/u.test(key) ? refuse('invalidBackupKey') : key;
}

/**
 * Makes the backups of another machine, or of this one before it was set up anew, those of this box. Returns what their
 * owner has to know. Throws ResticFailed or StorageFailed.
 * @param setsAside - whether backups of this box with another key may be left where they are
 */
export async function adoptBackups({ backup }: AppsBox, repository: Repository, key: string, setsAside: boolean) {
  const machines = await repository.adopt(key, setsAside);
  // The owner has the key already.
  await backup.runs.change((known) => ({ ...known, isKeyKept: true }));
  return [
    `the backups at ${repository.shownAddress} are those of this box now`,
    ...machines.map(
      ({ host, latest }) =>
        `${host} made some until ${momentText(latest)}; it must not make more, as only one machine may work with a repository`,
    ),
  ];
}
