import { type Alias, type Document, isAlias, parseAllDocuments, type Scalar, visit } from 'yaml';
import { templateWords } from './template-words.ts';

/**
 * The reason why Traefik rejects a file, and therefore the whole directory; `null` if no reason is found. Reports
 * only faults that are certain. In templates it checks only the syntax, in TOML only control characters.
 */
export function routeFileFault(name: string, text: string): string | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters.
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/.test(text)) return 'it holds control characters';
  if (text.includes('{{')) return templateFault(text);
  if (/\.toml$/i.test(name)) return null;
  try {
    return yamlFault(text);
  } catch (error) {
    const { message } = error as Error;
    // Otherwise the file is nested too deeply or has too many aliases for this parser. The proxy may accept it.
    return message.startsWith('Unresolved alias') ? `it is no valid YAML: ${message}` : null;
  }
}

function yamlFault(text: string): string | null {
  // `hasRepeatedKey` checks for repeated keys, because the parser takes quadratic time.
  const [document] = parseAllDocuments(text, {
    customTags: ['timestamp'],
    merge: true,
    uniqueKeys: false,
    logLevel: 'silent',
  });
  if (document === undefined) return null;
  const [error] = document.errors;
  if (error?.code === 'RESOURCE_EXHAUSTION') return null; // Nested too deeply for this parser.
  if (error !== undefined) return `it is no valid YAML: ${parserMessage(error.message)}`;
  if (hasRepeatedKey(document)) return 'it is no valid YAML: map keys must be unique';
  return contentFault(document.toJS({ mapAsMap: true }));
}

/** The first line of a message of the parser, which writes `closing "quote`. */
function parserMessage(message: string): string {
  return message
    .split('\n', 1)
    .join()
    .replace(/:$/, '')
    .replace(/^(Missing closing ["'])quote/, '$1 quote');
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
 * Traefik's parser compares keys by kind and source text: `1` equals `"1"`, `1` differs from `01`, and the text of an
 * alias is the name of its anchor. Lists and maps as keys are rejected in any case.
 */
function comparedKey(key: unknown): string {
  return `${isAlias(key) ? 'alias' : 'other'} ${(key as Scalar | Alias).source}`;
}

/**
 * A token inside a template: a string in one of three kinds of quotes or a comment, even without its end; the end of the
 * template; a field or variable; a number; a word; or any other character.
 */
const token =
  /"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|`[^`]*`?|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?|\}\}|[.$][\p{L}\p{Nd}_]*|\p{Nd}[\p{L}\p{Nd}_]*|[\p{L}_][\p{L}\p{Nd}_]*|[\s\S]/uy;

/** False for a string or a comment without its end. */
function isClosed(found: string): boolean {
  if (found.startsWith('/*')) return found.length >= 4 && found.endsWith('*/');
  return !/^["'`]/.test(found) || (found.length >= 2 && found.endsWith(found.charAt(0)));
}

/** Checks the words of all templates, also in branches that never run, because the proxy parses them first. */
function templateFault(text: string): string | null {
  for (let start = text.indexOf('{{'); start !== -1; start = text.indexOf('{{', token.lastIndex)) {
    token.lastIndex = start + 2;
    for (let found = ''; found !== '}}'; ) {
      found = token.exec(text)?.[0] ?? '';
      if (found === '' || !isClosed(found)) return 'it has a template that does not end';
      if (/^[\p{L}_]/u.test(found) && !templateWords.has(found)) {
        return `it has a template with ${JSON.stringify(found.slice(0, 60))}, which is not a function of the proxy`;
      }
    }
  }
  return null;
}

/** The shapes of values that Traefik accepts. It rejects unknown fields, and empty maps and lists where content is needed. */
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

/** The sections of a file that Traefik reads. */
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
    const fault = shape === undefined ? null : shapeFault(shape, section, `"${name}"`);
    if (fault !== null) return fault;
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
    const fault = shapeFault(inside, entry, `"${name}" of ${place}`);
    if (fault !== null) return fault;
  }
  return null;
}

/** A number of seconds, or numbers with units, such as `1m30s`. */
function isDuration(text: string): boolean {
  return /^[+-]?(?:\d+|(?:[\d.]+[a-zµμ]+)+)$/.test(text);
}

/** The entries of a map or a list. `null` counts as absent. */
function entriesOf(value: unknown): [string, unknown][] {
  const entries = value instanceof Map || Array.isArray(value) ? [...value.entries()] : [];
  return entries.filter(([, entry]) => entry !== null).map(([name, entry]) => [String(name), entry]);
}
