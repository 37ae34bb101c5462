import { shownName } from '../../../lib/shown-text.ts';
import { onFault, type SnapshotEntry } from '../../../restic/ports.ts';
import { refuse } from '../../api/refusals.ts';
import { titlesOf } from '../../app-files/catalogue.ts';
import type { AppsBox } from '../../apps/ports.ts';
import { note, type Report, type Room, type Row } from '../../report.ts';
import { momentText, sizeText } from '../../rules/text/amounts.ts';
import { factsOf, findSnapshot } from '../fill-folders.ts';
import { type FileAddress, fileAddress, folderOf, nameOf, readFileAddress } from '../rules/file-address.ts';
import { orRefuse } from '../told-failure.ts';

/** How many entries are shown at first. */
const most = 200;

/** The files of a backup: what it was made of, or one of its folders. */
export function filesRoom(box: AppsBox): Room {
  return {
    path: 'backup-files/',
    group: 'backups',
    waiting: 'Reading the backup…',
    async read(of) {
      const address = readFileAddress(of) ?? { id: of, path: '/' };
      const found = await findOwn(box, address.id);
      const parts = await partsOf(box, found);
      const { snapshot, of: owner } = found;
      const { shortId: id, time } = snapshot;
      const title = `Files of ${shownName(titlesOf(box).get(owner) ?? owner)}`;
      const about = note(`The backup of ${momentText(time)}.`);
      const { path } = address;
      if (path === '/') {
        const rows = parts.map((part) => ({ text: part.label, href: roomAt({ id, path: part.path }) }));
        return report(title, [about, downloadRow('Download all files', { id, path: '/' })], rows);
      }
      const { kind, entries, isCut } = await orRefuse(box.backup.repository.look(snapshot.id, path));
      const part = parts.find((one) => one.path === path || path.startsWith(`${one.path}/`));
      const inside = part === undefined ? path : `${part.label}${path.slice(part.path.length)}`;
      const up = part === undefined || part.path === path ? '/' : folderOf(path);
      const place: Row = {
        is: 'text',
        text: shownName(inside),
        link: { text: 'Back', href: roomAt({ id, path: up }) },
      };
      const isFolder = kind === 'folder';
      const whole = downloadRow(isFolder ? 'Download this folder' : 'Download this file', { id, path });
      const rows = sorted(entries).map((entry) => entryRow(entry, { id, path }));
      const left = isCut ? [note('The folder has more than these; download it to get all.')] : [];
      const empty = isFolder && rows.length === 0 ? [note('The folder is empty.')] : [];
      return report(title, [about, place, whole, ...empty, ...left], rows);
    },
  };
}

function report(title: string, about: Row[], rows: Row[]): Report {
  return { title, sections: [{ rows: about }, { rows, most }] };
}

function roomAt(address: FileAddress): string {
  return `#/backup-files/${fileAddress(address)}`;
}

function downloadAt(address: FileAddress): string {
  return `/settings/api/backup-files/${fileAddress(address)}`;
}

function downloadRow(text: string, address: FileAddress): Row {
  return { is: 'text', text, href: downloadAt(address) };
}

/** Folders first. */
function sorted(entries: readonly SnapshotEntry[]): SnapshotEntry[] {
  const isOther = ({ kind }: SnapshotEntry) => (kind === 'folder' ? 0 : 1);
  return entries.toSorted((a, b) => isOther(a) - isOther(b));
}

function entryRow({ name, kind, bytes, changedAt }: SnapshotEntry, { id, path }: FileAddress): Row {
  const address = { id, path: `${path}/${name}` };
  const text = shownName(name);
  // Restic gives bytes that are no text as this character, so the file has another path.
  if (name.includes('\ufffd')) return { text, facts: ['Its name is no text: download the folder to get it.'] };
  if (kind === 'folder') return { text: `${text}/`, href: roomAt(address) };
  if (kind !== 'file') return { text, facts: [kind === 'link' ? 'A link.' : 'No file: it has no content.'] };
  const changed = Number.isNaN(changedAt.getTime()) ? '' : `, changed ${momentText(changedAt)}`;
  return { text, href: downloadAt(address), facts: [`${sizeText(bytes)}${changed}`] };
}

/** The files and folders that a backup was made of, in an owner's words. */
async function partsOf(box: AppsBox, { snapshot, tags }: Awaited<ReturnType<typeof findOwn>>) {
  if (tags === null) return snapshot.paths.map((path) => ({ label: path, path }));
  const { directory, isWithoutDirectory, volumes } = await orRefuse(factsOf(box, snapshot));
  const own = isWithoutDirectory ? [] : [{ label: 'Settings and files', path: directory }];
  const data = volumes.map(({ key, path, at: [place] = [] }) => {
    return { label: place === undefined ? `Data: ${key}` : `Data at ${place.target} of ${place.service}`, path };
  });
  return [...own, ...data];
}

/** Refuses what is no backup of an app or of the box itself. */
async function findOwn(box: AppsBox, id: string) {
  const gone = onFault(['no-snapshot'], () => refuse('backupFileGone'));
  const found = await orRefuse(findSnapshot(box, id).catch(gone));
  return { ...found, of: found.tags?.app ?? 'the box itself' };
}

/** A file of a backup as it is, or a folder as a tar archive. Everything that can be refused is refused before the first byte. */
export async function downloadFromBackup(box: AppsBox, address: string) {
  const wanted = readFileAddress(address);
  if (wanted === null) refuse('backupFileGone');
  const { snapshot, of } = await findOwn(box, wanted.id);
  const { path } = wanted;
  const { kind } = await orRefuse(box.backup.repository.look(snapshot.id, path));
  if (kind !== 'file' && kind !== 'folder') refuse('backupFileGone');
  const day = snapshot.time.toISOString().slice(0, 10);
  return {
    name: kind === 'file' ? nameOf(path) : [of, nameOf(path), `${day}.tar`].filter((part) => part !== '').join('-'),
    what: `${path} of ${of}, ${momentText(snapshot.time)}`,
    bytes: (gone: AbortSignal) => box.backup.repository.dump(snapshot.id, path, gone),
  };
}
