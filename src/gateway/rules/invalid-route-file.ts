import { type Alias, type Document, isAlias, LineCounter, parseAllDocuments, type Scalar, visit } from 'yaml';

/**
 * The reason why Traefik rejects a file, and therefore the whole directory; `null` if none is found. Looks for what
 * happens to people who edit YAML: broken syntax, a key twice, and a section without content. Templates, TOML and the
 * fields of routers and services are left to Traefik, whose log and API tell.
 */
export function routeFileFault(name: string, text: string): string | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters.
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/.test(text)) return 'it holds control characters';
  if (text.includes('{{') || /\.toml$/i.test(name)) return null;
  try {
    return yamlFault(text);
  } catch (error) {
    const { message } = error as Error;
    // Otherwise the file is nested too deeply or has too many aliases for this parser. The proxy may accept it.
    return message.startsWith('Unresolved alias') ? `it is no valid YAML: ${message}` : null;
  }
}

function yamlFault(text: string): string | null {
  // The parser takes quadratic time for repeated keys, which `hasRepeatedKey` checks, and for pretty errors.
  const lineCounter = new LineCounter();
  const options = { merge: true, uniqueKeys: false, logLevel: 'silent', prettyErrors: false, lineCounter } as const;
  const [document] = parseAllDocuments(text, options);
  if (document === undefined) return null;
  const [error] = document.errors;
  if (error?.code === 'RESOURCE_EXHAUSTION') return null; // Nested too deeply for this parser.
  if (error !== undefined) {
    const { line, col } = lineCounter.linePos(error.pos[0]);
    return `it is no valid YAML: ${parserMessage(error.message)} at line ${line}, column ${col}`;
  }
  if (hasRepeatedKey(document)) return 'it is no valid YAML: map keys must be unique';
  return emptyFault(document.toJS({ mapAsMap: true }));
}

/** The parser writes `closing "quote`. */
function parserMessage(message: string): string {
  return message.replace(/^(Missing closing ["'])quote/, '$1 quote');
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

function emptyFault(value: unknown): string | null {
  if (value === null) return null;
  if (!(value instanceof Map)) return 'it is no map';
  for (const [name, section] of entriesOf(value)) {
    if (!/^(?:http|tcp|udp|tls)$/i.test(name)) continue;
    const parts = entriesOf(section);
    if (parts.length === 0) return `"${name}" has no entries`;
    const [empty] = parts.find(([, part]) => entriesOf(part).length === 0) ?? [];
    if (empty !== undefined) return `"${empty}" of "${name}" has no entries`;
  }
  return null;
}

/** The entries of a map or a list. Traefik takes one that is null for absent. */
function entriesOf(value: unknown): [string, unknown][] {
  const entries = value instanceof Map || Array.isArray(value) ? [...value.entries()] : [];
  return entries.filter(([, entry]) => entry !== null).map(([name, entry]) => [String(name), entry]);
}
