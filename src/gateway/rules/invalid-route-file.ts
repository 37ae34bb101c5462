import { type Alias, type Document, isAlias, parseAllDocuments, type Scalar, visit } from 'yaml';
import { templateWords } from './template-words.ts';

/**
 * Why a file would stop Traefik from reading anything in its directory, or null if no reason is known. Only certain
 * faults are reported: a template can become anything unless it does not parse, and of TOML only control characters
 * are looked at.
 */
export function routeFileFault(name: string, text: string): string | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what neither YAML nor TOML may hold.
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/.test(text)) return 'it holds control characters';
  if (text.includes('{{')) return templateFault(text);
  if (/\.toml$/i.test(name)) return null;
  try {
    return yamlFault(text);
  } catch (error) {
    const { message } = error as Error;
    // Else nested too deeply or too many aliases to be read here; whether the proxy reads it is not known.
    return message.startsWith('Unresolved alias') ? `it is no valid YAML: ${message}` : null;
  }
}

function yamlFault(text: string): string | null {
  // Repeated keys are looked for below: the parser would take quadratic time.
  const [document] = parseAllDocuments(text, {
    customTags: ['timestamp'],
    merge: true,
    uniqueKeys: false,
    logLevel: 'silent',
  });
  if (document === undefined) return null;
  const [error] = document.errors;
  if (error?.code === 'RESOURCE_EXHAUSTION') return null; // The parser's own name for too deep.
  if (error !== undefined)
    return `it is no valid YAML: ${error.message.split('\n', 1).join().replace(/:$/, '')}`;
  if (hasRepeatedKey(document)) return 'it is no valid YAML: map keys must be unique';
  return contentFault(document.toJS({ mapAsMap: true }));
}

function hasRepeatedKey(document: Document): boolean {
  let isRepeated = false;
  visit(document, {
    Map(_, { items }) {
      const keys = new Set(items.map(({ key }) => comparedKey(key)));
      if (keys.size === items.length) return undefined;
      isRepeated = true;
      return visit.BREAK;
    },
  });
  return isRepeated;
}

/**
 * Traefik's parser compares two keys by kind and text: `1` equals `"1"`, `1` differs from `01`, and the text of an alias
 * is its anchor's name. Lists and maps have no text; as keys they stop the proxy in any case.
 */
function comparedKey(key: unknown): string {
  return `${isAlias(key) ? 'alias' : 'other'} ${(key as Scalar | Alias).source}`;
}

/**
 * One token inside a template: a text in one of three quotes or a comment, each with its end if it has one; the end of
 * the template; a field or variable, a number, a word, or any other character.
 */
const token =
  /"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|`[^`]*`?|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?|\}\}|[.$][\p{L}\p{Nd}_]*|\p{Nd}[\p{L}\p{Nd}_]*|[\p{L}_][\p{L}\p{Nd}_]*|[\s\S]/uy;

/** Whether a quoted text or a comment has its end; anything else needs none. */
function isClosed(found: string): boolean {
  if (found.startsWith('/*')) return found.length >= 4 && found.endsWith('*/');
  return !/^["'`]/.test(found) || (found.length >= 2 && found.endsWith(found.charAt(0)));
}

/** The words of all templates, which no branch that is not taken hides: the proxy parses them before it runs any. */
function templateFault(text: string): string | null {
  for (let start = text.indexOf('{{'); start !== -1; start = text.indexOf('{{', token.lastIndex)) {
    token.lastIndex = start + 2;
    for (let found = ''; found !== '}}'; ) {
      found = token.exec(text)?.[0] ?? '';
      if (found === '' || !isClosed(found)) return 'it has a template that does not end';
      if (/^[\p{L}_]/u.test(found) && !templateWords.has(found)) {
        return `it has a template with ${JSON.stringify(found.slice(0, 60))}, which is no function of the proxy's`;
      }
    }
  }
  return null;
}

/** What Traefik makes of a value: it stops at a field that it does not know, and at one that needs content and has none. */
type Shape =
  | 'anything'
  | 'integer'
  | 'duration'
  | { fields: Readonly<Record<string, Shape>>; mayBeEmpty?: true }
  | { each: Shape };

const anything = (...names: string[]) => Object.fromEntries(names.map((name) => [name, 'anything' as const]));

const routerTls: Shape = { fields: anything('options', 'certresolver', 'domains'), mayBeEmpty: true };

const router: Shape = {
  fields: {
    ...anything('entrypoints', 'middlewares', 'service', 'rule', 'parentrefs', 'rulesyntax', 'observability'),
    priority: 'integer',
    tls: routerTls,
  },
  mayBeEmpty: true,
};

const server: Shape = { fields: { ...anything('url', 'preservepath'), weight: 'integer' }, mayBeEmpty: true };

const loadBalancer: Shape = {
  fields: {
    ...anything('sticky', 'strategy', 'healthcheck', 'passivehealthcheck', 'passhostheader'),
    ...anything('responseforwarding', 'serverstransport'),
    servers: { each: server },
  },
};

const service: Shape = {
  fields: {
    ...anything('weighted', 'mirroring', 'failover', 'highestrandomweight', 'middlewares'),
    loadbalancer: loadBalancer,
  },
  mayBeEmpty: true,
};

const timeouts = [
  ...['dialtimeout', 'responseheadertimeout', 'readtimeout', 'writetimeout'],
  ...['idleconntimeout', 'readidletimeout', 'pingtimeout'],
];

const serversTransport: Shape = {
  fields: {
    ...anything('servername', 'insecureskipverify', 'rootcas', 'certificates', 'disablehttp2', 'spiffe'),
    ...anything('peercerturi', 'peercertsans', 'ciphersuites', 'minversion', 'maxversion'),
    maxidleconnsperhost: 'integer',
    forwardingtimeouts: { fields: Object.fromEntries(timeouts.map((name) => [name, 'duration' as const])) },
  },
  mayBeEmpty: true,
};

const content: Shape = { each: 'anything' };

/** The sections of a file; others are passed over. */
const sections: Readonly<Record<string, Shape>> = {
  http: {
    fields: {
      routers: { each: router },
      services: { each: service },
      middlewares: content,
      serverstransports: { each: serversTransport },
      models: content,
    },
  },
  tcp: content,
  udp: content,
  tls: content,
};

function contentFault(value: unknown): string | null {
  if (value === null) return null;
  if (!(value instanceof Map)) return 'it is no map';
  for (const [name, section] of entriesOf(value)) {
    const shape = sections[name.toLowerCase()];
    const harm = shape === undefined ? null : shapeFault(shape, section, `"${name}"`);
    if (harm !== null) return harm;
  }
  return null;
}

function shapeFault(shape: Shape, value: unknown, place: string): string | null {
  if (value instanceof Date) return `${place} is a date`;
  if (shape === 'anything') return null;
  if (shape === 'integer') return /^[+-]?\d+$/.test(String(value)) ? null : `${place} is no whole number`;
  if (shape === 'duration') return isDuration(String(value)) ? null : `${place} is no duration`;
  const entries = entriesOf(value);
  const mayBeEmpty = 'fields' in shape && shape.mayBeEmpty === true;
  if (entries.length === 0) return mayBeEmpty ? null : `${place} has no entries`;
  for (const [name, entry] of entries) {
    const inside = 'each' in shape ? shape.each : shape.fields[name.toLowerCase()];
    if (inside === undefined) return `${place} has an unknown field "${name}"`;
    const harm = shapeFault(inside, entry, `"${name}" of ${place}`);
    if (harm !== null) return harm;
  }
  return null;
}

/** A number of seconds, or numbers with units. */
function isDuration(text: string): boolean {
  return /^[+-]?(?:\d+|(?:[\d.]+[a-zµμ]+)+)$/.test(text);
}

/** Of a map or a list. What is null is as absent. */
function entriesOf(value: unknown): [string, unknown][] {
  const entries = value instanceof Map || Array.isArray(value) ? [...value.entries()] : [];
  return entries.filter(([, entry]) => entry !== null).map(([name, entry]) => [String(name), entry]);
}
