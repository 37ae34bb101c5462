import { isJsonObject, parseJson } from '../../lib/json.ts';
import type { SignedText } from './release.ts';

type IsSigned = (key: string, text: string, signature: string) => boolean;

const maxKeyLength = 4096;

/**
 * The key that has to sign a release. Starts with the trusted key and follows each change that the previous key
 * signed. Other changes are skipped, because a feed serves boxes with older and with newer keys.
 * choice/box/139
 */
export function presentKey(trusted: string, changes: readonly SignedText[], isSigned: IsSigned): string {
  let key = trusted;
  for (const { statement, signature } of changes) {
    if (isSigned(key, statement, signature)) key = nextKey(statement) ?? key;
  }
  return key;
}

/** The key that a statement names; `null` if the statement is not a key change. */
function nextKey(text: string): string | null {
  const found = parseJson(text);
  if (!isJsonObject(found) || found.type !== 'key' || found.product !== 'boxgate') return null;
  return typeof found.key === 'string' && found.key.length <= maxKeyLength ? found.key : null;
}
