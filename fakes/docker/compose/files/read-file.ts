import { LineCounter, parseDocument } from 'yaml';
import { Failure } from '../../model/failure.ts';
import { InvalidTemplate, interpolate, type Lookup, type Warn } from './interpolate.ts';
import { readText } from './read-text.ts';
import { checkComposeFile, type Fields, isFields } from './schema.ts';
import { toDependencies, toMapping, toNetworks } from './short-forms.ts';

/** Reads one Compose file: YAML, interpolation, schema. Throws with the messages of Compose. */
export function readComposeFile(path: string, lookup: Lookup, warn: Warn, substitutes: boolean): Fields {
  const content = parseYaml(readOrFail(path));
  const filled = substitutes && isFields(content) ? fillIn(content, '', lookup, warn) : content;
  return checkComposeFile(path, filled);
}

function readOrFail(path: string): string {
  try {
    return readText(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new Failure(14, `open ${path}: no such file or directory`);
    if (code === 'EISDIR') throw new Failure(14, `read ${path}: is a directory`);
    throw new Failure(14, `open ${path}: permission denied`);
  }
}

function parseYaml(text: string): unknown {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { merge: true, lineCounter, prettyErrors: false, logLevel: 'silent' });
  const [error] = document.errors;
  if (error)
    throw new Failure(15, `yaml: line ${lineCounter.linePos(error.pos[0]).line}: did not find expected node content`);
  try {
    return document.toJS() as unknown;
  } catch (error) {
    throw new Failure(15, `yaml: ${(error as Error).message}`);
  }
}

function fillIn(value: unknown, path: string, lookup: Lookup, warn: Warn): unknown {
  if (typeof value === 'string') return fillText(value, path, lookup, warn);
  if (Array.isArray(value)) return value.map((one) => fillIn(one, `${path}.[]`, lookup, warn));
  if (!isFields(value)) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.map(([key, one]) => [key, fillIn(one, path ? `${path}.${key}` : key, lookup, warn)]),
  );
}

function fillText(value: string, path: string, lookup: Lookup, warn: Warn): string {
  if (!value.includes('$')) return value;
  try {
    return interpolate(value, lookup, warn);
  } catch (error) {
    if (error instanceof InvalidTemplate) {
      throw new Failure(
        15,
        `invalid interpolation format for ${path}.\nYou may need to escape any $ with another $.\n${error.template}`,
      );
    }
    throw new Failure(15, `error while interpolating ${path}: ${(error as Error).message}`);
  }
}

/** Merges a later file into an earlier one: mappings by key, lists appended, other values replaced. */
export function mergeFiles(base: Fields, over: Fields): Fields {
  return mergeFields(prepare(base), prepare(over), []);
}

/** Converts the fields that merge by key to mappings. */
function prepare(file: Fields): Fields {
  const services = Object.entries((file.services ?? {}) as Record<string, Fields>).map(([name, service]) => [
    name,
    {
      ...service,
      ...(service.environment ? { environment: toMapping(service.environment) } : {}),
      ...(service.labels ? { labels: toMapping(service.labels) } : {}),
      ...(service.depends_on ? { depends_on: toDependencies(service.depends_on) } : {}),
      ...(service.networks ? { networks: toNetworks(service) } : {}),
      ...(typeof service.build === 'string' ? { build: { context: service.build } } : {}),
    },
  ]);
  return { ...file, services: Object.fromEntries(services) };
}

const replacedWhole = new Set(['command', 'entrypoint', 'test']);

function mergeFields(base: Fields, over: Fields, path: readonly string[]): Fields {
  const merged: Fields = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const before = base[key];
    if (isFields(before) && isFields(value)) merged[key] = mergeFields(before, value, [...path, key]);
    else if (Array.isArray(before) && Array.isArray(value) && !replacedWhole.has(key))
      merged[key] = [...before, ...value];
    else merged[key] = value;
  }
  return merged;
}
