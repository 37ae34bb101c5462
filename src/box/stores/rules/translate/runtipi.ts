import { parseJson } from '../../../../lib/json.ts';
import { asList, asRecord, type Fields } from '../../../rules/compose/fields.ts';
import {
  addSetting,
  type Draft,
  folderSetting,
  newDraft,
  type StoreSetting,
  usual,
} from '../../../rules/translate/draft.ts';
import { finish } from '../../../rules/translate/finish.ts';
import { portText } from '../../../rules/translate/store-ports.ts';
import { composeOf } from '../../../rules/translate/store-services.ts';
import {
  type HasDevice,
  leaveOut,
  listed,
  oneLine,
  type StoreFiles,
  type Translation,
  translated,
} from '../../../rules/translate/translation.ts';
import { fieldSetting } from './runtipi-fields.ts';
import { readRuntipiServices } from './runtipi-services.ts';
import { ownAppName, storeVersion, supportedNote } from './store-app.ts';

/** Raised with each change of this translation or of a file that it imports. */
const revision = 2;

const advanced = true as const;
const required = true as const;
const openedAt = 'The address at which you open the app, without http://, such as box.local:8080.';
const known = new Map<string, Partial<StoreSetting>>([
  ['TZ', usual.TZ],
  ['TIPI_UID', usual.PUID],
  ['TIPI_GID', usual.PGID],
  ['APP_DOMAIN', { label: 'Address of the app', description: openedAt, required, address: 'host' }],
  ['APP_LOCAL_DOMAIN', { label: 'Address of the app at home', description: openedAt }],
  [
    'APP_HOST',
    { label: 'Name of this machine', description: 'Name or IP address, without a port.', required, address: 'ip' },
  ],
  ['LOCAL_DOMAIN', { label: 'Domain at home', description: 'Such as home.arpa.' }],
  [
    'INTERNAL_IP',
    { label: 'IP address of this machine', description: 'In the home network.', required, address: 'ip' },
  ],
  [
    'APP_PROTOCOL',
    { label: 'Protocol', type: 'select', options: ['http', 'https'], default: 'http', advanced, address: 'protocol' },
  ],
]);

/** Where Runtipi itself would be; the translation leaves no path below it. */
const root = '/runtipi';

/** Translates an app of Runtipi's store: `config.json`, and its services as JSON or as YAML with `x-runtipi`. */
export function translateRuntipi(folder: string, files: StoreFiles, hasDevice?: HasDevice): Promise<Translation> {
  return translated(async () => {
    const config = readConfig(files.get('config.json'), folder);
    const name = ownAppName(config.id ?? folder);
    if (config.available === false) leaveOut('its store does not offer it at present');
    const port = portText(config.port);
    const draft = newDraft(name, {
      hasDevice,
      constants: new Map([
        ['APP_ID', name],
        ['APP_NAME', name],
        ...['APP_DATA_DIR', 'ROOT_FOLDER_HOST'].map((path) => [path, null] as const),
      ]),
      paths: new Map([
        ['APP_ID', name],
        ['APP_NAME', name],
        ['APP_DATA_DIR', './app-data'],
        ['ROOT_FOLDER_HOST', root],
      ]),
      known: new Map([...known, ['APP_PORT', portOfPage(port)]]),
    });
    for (const field of asList(config.form_fields).map(asRecord)) {
      const setting = fieldSetting(field);
      if (draft.constants.has(setting.name)) leaveOut(`its form asks for ${setting.name}, which the store fills in`);
      addSetting(draft, setting.name, setting);
    }
    const { services, document } = await readRuntipiServices(draft, files, port);
    const compose = composeOf(draft, { services, document, page: port, place: placeIn(draft) });
    noteConfig(draft, config, files);
    return finish(
      draft,
      {
        title: config.name,
        version: storeVersion(oneLine(config.version), [counterOf(config.tipi_version), revision]),
        tagline: config.short_desc,
        description: config.description,
        category: categoryOf(config.categories),
        page: pageOf(draft, config, port),
        icon: undefined,
      },
      compose,
    );
  });
}

function readConfig(text: string | undefined, folder: string): Fields {
  if (text === undefined) leaveOut(`its folder ${JSON.stringify(oneLine(folder))} has no config.json`);
  const value = parseJson(text);
  if (value === undefined) leaveOut('its config.json is no JSON, or is nested too deeply');
  return asRecord(value);
}

function portOfPage(port: string | null): Partial<StoreSetting> {
  const description = 'The port of this machine that the app answers on.';
  return { label: 'Port', description, type: 'number', ...(port === null ? { required } : { default: port }) };
}

function counterOf(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0;
}

function categoryOf(categories: unknown): string {
  const first = asList(categories).find((one) => typeof one === 'string' && one !== 'featured');
  const text = oneLine(first);
  return text.length <= 2 ? text.toUpperCase() : `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** The app's own folder is one here too; folders of media are the owner's; any other is Runtipi's. */
function placeIn(draft: Draft): (path: string) => string | null {
  return (path) => {
    const [first, top, ...rest] = path.split('/').filter((part) => part !== '' && part !== '.');
    if (/^\.\/app-data(?:\/|$)/.test(path)) {
      const own = ['app-data', ...(top === undefined ? [] : [top, ...rest])].join('/');
      draft.open.add(own);
      return `./${own}`;
    }
    if (`/${first}` !== root || !path.startsWith('/')) return null;
    if (top !== 'media') leaveOut(`it mounts a folder of Runtipi itself: ${oneLine(path.slice(root.length)) || '/'}`);
    return folderSetting(draft, ['Media', ...rest].join('/'));
  };
}

function pageOf(draft: Draft, config: Fields, port: string | null): { port: number; protocol: string } | null {
  if (config.no_gui === true) return null;
  if (port === null) {
    draft.notes.add('The store names no port for its page, so the page is not published.');
    return null;
  }
  const path = oneLine(config.url_suffix);
  if (!/^\/?$/.test(path)) draft.notes.add(`Its page is at ${path} of its address.`);
  return { port: Number(port), protocol: config.https === true ? 'https' : 'http' };
}

function noteConfig(draft: Draft, config: Fields, files: StoreFiles): void {
  const { notes } = draft;
  supportedNote(draft, config.supported_architectures);
  if (config.deprecated === true) notes.add('The store calls it deprecated.');
  if (config.force_expose === true) notes.add('The store says that it works at a public name with HTTPS only.');
  if (config.generate_vapid_keys === true) notes.add('Runtipi makes a pair of VAPID keys for it; here you make them.');
  const templates = [...files.keys()].filter((file) => /^data\/.*\.template$/.test(file));
  if (templates.length > 0) {
    notes.add(
      `Runtipi fills in files for it, which you make here, without .template at the end: ${listed(templates)}.`,
    );
  }
}
