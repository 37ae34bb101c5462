import type { Snapshot } from '../../../restic/ports.ts';
import { refuse } from '../../api/refusals.ts';
import type { AppsBox } from '../../apps/ports.ts';
import { momentText } from '../../rules/text/amounts.ts';
import { withFacts } from '../fill-folders.ts';
import type { AppFacts } from '../rules/app-facts.ts';
import { nameOf, readFileAddress } from '../rules/file-address.ts';
import { boxTag, readTags } from '../rules/snapshot-tags.ts';
import { orRefuse } from '../told-failure.ts';

/** A file or folder that a backup was made of, in an owner's words. */
type Part = { label: string; path: string };

type OpenBackup = { snapshot: Snapshot; of: string; parts: Part[] };

/** What a backup of an app, or of the box itself, was made of. Refuses any other snapshot. */
export async function openBackup(box: AppsBox, id: string): Promise<OpenBackup> {
  const { snapshot, of } = await findOwn(box, id);
  const tags = readTags(snapshot.tags);
  if (tags === null) return { snapshot, of, parts: snapshot.paths.map((path) => ({ label: path, path })) };
  const { facts } = await orRefuse(withFacts(box, { snapshot, tags }));
  return { snapshot, of, parts: partsOf(facts) };
}

function partsOf({ directory, isWithoutDirectory, volumes }: AppFacts): Part[] {
  const own = isWithoutDirectory ? [] : [{ label: 'Settings and files', path: directory }];
  const data = volumes.map(({ key, path, at: [place] = [] }) => {
    return { label: place === undefined ? `Data: ${key}` : `Data at ${place.target} of ${place.service}`, path };
  });
  return [...own, ...data];
}

async function findOwn({ backup }: Pick<AppsBox, 'backup'>, id: string) {
  const all = await orRefuse(backup.repository.snapshots());
  const [found, other] = all.flatMap((snapshot) => {
    const tags = readTags(snapshot.tags);
    const isKnown = tags !== null || snapshot.tags.includes(boxTag);
    return isKnown && snapshot.id.startsWith(id) ? [{ snapshot, of: tags?.app ?? 'the box itself' }] : [];
  });
  if (found === undefined || other !== undefined) refuse('backupFileGone');
  return found;
}

/** What is at a path of a backup. */
export function lookInto({ backup }: Pick<AppsBox, 'backup'>, { id }: Snapshot, path: string) {
  return orRefuse(backup.repository.look(id, path));
}

/** A file of a backup as it is, or a folder as a tar archive. Everything that can be refused is refused before the first byte. */
export async function downloadFromBackup(box: AppsBox, address: string) {
  const wanted = readFileAddress(address);
  if (wanted === null) refuse('backupFileGone');
  const { snapshot, of } = await findOwn(box, wanted.id);
  const { path } = wanted;
  const { kind } = await lookInto(box, snapshot, path);
  if (kind !== 'file' && kind !== 'folder') refuse('backupFileGone');
  const day = snapshot.time.toISOString().slice(0, 10);
  return {
    name: kind === 'file' ? nameOf(path) : [of, nameOf(path), `${day}.tar`].filter((part) => part !== '').join('-'),
    what: `${path} of ${of}, ${momentText(snapshot.time)}`,
    bytes: (gone: AbortSignal) => box.backup.repository.dump(snapshot.id, path, gone),
  };
}
