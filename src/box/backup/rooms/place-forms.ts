/** The form of each kind of place. The name of a field begins with its kind, because all forms stand on one page. */
import type { ShownAction } from '../../report.ts';
import type { BackupPlace } from '../rules/backup-place.ts';
import { fieldsOf, type PlaceKind } from '../rules/place-fields.ts';

type Field = NonNullable<ShownAction['fields']>[number];

/** A wrong text is refused with what is expected, unless it is longer than any right one. */
const longestField = 9000;

/**
 * For a place that has backups already, such as those of a box that is lost.
 * @param known - where this box made backups before
 */
export function keyFields(kind: PlaceKind, known: readonly string[], folded?: string): Field[] {
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

/** The most characters of each field, by its name. */
export function formNames(kind: PlaceKind): Record<string, number> {
  const names = [...fieldsOf(kind).map(([name]) => name), 'key', 'setsAside'];
  return Object.fromEntries(names.map((name) => [`${kind}_${name}`, longestField]));
}

/** What was typed, by the names of the place. */
export function typedFields(kind: PlaceKind, fields: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name.slice(kind.length + 1), value]));
}

/** The form with the values of the present place. It never has a secret: an empty field keeps the present one. */
export function placeFields(kind: PlaceKind, present: BackupPlace | null): Field[] {
  const values: Readonly<Record<string, string>> = { ...present };
  return fieldsOf(kind).flatMap(([name, { label, type, isSecret, usual }]): Field[] => {
    if (label === '') return [];
    const isKept = isSecret && present !== null;
    const value = isSecret ? '' : (values[name] ?? usual);
    const shown = { name: `${kind}_${name}`, label: isKept ? `${label} (empty: the present one)` : label, type };
    return [value === '' ? shown : { ...shown, value }];
  });
}
