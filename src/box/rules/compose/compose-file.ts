/** What the box reads from Compose files itself. Everything else comes from Compose (`project-model.ts`). */

import { projectOfDirectory } from '../manifest/app-name.ts';
import { asList, asRecord, type Fields } from './fields.ts';
import { buildFiles, extendedIn, includedIn, leadsFurther, readIn } from './further-files.ts';
import { interpolate } from './variables.ts';

/** In Compose's order of precedence. box/process/19 */
export const composeFileNames = ['compose.yaml', 'compose.yml', 'docker-compose.yml', 'docker-compose.yaml'] as const;

/** In Compose's order of precedence. choice/box/98 */
export const overrideFileNames = [
  'compose.override.yml',
  'compose.override.yaml',
  'docker-compose.override.yml',
  'docker-compose.override.yaml',
] as const;

type Env = Pick<ReadonlyMap<string, string>, 'get'>;

export type ComposeFacts = {
  name: string | null;
  /** Further files that Compose reads, with paths as the Compose files write them. */
  files: string[];
  built: string[];
  /** False if `include` or `extends` lead to files that name further ones; only Compose finds those. */
  isComplete: boolean;
};

/** The facts of a Compose file and its override; the override's name wins. Throws for text that is not YAML. */
export async function readComposeFiles(texts: readonly string[]): Promise<ComposeFacts> {
  const documents = await readDocuments(texts);
  return {
    name: documents.map(({ name }) => asText(name)).findLast((name) => name !== null) ?? null,
    files: [...new Set(documents.flatMap(filesOf))],
    built: buildFiles(documents),
    isComplete: !documents.some(leadsFurther),
  };
}

/** The documents of Compose files. Throws for text that is not YAML. */
export async function readDocuments(texts: readonly string[]): Promise<Fields[]> {
  // Loaded on first use: loading it would be the longest part of a start.
  const { LineCounter, parseAllDocuments } = await import('yaml');
  // The parser does not check for duplicate keys, because that takes minutes for many keys, and Compose refuses them
  // anyway. Merge keys and aliases are resolved below, because the parser's merging takes minutes too and is limited to
  // 100 uses of an anchor. The schema is named because a `%YAML 1.1` in the file would choose one that merges. Pretty errors
  // copy the rest of the line for each error, so a long line with many takes minutes.
  const options = { schema: 'core', logLevel: 'error', uniqueKeys: false, prettyErrors: false } as const;
  const read = (text: string) => {
    const lineCounter = new LineCounter();
    const documents = parseAllDocuments(withFewAliases(text), { ...options, lineCounter });
    return documents.map((document) => {
      const [error] = document.errors;
      if (error !== undefined) {
        error.linePos = [lineCounter.linePos(error.pos[0])];
        throw error;
      }
      return asRecord(filledIn(document.toJS({ maxAliasCount: -1 }), { count: mostValues }));
    });
  };
  return texts.flatMap((text) => orTooDeep(() => read(text)));
}

/** For each alias the parser searches all aliases and anchors: 2000 take a tenth of a second, 10 000 take 2 s. */
const mostAliases = 2000;
/** Aliases of aliases multiply the number of values. */
const mostValues = 1_000_000;

function withFewAliases(text: string): string {
  if ((text.match(/[&*]\S/g)?.length ?? 0) > mostAliases) throw new Error('it has too many aliases');
  return text;
}

/** A copy without shared parts, and with merge keys (`<<`): own keys win, then earlier sources. */
function filledIn(value: unknown, left: { count: number }): unknown {
  left.count -= 1;
  if (left.count < 0) throw new Error('its aliases repeat too much');
  if (Array.isArray(value)) return value.map((one) => filledIn(one, left));
  if (typeof value !== 'object' || value === null) return value;
  const { '<<': sources, ...own } = value as Fields;
  const merged = asList(sources).flatMap((source) => Object.entries(asRecord(filledIn(source, left))));
  left.count -= merged.length;
  const entries = Object.entries(own).map(([key, one]) => [key, filledIn(one, left)] as const);
  return Object.fromEntries([...merged.reverse(), ...entries]);
}

/** The parser overflows the stack at some hundred levels, and then throws either of two errors. */
function orTooDeep<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    const isTooDeep = error instanceof RangeError || (error as { code?: string }).code === 'RESOURCE_EXHAUSTION';
    throw isTooDeep ? new Error('it is nested too deeply', { cause: error }) : error;
  }
}

/**
 * The project name that `docker compose` itself would use in that directory: COMPOSE_PROJECT_NAME of the `.env`, else
 * the Compose file's `name:`, else a name made from the directory's. box/process/20, choice/box/98
 */
export function projectName(facts: ComposeFacts, env: Env, directoryName: string): string {
  const fromEnv = env.get('COMPOSE_PROJECT_NAME');
  if (fromEnv) return fromEnv;
  const named = facts.name === null ? null : interpolate(facts.name, env);
  return named || projectOfDirectory(directoryName);
}

/** Interpolated paths. One at `~` is also there with the home directory, which Compose fills in for some files only. */
export function filledInPaths(files: readonly string[], env: Env): string[] {
  const filledIn = files.map((file) => interpolate(file, env)).filter((file) => file !== null && file !== '');
  const home = env.get('HOME');
  return (filledIn as string[]).flatMap((file) =>
    home !== undefined && file.startsWith('~') ? [file, `${home}${file.slice(1)}`] : [file],
  );
}

function filesOf(document: Fields): string[] {
  const included = includedIn(document).flatMap(({ files, envFiles }) => [...files, ...envFiles]);
  return [...readIn(document), ...extendedIn(document), ...included];
}

function asText(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}
