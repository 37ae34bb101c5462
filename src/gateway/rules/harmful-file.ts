import { parseAllDocuments } from 'yaml';

/**
 * Why a file would stop Traefik from reading anything in its directory, or null when no reason is known. Only what is
 * certain is told: a template can become anything, and of TOML only that it cannot be read.
 */
export function harmOf(name: string, text: string): string | null {
  if (text.includes('{{')) return null;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what neither YAML nor TOML may hold.
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/.test(text)) return 'it holds control characters';
  if (/\.toml$/i.test(name)) return null;
  const [document] = parseAllDocuments(text, { customTags: ['timestamp'], merge: true, logLevel: 'silent' });
  if (document === undefined) return null;
  const [error] = document.errors;
  if (error !== undefined) return `it is no valid YAML: ${error.message.replace(/:?\n[\s\S]*$/, '')}`;
  return harmOfValue(document.toJS({ mapAsMap: true }));
}

function harmOfValue(value: unknown): string | null {
  if (value === null) return null;
  if (!(value instanceof Map)) return 'it is no map';
  for (const [name, section] of entriesOf(value)) {
    if (!sections.includes(name)) continue;
    if (isEmpty(section)) return `its "${name}" has no entries`;
    const harm = name === 'http' ? harmOfHttp(section) : null;
    if (harm !== null) return harm;
  }
  return null;
}

function harmOfHttp(http: unknown): string | null {
  for (const [name, entries] of entriesOf(http)) {
    if (!httpSections.includes(name)) return `its "http" has an unknown field "${name}"`;
    if (isEmpty(entries)) return `its "${name}" has no entries`;
    if (name === 'routers') return harmOfRouters(entries);
  }
  return null;
}

function harmOfRouters(routers: unknown): string | null {
  for (const [name, router] of entriesOf(routers)) {
    for (const [field] of entriesOf(router)) {
      if (!routerFields.includes(field)) return `its router "${name}" has an unknown field "${field}"`;
    }
  }
  return null;
}

const sections = ['http', 'tcp', 'udp', 'tls'];
const httpSections = ['routers', 'services', 'middlewares', 'serverstransports', 'models'];
const routerFields = [
  'entrypoints',
  'middlewares',
  'service',
  'rule',
  'parentrefs',
  'rulesyntax',
  'priority',
  'tls',
  'observability',
];

/** Traefik's names have no case, and what is null is as absent. */
function entriesOf(value: unknown): [string, unknown][] {
  if (!(value instanceof Map)) return [];
  return [...value]
    .filter(([, entry]) => entry !== null)
    .map(([name, entry]) => [String(name).toLowerCase(), entry]);
}

function isEmpty(value: unknown): boolean {
  return entriesOf(value).length === 0;
}
