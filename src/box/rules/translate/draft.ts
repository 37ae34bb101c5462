import { formatDotenvValue } from '../dotenv/dotenv.ts';
import { namesSecret } from '../dotenv/placeholder.ts';
import type { Setting } from '../manifest/manifest.ts';
import { type HasDevice, leaveOut, oneLine } from './translation.ts';

export type StoreSetting = Setting & { type: 'text' | 'password' | 'number' | 'boolean' | 'select' };

const advanced = true as const;
export const usual: Readonly<Record<'TZ' | 'PUID' | 'PGID', Partial<StoreSetting>>> = {
  TZ: { label: 'Time zone', description: 'Such as Europe/Berlin.', default: 'Etc/UTC', advanced },
  PUID: { label: 'User number', description: 'Owner of the files.', type: 'number', default: '1000', advanced },
  PGID: { label: 'Group number', description: 'Group of the files.', type: 'number', default: '1000', advanced },
};
export const usualSettings: ReadonlyMap<string, Partial<StoreSetting>> = new Map(Object.entries(usual));

/** What a translation gathers about one app while it reads the store's files. */
export type Draft = {
  name: string;
  notes: Set<string>;
  settings: Map<string, StoreSetting>;
  /** Variables that the store fills in itself; `null`: paths of the store's machine, which mean nothing here. */
  constants: ReadonlyMap<string, string | null>;
  /** The same in the source of a mount. */
  paths: ReadonlyMap<string, string>;
  /** Settings that every app of the store has without listing them. */
  known: ReadonlyMap<string, Partial<StoreSetting>>;
  /** Variables that nothing describes, and those of them that have a preset of their own in the Compose file. */
  unknown: Set<string>;
  preset: Set<string>;
  /** The source of a mount for each folder of the machine that the form asks for, by the store's path. */
  folders: Map<string, string>;
  /** The app's folders that the users of all containers may write, relative to its own. */
  open: Set<string>;
  isPagePublished: boolean;
  /** Absent while every device counts as there. */
  hasDevice?: HasDevice | undefined;
  fixedSecrets: Set<string>;
};

export function newDraft(name: string, store: Partial<Draft> & Pick<Draft, 'known'>): Draft {
  return {
    ...{ name, constants: new Map(), paths: new Map(), notes: new Set(), settings: new Map(), open: new Set() },
    ...{ unknown: new Set(), preset: new Set(), fixedSecrets: new Set(), folders: new Map(), isPagePublished: false },
    ...store,
  };
}

const mostSettings = 300;
const settingName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * Whether Compose takes a variable from its own environment, which comes before `.env`, or obeys it: an answer would not
 * count. Compose has no variable of a port, but apps have, such as COMPOSE_PORT_HTTP of authentik.
 */
export function isOfCompose(name: string): boolean {
  return /^(?:COMPOSE_(?!PORT_).*|DOCKER_.*|PATH|HOME|PWD)$/.test(name);
}

function refuseOfCompose(name: string): void {
  if (isOfCompose(name)) leaveOut(`it uses the variable ${name}, which Compose takes from the box itself`);
}

/** Adds a setting with what is known of it; the name of one that exists already is refused. */
export function addSetting(draft: Draft, name: string, about: Partial<StoreSetting>): void {
  if (!settingName.test(name)) leaveOut(`its setting ${JSON.stringify(oneLine(name))} has no valid name`);
  refuseOfCompose(name);
  if (draft.settings.has(name)) leaveOut(`it has two settings with the name ${name}`);
  if (draft.settings.size === mostSettings) leaveOut(`it has more than ${mostSettings} settings`);
  const setting = { label: name, description: '', type: 'text', required: false, default: null, ...about } as const;
  draft.settings.set(name, { name, ...setting });
}

export function freeName(draft: Draft, wanted: string, count = 1): string {
  const name = count === 1 ? wanted : `${wanted}_${count}`;
  return draft.settings.has(name) ? freeName(draft, wanted, count + 1) : name;
}

/** `$$`, `$NAME`, and `${NAME` with what follows; any other `${` is an error for Compose. */
const reference = /\$(?:\$|([a-z_]\w*)|\{([a-z_]\w*)(\}|:?[-?+])|\{)/gi;

/** A value with the store's own variables filled in. Any other variable becomes a setting. `constants`: of a path. */
export function fillIn(draft: Draft, value: string, constants: Draft['constants'] = draft.constants): string {
  return value.replaceAll(reference, (all, bare?: string, braced?: string, rest?: string) => {
    if (all === '$$') return all;
    const name = bare ?? braced;
    if (name === undefined) return leaveOut(`it has a variable with an unknown form: ${oneLine(value)}`);
    const constant = constants.get(name);
    if (constant === undefined) return variableText(draft, name, rest ?? '}');
    if (constant === null) leaveOut(`it uses ${name}, a path of the store's own machine, outside of a mount`);
    if (rest !== undefined && rest !== '}') leaveOut(`it uses ${name} in an unknown form: ${oneLine(value)}`);
    return constant;
  });
}

/** A setting left blank is unset in the stores, but an empty line of `.env` here: `-` becomes `:-`, for both alike. */
function variableText(draft: Draft, name: string, rest: string): string {
  refuseOfCompose(name);
  useVariable(draft, name, /[-+]/.test(rest), rest.includes('?'));
  const isAsked = draft.settings.has(name) && /^[-+?]/.test(rest);
  return `\${${name}${isAsked ? ':' : ''}${rest}`;
}

/** `fillIn` for all texts in a value, but not for keys, as Compose does. */
export function fillInAll(draft: Draft, value: unknown): unknown {
  if (typeof value === 'string') return fillIn(draft, value);
  if (Array.isArray(value)) return value.map((one) => fillInAll(draft, one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fillInAll(draft, one)]));
}

/** Makes a variable of the Compose file a setting, unless it is one or has a preset in the Compose file. */
export function useVariable(draft: Draft, name: string, hasPreset: boolean, required = false): void {
  if (draft.settings.has(name)) return;
  const known = draft.known.get(name);
  if (known !== undefined) addSetting(draft, name, known);
  else if (hasPreset) draft.preset.add(name);
  else {
    draft.unknown.add(name);
    addSetting(draft, name, { type: namesSecret(name) ? 'password' : 'text', required });
  }
}

/** The source of a mount for a folder of the machine, a setting. Its preset is a folder of the app itself. */
export function folderSetting(draft: Draft, path: string): string {
  if (path.includes('$')) leaveOut(`it mounts a folder with an unknown variable: ${oneLine(path)}`);
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  const place = parts.join('/');
  const present = draft.folders.get(place);
  if (present !== undefined) return present;
  const slugs = parts.map((part) => part.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'));
  const name = freeName(draft, ['FOLDER', ...slugs].join('_').replaceAll('-', '_').toUpperCase());
  const preset = ['./folders', ...slugs].join('/');
  addSetting(draft, name, {
    label: place === '' ? 'Folder of all files' : `Folder ${oneLine(place)}`,
    description: 'A folder of this machine, such as /srv/media. The preset is a folder of the app itself.',
    default: preset,
  });
  const source = `\${${name}:-${preset}}`;
  draft.folders.set(place, source);
  draft.open.add(preset.slice(2));
  return source;
}

/** The lines of `.env.example`. A secret that the owner has to set, or that is made, begins with a placeholder. */
export function exampleText(settings: Iterable<StoreSetting>): string {
  const blocks = [...settings].map((setting) => {
    const isAwaited = setting.type === 'password' && (setting.required || setting.generate !== undefined);
    const value = setting.default ?? (isAwaited ? 'change-me' : '');
    const help = [setting.label, setting.description].filter((text) => text !== '').join('. ');
    return `# ${oneLine(help, 400)}\n${setting.name}=${formatDotenvValue(value)}\n`;
  });
  return blocks.join('\n');
}
