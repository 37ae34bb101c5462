import type { AppsBox } from '../../apps/ports.ts';
import {
  type Action,
  type Field,
  note,
  type Report,
  type Room,
  type Row,
  type Section,
  type ShownAction,
  warning,
} from '../../report.ts';
import { sizeText } from '../../rules/text/amounts.ts';
import type { BackupPlace } from '../rules/backup-place.ts';
import type { FoundDisk } from '../rules/found-disks.ts';
import { fieldsOf, type PlaceKind } from '../rules/place-fields.ts';
import { orRefuse } from '../told-failure.ts';
import { askServer, choosePlace, fixedPlace, refuseFixedPlace } from './choose-place.ts';

/** A server with SSH and its key, before the owner accepts that. */
type Asked = Awaited<ReturnType<typeof askServer>>;

const missingRestic: Row = warning('backups need the package restic; on the box: `sudo apt install restic`');

const usedBefore = 'It has the backups of a lost box';

/** A wrong text is refused with what is expected, unless it is longer than any right one. */
const longestField = 9000;

/** Where backups go: chosen here, and tried before it counts. */
export function placeRoom(box: AppsBox): Room {
  let asked: Asked | null = null;
  const choosing = (kind: PlaceKind): Action => ({
    verb: 'place of backups',
    fields: formNames(kind),
    async run(fields) {
      const text = await orRefuse(choosePlace(box, kind, typedFields(kind, fields)));
      asked = null;
      return { ok: true, text };
    },
  });
  return {
    path: 'place',
    read: () => readPlace(box, asked),
    actions: {
      disk: choosing('disk'),
      sftp: choosing('sftp'),
      s3: choosing('s3'),
      rest: choosing('rest'),
      server: {
        verb: 'key of a backup server',
        fields: formNames('sftp'),
        async run(fields) {
          refuseFixedPlace(box);
          asked = await orRefuse(askServer(box, typedFields('sftp', fields)));
          return { ok: true, text: `${asked.host} has answered. Two steps are left; they stand below its name.` };
        },
      },
      own: {
        verb: 'place of backups',
        fields: {},
        async run() {
          refuseFixedPlace(box);
          await orRefuse(box.changes.run(() => box.backup.place.choose(null)));
          return { ok: true, text: `Backups go to ${box.backup.repository.shownAddress} from now on.` };
        },
      },
    },
  };
}

async function readPlace({ backup }: AppsBox, asked: Asked | null): Promise<Report> {
  const chosen = backup.place.chosen();
  const link = { text: 'Backups', href: '#/backups' };
  const about: Row[] = [
    ...((await backup.repository.isAvailable()) ? [] : [missingRestic]),
    { text: 'Now', facts: [`Backups go to ${backup.repository.shownAddress}.`], link },
  ];
  const title = 'Where backups go';
  if (backup.place.isFixed) return { title, sections: [{ rows: [...about, note(fixedPlace)] }] };
  const words =
    'Another place is tried before it counts. It begins empty, unless it has backups of this box; what is at the present one stays there.';
  const known = backup.repository.known();
  const disks = await backup.placeTools.disks();
  const tried = { label: 'Try it and use it', known };
  const sections = [
    { rows: [...about, note(words)] },
    diskSection(disks, chosen),
    ...(disks.length === 0 ? [] : [usedDiskSection(disks, known)]),
    ...(asked === null ? [] : [serverSection(asked, known)]),
    formSection('sftp', 'A server with SSH (SFTP)', chosen, { act: 'place/server', label: 'Ask the server' }),
    formSection('s3', 'A store with S3', chosen, { act: 'place/s3', ...tried }),
    formSection('rest', 'A REST server of restic', chosen, { act: 'place/rest', ...tried }),
    ...(chosen === null ? [] : [ownSection]),
  ];
  return { title, sections };
}

function diskSection(disks: readonly FoundDisk[], chosen: BackupPlace | null): Section {
  const rows = disks.map(({ mount, free, size }): Row => {
    const isPresent = chosen?.kind === 'disk' && chosen.mount === mount;
    const given = { disk_mount: mount };
    const act = { act: 'place/disk', given, label: 'Use this disk', about: mount, doing: 'Trying the disk' };
    const facts = [`${sizeText(free)} of ${sizeText(size)} are free.`, ...(isPresent ? ['Backups go there.'] : [])];
    return { text: mount, facts, actions: isPresent ? [] : [{ ...act, kind: 'primary' }] };
  });
  const none = note(
    'No disk was found beside those of the system and the apps. One that is connected and mounted appears here.',
  );
  return { title: 'A disk of this box', rows: rows.length === 0 ? [none] : rows };
}

function usedDiskSection(disks: readonly FoundDisk[], known: readonly string[]): Section {
  const choices = disks.map(({ mount }) => ({ value: mount, text: mount }));
  const own = placeFields('disk', null).map((field) => (field.type === 'choice' ? { ...field, choices } : field));
  const fields = [...own, ...keyFields('disk', known)];
  const action = { act: 'place/disk', label: 'Use these backups', about: 'of a disk', doing: 'Looking at the disk' };
  const actions: ShownAction[] = [{ ...action, kind: 'primary', fields }];
  return { title: 'A disk with the backups of a lost box', rows: [], is_folded: true, actions };
}

function formSection(
  kind: PlaceKind,
  title: string,
  chosen: BackupPlace | null,
  { known, ...action }: { act: string; label: string; known?: readonly string[] },
): Section {
  const isPresent = chosen?.kind === kind;
  const fields = placeFields(kind, isPresent ? chosen : null);
  if (known !== undefined) fields.push(...keyFields(kind, known, usedBefore));
  const tried: ShownAction = { ...action, about: title, kind: 'primary', doing: 'Trying the place', fields };
  return { title, rows: [], is_folded: !isPresent, actions: [tried] };
}

/** What is left to do after the server has answered: its owner lets this box in, and looks at its key. */
function serverSection(asked: Asked, known: readonly string[]): Section {
  const { host, port, user, path, hostKey, own, fingerprint } = asked;
  const [kind = ''] = hostKey.split(' ');
  const given = Object.entries({ host, port, user, path, hostKey }).map(([name, value]) => [`sftp_${name}`, value]);
  const command = `ssh-keygen -lf /etc/ssh/ssh_host_${kind.includes('25519') ? 'ed25519' : kind.includes('rsa') ? 'rsa' : 'ecdsa'}_key.pub`;
  return {
    title: `The server ${host}`,
    rows: [
      { text: `1. Let this box in: add this line to the keys of ${user} there`, folded: own, file: 'boxgate.pub' },
      note(
        'It belongs into the file `.ssh/authorized_keys` of that user, or into the field for SSH keys of the provider.',
      ),
      {
        text: '2. Compare the fingerprint of the server',
        facts: [`${kind} ${fingerprint}`, `On the server \`${command}\` prints it; providers have it on their pages.`],
      },
    ],
    actions: [
      {
        ...{ act: 'place/sftp', label: 'It is the same: use this server', about: host, kind: 'primary' },
        doing: 'Trying the server',
        given: Object.fromEntries(given),
        fields: keyFields('sftp', known, usedBefore),
      },
    ],
  };
}

const ownSection: Section = {
  title: 'The disk of this box',
  rows: [note('Backups on the disk of the box do not survive that disk.')],
  is_folded: true,
  actions: [{ act: 'place/own', label: 'Use the disk of this box again', kind: 'quiet', doing: 'Changing the place' }],
};

/** For a place that has backups already. `known`: where this box made backups before. */
function keyFields(kind: PlaceKind, known: readonly string[], folded?: string): Field[] {
  const fold = folded === undefined ? {} : { folded };
  const key: Field = { name: `${kind}_key`, label: 'The key of the backups there', type: 'password', ...fold };
  if (known.length === 0) return [key];
  const aside = `Backups of this box at ${known.join(', ')}, if they have another key`;
  const choices = [
    { value: '', text: 'I need them: change nothing' },
    { value: 'yes', text: 'They stay there, and this box uses them no more' },
  ];
  return [key, { name: `${kind}_setsAside`, label: aside, type: 'choice', choices, ...fold }];
}

/** The most characters of each field. The names begin with the kind, because one page has all forms. */
function formNames(kind: PlaceKind): Record<string, number> {
  const names = [...fieldsOf(kind).map(([name]) => name), 'key', 'setsAside'];
  return Object.fromEntries(names.map((name) => [`${kind}_${name}`, longestField]));
}

/** What was typed, by the names of the place. */
function typedFields(kind: PlaceKind, fields: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name.slice(kind.length + 1), value]));
}

/** The form with the values of the present place. It never has a secret: an empty field keeps the present one. */
function placeFields(kind: PlaceKind, present: BackupPlace | null): Field[] {
  const values: Readonly<Record<string, string>> = { ...present };
  return fieldsOf(kind).flatMap(([name, { label, type, isSecret, usual }]): Field[] => {
    if (label === '') return [];
    const isKept = isSecret && present !== null;
    const value = isSecret ? '' : (values[name] ?? usual);
    const shown = { name: `${kind}_${name}`, label: isKept ? `${label} (empty: the present one)` : label, type };
    return [value === '' ? shown : { ...shown, value }];
  });
}
