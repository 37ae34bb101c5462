import { isUtf8 } from 'node:buffer';
import { isAlias, type ParsedNode, parseAllDocuments, type Scalar } from 'yaml';
import { type FileConfiguration, fileConfiguration, UnusableFile } from './shape-of-file.ts';
import { runTemplate } from './template.ts';

type Environment = Record<string, string | undefined>;

/** The configuration that one file's bytes are; of several documents only the first is read. */
export function parseFile(name: string, bytes: Buffer, environment: Environment): FileConfiguration {
  if (!isUtf8(bytes)) throw new UnusableFile('yaml: invalid UTF-8');
  const text = runTemplate(bytes.toString('utf8'), environment);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a YAML text must not hold.
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/.test(text))
    throw new UnusableFile('yaml: control characters are not allowed');
  if (name.toLowerCase().endsWith('.toml')) return fileConfiguration(tomlValue(text));
  return fileConfiguration(yamlValue(text));
}

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
  // Where the real one stops at many aliases is far above what is written by hand.
  return document.toJS({ mapAsMap: true, maxAliasCount: 10_000 });
}

/** Go's parser compares two keys by kind and text: `1` equals `"1"`, `1` differs from `01`, and two lists are equal. */
function isSameKey(one: ParsedNode, other: ParsedNode): boolean {
  return isAlias(one) === isAlias(other) && (one as Scalar).source === (other as Scalar).source;
}

/** TOML is read by the real one. Here a file of comments is harmless, and any other is a gap that has to be heard. */
function tomlValue(text: string): null {
  if (text.split('\n').every((line) => /^\s*(#.*)?$/.test(line))) return null;
  throw new UnusableFile('TOML is not known to this stand-in');
}
