import { asList, asRecord, type Fields } from '../../../rules/compose/fields.ts';
import { namesSecret } from '../../../rules/dotenv/placeholder.ts';
import {
  addSetting,
  type Draft,
  folderSetting,
  isOfCompose,
  newDraft,
  usualSettings,
} from '../../../rules/translate/draft.ts';
import { finish } from '../../../rules/translate/finish.ts';
import { portText } from '../../../rules/translate/store-ports.ts';
import {
  composeOf,
  environmentEntries,
  isFixedSecret,
  type StoreService,
} from '../../../rules/translate/store-services.ts';
import {
  type HasDevice,
  leaveOut,
  longText,
  oneLine,
  type StoreFiles,
  type Translation,
  translated,
} from '../../../rules/translate/translation.ts';
import { readYaml } from '../../../rules/translate/yaml-text.ts';
import { ownAppName, storeVersion, supportedNote } from './store-app.ts';

/** Raised with each change of this translation or of a file that it imports. */
const revision = 2;

type Variable = readonly [key: string, value: unknown];

const mostVariables = 2000;

/** Translates an app of CasaOS' store: a Compose file with `x-casaos` members, and an icon. */
export function translateCasaos(folder: string, files: StoreFiles, hasDevice?: HasDevice): Promise<Translation> {
  return translated(async () => {
    const file = ['docker-compose.yml', 'docker-compose.yaml'].find((name) => files.has(name));
    if (file === undefined) leaveOut(`its folder ${JSON.stringify(oneLine(folder))} has no docker-compose.yml`);
    const document = await readYaml(files.get(file) as string, file);
    const about = asRecord(document['x-casaos']);
    const name = ownAppName(document.name ?? folder.toLowerCase());
    const constants = new Map([['AppID', name]]);
    const draft = newDraft(name, { constants, paths: constants, known: usualSettings, hasDevice });
    const page = portText(about.port_map);
    const services = Object.entries(asRecord(document.services)).map(([service, fields]) => ({
      name: service,
      service: described(asRecord(fields)),
    }));
    addVariables(draft, services);
    const compose = composeOf(draft, { services, document, page, place: placeIn(draft) });
    supportedNote(draft, about.architectures);
    return finish(
      draft,
      {
        title: localText(about.title),
        version: storeVersion(oneLine(about.version), [revision]),
        tagline: localText(about.tagline),
        description: descriptionOf(about),
        category: about.category,
        page: pageOf(draft, about, services),
        icon: files.get('icon.svg'),
      },
      compose,
    );
  });
}

/** A text that the store may have in several languages: English, else the first one. */
function localText(value: unknown): string {
  if (typeof value === 'string') return value;
  const texts = new Map(Object.entries(asRecord(value)).filter(([, text]) => typeof text === 'string'));
  const best = ['en_US', 'en_us', 'en_GB', 'en'].map((language) => texts.get(language)).find(Boolean);
  return String(best ?? [...texts.values()][0] ?? '');
}

function descriptionOf(about: Fields): string {
  const tips = localText(asRecord(about.tips).before_install);
  return [localText(about.description), tips].map(longText).filter(Boolean).join('\n\n');
}

/** The service with the store's descriptions of its ports beside them. */
function described(service: Fields): Fields {
  const labels = descriptions(service, 'ports');
  const ports = asList(service.ports).map((port) => {
    const label = typeof port === 'object' ? labels.get(oneLine(asRecord(port).target)) : undefined;
    return label === undefined ? port : { ...asRecord(port), label };
  });
  return { ...service, ports };
}

function descriptions(service: Fields, kind: 'ports' | 'envs'): Map<string, string> {
  const all = asList(asRecord(service['x-casaos'])[kind]).map(asRecord);
  return new Map(all.map(({ container, description }) => [oneLine(container), oneLine(localText(description))]));
}

/**
 * CasaOS lets the owner change each variable that the store describes, so each becomes a setting with the store's value
 * as preset. A value with variables in it stays as it is, and so does a secret that is used at another place too.
 */
function addVariables(draft: Draft, services: StoreService[]): void {
  const values = services.flatMap(({ service }) => environmentEntries(service.environment));
  if (values.length > mostVariables) leaveOut(`its containers have more than ${mostVariables} variables`);
  for (const { service } of services) {
    const described = descriptions(service, 'envs');
    const entries = environmentEntries(service.environment).map((entry) => {
      const [key, value] = entry;
      return [key, isSetting(draft, entry, described.get(key), values) ? `\${${key}}` : value] as const;
    });
    service.environment = Object.fromEntries(entries);
  }
}

/** Whether the form asks for a variable of a container, which makes it a setting. */
function isSetting(
  draft: Draft,
  [key, value]: Variable,
  description: string | undefined,
  all: readonly Variable[],
): boolean {
  const isText = ['string', 'number', 'boolean'].includes(typeof value);
  if (description === undefined || !isText || isOfCompose(key) || !/^[a-z_]\w*$/i.test(key)) return false;
  const preset = String(value);
  if (/[$\n\r]/.test(preset)) return false;
  const present = draft.settings.get(key);
  if (present !== undefined) return (present.default ?? '') === preset;
  const isFixed = isFixedSecret(key, preset);
  if (isFixed && all.some(([other, one]) => other !== key && String(one).includes(preset))) return false;
  if (isFixed) draft.fixedSecrets.add(key);
  const type = isFixed || (namesSecret(key) && preset === '') ? 'password' : 'text';
  // The form never shows a password, so the owner has to see that a fixed one is blank there.
  const isFolded = preset !== '' && !isFixed;
  addSetting(draft, key, { description, type, default: preset || null, ...(isFolded && { advanced: true }) });
  return true;
}

/** `/DATA/AppData/NAME` is a folder of the app; any other folder of `/DATA` is one of the owner's. */
function placeIn(draft: Draft): (path: string) => string | null {
  return (path) => {
    if (!/^\/DATA(?:\/|$)/.test(path)) return null;
    const [top, app, ...rest] = path
      .split('/')
      .filter((part) => part !== '' && part !== '.')
      .slice(1);
    if (top !== 'AppData') return folderSetting(draft, [top, app, ...rest].join('/'));
    if (app === undefined) leaveOut('it mounts the folders of all other apps');
    if (app.toLowerCase() === draft.name) return ['./data', ...rest].join('/');
    draft.notes.add(`The folder of ${JSON.stringify(oneLine(app))} that it uses is its own here, and not shared.`);
    return ['./appdata', app, ...rest].join('/');
  };
}

function pageOf(
  draft: Draft,
  about: Fields,
  services: readonly StoreService[],
): { port: number; protocol: string } | null {
  const port = portText(about.port_map);
  const path = oneLine(about.index);
  if (port === null) return null;
  if (!/^\/?$/.test(path)) draft.notes.add(`Its page is at ${path} of its address.`);
  const isPublished = draft.isPagePublished || services.some(({ service }) => service.network_mode === 'host');
  if (!isPublished) {
    draft.notes.add(`The store says that its page is at port ${port}, which it does not publish.`);
    return null;
  }
  return { port: Number(port), protocol: about.scheme === 'https' ? 'https' : 'http' };
}
