import { asList, asRecord, type Fields, pathsOf } from '../../rules/compose/fields.ts';
import { type Draft, newDraft, usualSettings } from '../../rules/translate/draft.ts';
import { finish } from '../../rules/translate/finish.ts';
import { portText, splitOutsideBraces } from '../../rules/translate/store-ports.ts';
import { composeOf, type StoreService } from '../../rules/translate/store-services.ts';
import {
  type LeftOutApp,
  leaveOut,
  listed,
  oneLine,
  type TakenApp,
  translated,
} from '../../rules/translate/translation.ts';
import { readYaml } from '../../rules/translate/yaml-text.ts';
import { addVariables } from './pasted-variables.ts';

const mostBytes = 256 * 1024;
const mostLines = 5000;
/** How often a pasted file may repeat a part that it names with `&`. */
const mostRepeats = 100;

/** A Compose file that the owner pasted. `page`: the port of the app's page as typed; empty without one. */
export type Paste = { text: string; title: string; name: string; version: string; page: string };

/** What an owner wants to know of a service: ports of this machine, and folders in the app's own. */
export type PastedService = { name: string; image: string; ports: string[]; folders: string[] };

/** A published port of this machine that may be the one of the app's page, and the service behind it. */
export type PagePort = { port: string; service: string };

export type PastedApp = Omit<TakenApp, 'name'> & { services: PastedService[]; pages: PagePort[] };

/** The app that a pasted Compose file makes, or why it makes none. Nothing of the file is carried out or looked up. */
export function readPaste(paste: Paste): Promise<PastedApp | LeftOutApp> {
  return translated(async () => {
    const { text, title, name, version, page } = paste;
    if (new TextEncoder().encode(text).length > mostBytes) leaveOut(`it has more than ${mostBytes / 1024} kB`);
    if (text.split('\n', mostLines + 1).length > mostLines) leaveOut(`it has more than ${mostLines} lines`);
    const document = await readYaml(text, 'it', mostRepeats);
    for (const key of ['include', 'secrets']) {
      if (document[key] !== undefined) leaveOut(`it has ${key}, which needs further files`);
    }
    if (document.services === undefined) leaveOut('it has no line services: with which the parts of an app begin');
    const services = servicesOf(document.services);
    const draft = newDraft(name, { known: usualSettings });
    addVariables(draft, services);
    const compose = composeOf(draft, { services, document, page: null, place: ownFolder });
    const takers = takersOfEnv(draft, asRecord(document.services));
    const composed = Object.entries(asRecord(compose.services)).map(
      ([key, one]) => [key, { ...asRecord(one), ...(takers.has(key) && { env_file: ['.env'] }) } as Fields] as const,
    );
    const pages = composed.flatMap(([service, one]) => pagePorts(service, one));
    const isOnHost = composed.some(([, one]) => one.network_mode === 'host');
    const about = { title, version, tagline: '', description: '', category: '', icon: undefined };
    noteWords(draft);
    openFolders(draft, composed);
    const chosen = pageOf(draft, page, isOnHost ? null : pages);
    const { files, folders, notes } = await finish(
      draft,
      { ...about, page: chosen },
      { ...compose, services: Object.fromEntries(composed) },
    );
    return { taken: true, files, folders, notes, pages, services: composed.map(([key, one]) => seen(key, one)) };
  });
}

const impossible = new Map([
  ['build', 'which needs files that a pasted text lacks: name a finished image instead'],
  ['extends', 'which needs further files: write the service out'],
  ['secrets', 'which needs further files: write each secret under environment, and the form asks for it'],
]);

/** The services without the extensions that Compose ignores, and without the app's own `.env`. */
function servicesOf(services: unknown): StoreService[] {
  return Object.entries(asRecord(services)).map(([name, service]) => {
    const { env_file: envFiles, ...members } = asRecord(service);
    for (const [key, advice] of impossible) {
      if (members[key] !== undefined) leaveOut(`its service ${oneLine(name)} has ${key}, ${advice}`);
    }
    const other = asList(envFiles).find((file) => !isOwnEnv(file));
    if (other !== undefined) {
      const path = oneLine(pathsOf(other).join(', '));
      const advice = 'write each variable under environment, and the form asks for it';
      leaveOut(`its service ${oneLine(name)} has the env_file ${path}, which a pasted text lacks: ${advice}`);
    }
    return { name, service: Object.fromEntries(Object.entries(members).filter(([key]) => !key.startsWith('x-'))) };
  });
}

/** The file with the form's answers, which every app has. */
function isOwnEnv(file: unknown): boolean {
  const paths = pathsOf(file);
  return paths.length > 0 && paths.every((path) => path === '.env' || path === './.env');
}

/** The services that get all answers of the form. */
function takersOfEnv(draft: Draft, services: Fields): ReadonlySet<string> {
  const takers = Object.keys(services).filter((name) => asList(asRecord(services[name]).env_file).length > 0);
  if (takers.length > 0) {
    draft.notes.add(
      `Each answer of the form is also given to ${listed(takers)}. For a variable that only the app's instructions name, ` +
        'add it under environment without a value, and the form asks for it.',
    );
  }
  return new Set(takers);
}

/** A path that begins at the file is one of the app's folder. */
function ownFolder(path: string): string | null {
  if (!/^\.(?:\/|$)/.test(path)) return null;
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  return ['.', ...parts].join('/');
}

/** Ports in a container that never have a page: ssh, DNS, MQTT and databases. */
const withoutPage = new Set('22 53 1883 3306 5432 6379 27017'.split(' '));

function pagePorts(service: string, { ports }: Fields): PagePort[] {
  return asList(ports).flatMap((text) => {
    const parts = splitOutsideBraces(String(text));
    const target = String(parts.at(-1));
    const published = parts.at(-2) ?? '';
    const port = /^(?:\$\{\w+:?-(\d{1,5})\}|(\d{1,5}))$/.exec(published)?.slice(1).join('') ?? '';
    const mayBePage = portText(port) !== null && /^\d+$/.test(target) && !withoutPage.has(target);
    return mayBePage ? [{ port, service }] : [];
  });
}

/** The page of the manifest. `pages`: what may be chosen; `null` for any port. */
function pageOf(draft: Draft, page: string, pages: PagePort[] | null): { port: number; protocol: string } | null {
  if (page === '') return null;
  const port = portText(page);
  const isThere = pages === null || pages.some((one) => one.port === port);
  if (port === null || !isThere) leaveOut(`its page cannot be at port ${listed([page])}, which it does not publish`);
  const setting = [...draft.settings.values()].find((one) => one.type === 'number' && one.default === port);
  if (setting !== undefined) {
    const { advanced: _, ...shown } = setting;
    draft.settings.set(setting.name, { ...shown, label: 'Port of its page' });
  }
  return { port: Number(port), protocol: /443$/.test(port) ? 'https' : 'http' };
}

const plainFolder = /^\.(?:\/(?!\.{1,2}(?:\/|$))[\w.@ -]{1,100}){1,10}$/;

/** A program with a user of its own may write into the app's folders that are mounted. */
function openFolders(draft: Draft, services: readonly (readonly [string, Fields])[]): void {
  for (const [name, { volumes }] of services) {
    for (const source of sourcesOf(volumes)) {
      if (!plainFolder.test(source)) continue;
      const looksLikeFile = /\.[a-z]{2,5}$/i.test(source);
      if (!looksLikeFile) draft.open.add(source.slice(2));
      else {
        draft.notes.add(
          `Service ${name} mounts ${source}, which looks like a file. A pasted text brings no files, so it is an empty folder.`,
        );
      }
    }
  }
}

function noteWords(draft: Draft): void {
  if (draft.fixedSecrets.size > 0) {
    draft.notes.add(`The file itself has the secret ${listed(draft.fixedSecrets)}. Whoever has the file knows it.`);
    draft.fixedSecrets.clear();
  }
  const odd = [...draft.settings.keys()].filter((name) => /[a-z]/.test(name));
  if (odd.length > 0) {
    draft.notes.add(
      `The file uses ${listed(odd)} as variables. If one is a part of a password or a hash, write its $ twice, as $$.`,
    );
  }
}

function seen(name: string, { image, ports, volumes }: Fields): PastedService {
  return {
    ...{ name, image: String(image), ports: asList(ports).map((port) => publishedPort(String(port))) },
    folders: sourcesOf(volumes).flatMap((source) => (plainFolder.test(source) ? [source.slice(2)] : [])),
  };
}

/** `53/udp` for `${PORT_53:-53}:53/udp`; a port that Docker chooses has no number yet. */
function publishedPort(text: string): string {
  const [target, published = 'a free one', ...address] = splitOutsideBraces(text).toReversed();
  const [, protocol] = String(target).split('/');
  const port = withoutVariables(published) + (protocol === undefined ? '' : `/${protocol}`);
  return address.length === 0 ? port : `${port} at ${withoutVariables(address.toReversed().join(':'))}`;
}

function sourcesOf(volumes: unknown): string[] {
  const mounts = asList(volumes).map(asRecord);
  return mounts.flatMap(({ type, source }) => (type === 'bind' ? [withoutVariables(String(source))] : []));
}

/** `${PORT_80:-80}` as `80`. */
function withoutVariables(text: string): string {
  return text.replaceAll(/\$\{\w{1,100}:?-([^${}]*)\}/g, '$1');
}
