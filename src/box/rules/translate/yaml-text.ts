import { asRecord, type Fields } from '../compose/fields.ts';
import { leaveOut, oneLine } from './translation.ts';

/** For each alias the parser searches all anchors, so thousands take seconds. */
const mostAliases = 1000;
const mostLevels = 60;

/** Reads YAML of a store or an owner: one document, not deep, and with at most `repeats` repetitions by aliases. */
export async function readYaml(text: string, file: string, repeats = 0): Promise<Fields> {
  if ((text.match(/[&*]\S/g)?.length ?? 0) > mostAliases) leaveOut(`${file} has too many aliases`);
  // Loaded on first use: loading it would be the longest part of a start.
  const { parse } = await import('yaml');
  let value: unknown;
  try {
    value = parse(text, { ...options, maxAliasCount: repeats, merge: repeats > 0 });
  } catch (error) {
    const [reason] = (error as Error).message.split('\n', 1);
    leaveOut(`${file} is not read: ${oneLine(reason)}${placeIn(text, error)}`);
  }
  if (isDeep(value, mostLevels)) leaveOut(`${file} is nested too deeply`);
  return asRecord(value);
}

const options = { schema: 'core', uniqueKeys: false, logLevel: 'error', prettyErrors: false } as const;

function placeIn(text: string, error: unknown): string {
  const { pos } = error as { pos?: [number, number] };
  return pos === undefined ? '' : ` (line ${text.slice(0, pos[0]).split('\n').length})`;
}

function isDeep(value: unknown, left: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return left === 0 || Object.values(value).some((one) => isDeep(one, left - 1));
}

/** A key that every version of YAML reads as this text. */
const plainKey = /^[a-z_][\w.-]*$/i;

/** The text of a Compose file, quoted, because Compose's reader takes more for numbers and dates than YAML 1.2 does. */
export async function composeText(value: unknown): Promise<string> {
  const { Document, isScalar, visit } = await import('yaml');
  const document = new Document(value, { aliasDuplicateObjects: false });
  visit(document, {
    Pair(_, { key }) {
      if (isScalar(key) && !plainKey.test(String(key.value))) key.type = 'QUOTE_DOUBLE';
    },
  });
  return document.toString({ lineWidth: 0, defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN' });
}
