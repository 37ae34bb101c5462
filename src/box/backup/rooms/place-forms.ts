/** The form of each kind of place. The name of a field begins with its kind, because all forms stand on one page. */
import type { ShownAction } from '../../report.ts';
import { type BackupPlace, usualFolder } from '../rules/backup-place.ts';
import type { PlaceKind } from '../rules/place-fields.ts';

type Field = NonNullable<ShownAction['fields']>[number];

/** By name: the label, the type, and the most characters. */
type Form = Readonly<Record<string, readonly [label: string, type: Field['type'], most: number]>>;

const forms: Readonly<Record<PlaceKind, Form>> = {
  disk: { mount: ['Disk', 'choice', 1024], folder: ['Folder on the disk', 'text', 255] },
  sftp: {
    host: ['Server, such as nas.example.org', 'text', 255],
    port: ['Port', 'number', 5],
    user: ['User', 'text', 128],
    path: ['Folder; without a slash at its start it is below the home of the user', 'text', 255],
    hostKey: ['', 'text', 9000],
  },
  s3: {
    server: ['Server, such as https://s3.example.org', 'url', 255],
    bucket: ['Bucket', 'text', 63],
    path: ['Folder in the bucket (may be empty)', 'text', 255],
    accessKey: ['Access key', 'text', 256],
    secret: ['Secret key', 'password', 256],
  },
  rest: {
    server: ['Server, such as https://nas.example.org:8000', 'url', 255],
    path: ['Folder (may be empty)', 'text', 255],
    user: ['User', 'text', 256],
    password: ['Password', 'password', 256],
  },
};

const secrets = ['accessKey', 'secret', 'password'];
const usual: Readonly<Record<string, string>> = { sftp_port: '22', sftp_path: usualFolder, disk_folder: usualFolder };
const keyForm: Form = {
  key: ['The key of the backups there', 'password', 256],
  setsAside: ['', 'choice', 3],
};

function formOf(kind: PlaceKind): Form {
  return { ...forms[kind], ...keyForm };
}

/**
 * For a place that has backups already, such as those of a box that is lost.
 * @param known - where this box made backups before
 */
export function keyFields(kind: PlaceKind, known: readonly string[], folded?: string): Field[] {
  const [label = '', type = 'password'] = keyForm.key ?? [];
  const fold = folded === undefined ? {} : { folded };
  const key = { name: `${kind}_key`, label, type, ...fold };
  if (known.length === 0) return [key];
  const aside = `Backups of this box at ${known.join(', ')}, if they have another key`;
  const choices = [
    { value: '', text: 'I need them: change nothing' },
    { value: 'yes', text: 'They stay there, and this box uses them no more' },
  ];
  return [key, { name: `${kind}_setsAside`, label: aside, type: 'choice', choices, ...fold }];
}

export function formNames(kind: PlaceKind): Record<string, number> {
  return Object.fromEntries(Object.entries(formOf(kind)).map(([name, [, , most]]) => [`${kind}_${name}`, most]));
}

/** What was typed, by the names of the place. */
export function typedFields(kind: PlaceKind, fields: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name.slice(kind.length + 1), value]));
}

/** The form with the values of the present place. It never has a secret: an empty field keeps the present one. */
export function placeFields(kind: PlaceKind, present: BackupPlace | null): Field[] {
  const values: Readonly<Record<string, string>> = { ...present };
  return Object.entries(forms[kind]).flatMap(([name, [label, type]]): Field[] => {
    if (label === '') return [];
    const isSecret = secrets.includes(name);
    const isKept = isSecret && present !== null;
    const value = isSecret ? undefined : (values[name] ?? usual[`${kind}_${name}`]);
    const shown = { name: `${kind}_${name}`, label: isKept ? `${label} (empty: the present one)` : label, type };
    return [value === undefined ? shown : { ...shown, value }];
  });
}
