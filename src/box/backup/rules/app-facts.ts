import { isJsonObject, parseJson } from '../../../lib/json.ts';

/** Where a container of a service has a volume. */
export type UsedAt = { service: string; target: string };

/** A volume of an app in a snapshot. `key` is its name in the Compose file, `path` the folder of its data. */
export type SavedVolume = {
  name: string;
  key: string;
  path: string;
  labels: Record<string, string>;
  /** Where containers had a volume that no Compose file declares: the next ones have to get it there. */
  at?: UsedAt[];
  /** Containers of other projects that could write into it while the app was stopped. */
  usedBy?: string[];
};

export type SavedImage = { service: string; tag: string; id: string; digests: string[] };

/** Data of an app that a snapshot lacks on purpose, and why. `isReadOnly`: the app cannot change it. */
export type LeftOut = { what: string; why: string; isReadOnly?: true };

/** Why a place is left out that its app can do without, such as thumbnails. */
export const excluded = 'its manifest excludes it';

export type AppFacts = {
  app: string;
  version: string;
  /** The app's directory when the snapshot was made. */
  directory: string;
  project: string;
  images: SavedImage[];
  volumes: SavedVolume[];
  leftOut: LeftOut[];
  /** The record of the app's last install; `null` without one. */
  install: string | null;
  /** The app was not installed: the snapshot has only volumes that were left of it. */
  isWithoutDirectory?: true;
};

/** Raised when the meaning of a field changes. */
const format = 1;

export function factsText(facts: AppFacts): string {
  return `${JSON.stringify({ format, ...facts }, null, 1)}\n`;
}

/** The facts in this text; `null` if it has another form or a later format. */
export function parseFacts(text: string): AppFacts | null {
  const facts = parseJson(text);
  if (!isJsonObject(facts) || facts.format !== format) return null;
  const { app, version, directory, project, images, volumes, leftOut, install, isWithoutDirectory } = facts;
  const isWhole =
    [app, version, directory, project].every(isText) &&
    isAbsolute(directory) &&
    isListOf(images, ({ service, tag, id, digests }) => [service, tag, id].every(isText) && areTexts(digests)) &&
    isListOf(volumes, isSavedVolume) &&
    isListOf(leftOut, ({ what, why }) => isText(what) && isText(why));
  if (!isWhole) return null;
  const found = { app, version, directory, project, images, volumes, leftOut } as Omit<AppFacts, 'install'>;
  const mark = isWithoutDirectory === true ? { isWithoutDirectory: true as const } : {};
  return { ...found, ...mark, install: isText(install) ? install : null };
}

function isSavedVolume({ name, key, path, labels, at = [], usedBy = [] }: Record<string, unknown>): boolean {
  const isNamed = isVolumeName(name) && isText(key) && /^[\w.-]+$/.test(key) && isAbsolute(path);
  const isMarked = isJsonObject(labels) && Object.values(labels).every(isText);
  return (
    isNamed && isMarked && areTexts(usedBy) && isListOf(at, (one) => isText(one.service) && isAbsolute(one.target))
  );
}

function isListOf(value: unknown, isOne: (one: Record<string, unknown>) => boolean): boolean {
  return Array.isArray(value) && value.every((one) => isJsonObject(one) && isOne(one));
}

function areTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** The names that Docker takes; such a name is no option of a command. */
function isVolumeName(name: unknown): boolean {
  return typeof name === 'string' && /^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/.test(name);
}

function isAbsolute(path: unknown): boolean {
  return typeof path === 'string' && path.startsWith('/') && !path.split('/').includes('..');
}
