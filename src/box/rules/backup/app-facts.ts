import { isJsonObject, parseJson } from '../../../lib/json.ts';

/** A volume of an app in a snapshot. `key` is its name in the Compose file, `path` the folder of its data. */
export type SavedVolume = {
  name: string;
  key: string;
  path: string;
  labels: Record<string, string>;
  /** Containers of other projects that could write into it while the app was stopped. */
  usedBy?: string[];
};

export type SavedImage = { service: string; tag: string; id: string; digests: string[] };

/** Data of an app that a snapshot lacks on purpose, and why. */
export type LeftOut = { what: string; why: string };

/** What a snapshot says about its app. */
export type AppFacts = {
  app: string;
  version: string;
  /** The app's directory when the snapshot was made. */
  directory: string;
  project: string;
  images: SavedImage[];
  volumes: SavedVolume[];
  leftOut: LeftOut[];
  /** The record of the app's last install; `null` if there was none. */
  install: string | null;
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
  const { app, version, directory, project, images, volumes, leftOut, install } = facts;
  const areTexts = [app, version, directory, project].every((one) => typeof one === 'string');
  const areLists = [images, volumes, leftOut].every((one) => Array.isArray(one) && one.every(isJsonObject));
  if (!areTexts || !areLists || !isAbsolute(directory)) return null;
  const found = { app, version, directory, project, images, volumes, leftOut, install } as AppFacts;
  if (!found.volumes.every(({ name, path }) => isVolumeName(name) && isAbsolute(path))) return null;
  return { ...found, install: typeof install === 'string' ? install : null };
}

/** The names that Docker takes; such a name is no option of a command. */
function isVolumeName(name: unknown): boolean {
  return typeof name === 'string' && /^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/.test(name);
}

function isAbsolute(path: unknown): boolean {
  return typeof path === 'string' && path.startsWith('/') && !path.split('/').includes('..');
}
