import { parseJson } from '../../../lib/json.ts';
import type { components } from '../../api/api.gen.ts';
import { type SchemaError, validateManifest } from '../../api/validators.gen.ts';
import type { BackupRules } from '../../backup/rules/places.ts';
import { decodeUtf8 } from '../text/unicode.ts';
import { isAppName } from './app-name.ts';
import { type SettingHints, settingHints } from './setting-hints.ts';

type Port = components['schemas']['Port'];

export type Setting = SettingHints & {
  name: string;
  label: string;
  description: string;
  type: string;
  required: boolean;
  default: string | null;
};

/** A manifest with all missing fields filled in. */
export type Manifest = {
  name: string;
  display_name: string;
  version: string;
  description: string;
  description_long: string;
  ports: Port[];
  icon: string;
  settings: Setting[];
  /** A sentence about each part of the settings that has no effect; left out without one. */
  ignored?: string[];
  /** What kind of app it is; left out if the manifest does not say. */
  category?: string;
  /** The address of its release notes; left out if the manifest names none. */
  release_notes?: string;
  /** The name of the store that it comes from; left out for an app of none. */
  store?: string;
  backup?: BackupRules;
};

export type ParsedManifest = { ok: true; manifest: Manifest } | { ok: false; error: string };

export const maxManifestBytes = 65536;

type Optional<T, Keys extends keyof T> = Omit<T, Keys> & Partial<Pick<T, Keys>>;
/** A manifest after schema validation: fixed defaults are filled in, but not those that depend on another field. */
type SchemaManifest = Optional<Omit<Manifest, 'settings' | 'category' | 'release_notes' | 'store'>, 'display_name'> & {
  settings: (Optional<Omit<Setting, keyof SettingHints>, 'label'> & { [field: string]: unknown })[];
  category?: unknown;
  release_notes?: unknown;
  store?: unknown;
};

/**
 * Parses a `manifest.json`, or says which field is wrong, what was expected and what was found. The app's name is its
 * directory's name. box/broken/3, box/setting/1-9, choice/box/48
 */
export function parseManifest(bytes: Uint8Array, directoryName: string): ParsedManifest {
  if (bytes.length > maxManifestBytes) {
    return broken('', `at most ${maxManifestBytes} bytes`, 'more');
  }
  const text = decodeUtf8(bytes);
  if (text === null) return broken('', 'UTF-8 text', 'other bytes');
  const value = parseJson(text);
  if (value === undefined) return broken('', 'JSON', text === '' ? 'an empty file' : 'text that is not JSON');
  if (!validateManifest(value)) return brokenBySchema(validateManifest.errors?.[0] as SchemaError);
  return complete(value as SchemaManifest, directoryName);
}

function complete(declared: SchemaManifest, directoryName: string): ParsedManifest {
  const ignored: string[] = [];
  const settings = declared.settings.map((setting) => {
    const { name, label = name, description, type, required, default: initial } = setting;
    const { hints, faults } = settingHints(setting);
    ignored.push(...faults);
    return { name, label, description, type, required, default: initial, ...hints };
  });
  const firstOf = new Map(settings.map(({ name }, index) => [name, index] as const).reverse());
  const twice = settings.findIndex(({ name }, index) => firstOf.get(name) !== index);
  if (twice !== -1) {
    return broken(`settings[${twice}].name`, 'a name that no other setting has', JSON.stringify(settings[twice]?.name));
  }
  const { version, description, description_long, ports, icon, category, release_notes, store, backup } = declared;
  const display_name = declared.display_name ?? directoryName;
  return {
    ok: true,
    manifest: {
      ...{ name: directoryName, display_name, version, description, description_long, ports, icon, settings },
      ...(ignored.length > 0 ? { ignored } : {}),
      ...(typeof category === 'string' && category !== '' ? { category } : {}),
      ...(isWebAddress(release_notes) ? { release_notes } : {}),
      ...(typeof store === 'string' && isAppName(store) ? { store } : {}),
      ...(backup === undefined ? {} : { backup }),
    },
  };
}

function isWebAddress(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value);
}

function broken(field: string, expected: string, found: string): ParsedManifest {
  const where = field === '' ? 'manifest.json' : `manifest.json: ${field}`;
  return { ok: false, error: `${where}: expected ${expected}, found ${found}` };
}

function brokenBySchema(fault: SchemaError): ParsedManifest {
  const field = fieldAt(fault.instancePath);
  const { missingProperty, type, pattern } = fault.params;
  if (fault.keyword === 'required') {
    return broken(field === '' ? String(missingProperty) : `${field}.${missingProperty}`, 'a value', 'nothing');
  }
  if (fault.keyword === 'pattern') return broken(field, `text that matches ${pattern}`, shortText(fault.data));
  return broken(field, [type].flat().map(withArticle).join(' or '), withArticle(typeOf(fault.data)));
}

/** `/settings/0/name` as `settings[0].name`. */
function fieldAt(pointer: string): string {
  return pointer
    .replaceAll(/\/(\d+)/g, '[$1]')
    .replaceAll('/', '.')
    .replace(/^\./, '');
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
}

function withArticle(type: unknown): string {
  if (type === 'null') return 'null';
  return /^[aio]/.test(String(type)) ? `an ${type}` : `a ${type}`;
}

function shortText(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

export type AppSummary = components['schemas']['AppSummary'];

/** The fields of an app in a list. `rasterDigest`: of an icon that is no SVG file. box/summary/1-10 */
export function appSummary(manifest: Manifest, iconSvg: string | null, rasterDigest: string | null): AppSummary {
  const { name, display_name, version, description, description_long, ports, icon, settings } = manifest;
  const { category, store } = manifest;
  return {
    ...{ name, display_name, version, description, description_long, ports, icon, icon_svg: iconSvg },
    ...(rasterDigest === null ? {} : { icon_url: iconUrl(name, rasterDigest) }),
    has_settings: settings.length > 0,
    ...(category === undefined ? {} : { category }),
    ...(store === undefined ? {} : { store }),
  };
}

/** The console serves the icon. A changed icon has another address, so that browsers may keep each for ever. */
function iconUrl(name: string, digest: string): string {
  return `/settings/icons/${encodeURIComponent(name)}?v=${digest.slice(0, 16)}`;
}
