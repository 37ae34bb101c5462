import { isUtf8 } from 'node:buffer';
import { isAlias, type ParsedNode, parseAllDocuments, type Scalar } from 'yaml';
import { type FileConfiguration, fileConfiguration, UnusableFile } from './shape-of-file.ts';
import { runTemplate } from './template.ts';

type Environment = Record<string, string | undefined>;

/** Parses one file; only the first of several documents is read. */
export function parseFile(name: string, bytes: Buffer, environment: Environment): FileConfiguration {
  if (!isUtf8(bytes)) throw new UnusableFile('yaml: invalid UTF-8');
  const text = runTemplate(bytes.toString('utf8'), environment);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters.
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/.test(text))
    throw new UnusableFile('yaml: control characters are not allowed');
  if (name.toLowerCase().endsWith('.toml')) return fileConfiguration(tomlValue(text));
  const known = recent.get(text);
  if (known !== undefined) return known;
  const configuration = fileConfiguration(yamlValue(text));
  if (recent.size >= mostRecent) recent.clear();
  recent.set(text, configuration);
  return configuration;
}

/** The configurations of texts that were parsed before: after each event, most files are as they were. */
const recent = new Map<string, FileConfiguration>();
const mostRecent = 1000;

function yamlValue(text: string): unknown {
  const [document] = parseAllDocuments(text, {
    customTags: ['timestamp'],
    merge: true,
    uniqueKeys: isSameKey,
    logLevel: 'silent',
  });
  if (document === undefined) return null;
  const [error] = document.errors;
  if (error !== undefined) throw new UnusableFile(`yaml: ${error.message.split('\n')[0]}`);
  // The real limit is far above hand-written files.
  return document.toJS({ mapAsMap: true, maxAliasCount: 10_000 });
}

/**
 * Compares keys like Go's parser, by kind and text: `1` equals `"1"`, `1` differs from `01`, and two lists are equal.
 */
function isSameKey(one: ParsedNode, other: ParsedNode): boolean {
  return isAlias(one) === isAlias(other) && (one as Scalar).source === (other as Scalar).source;
}

/** The real one reads TOML. Here only a file of comments is valid. */
function tomlValue(text: string): null {
  if (text.split('\n').every((line) => /^\s*(#.*)?$/.test(line))) return null;
  throw new UnusableFile('TOML is not known to this fake');
}
