import { expandVariables } from './variables.ts';

/** Longer than any path, image or name. Without this limit a short text could repeat a long value a million times. */
const maxLength = 4096;

type Env = Pick<ReadonlyMap<string, string>, 'get'>;

/**
 * A text of a Compose file with its variables filled in. `null` if `expandVariables` refuses it, or the result is
 * longer than 4096 characters. `onUnset` is called for each variable that is empty because it has no value.
 */
export function interpolate(text: string, env: Env, onUnset?: (name: string) => void): string | null {
  const lookup = (name: string) => env.get(name);
  const result = expandVariables(text, {
    lookup,
    left: maxLength,
    closingBrace,
    ...(onUnset && { onUnset }),
  });
  return result === null || result.length > maxLength ? null : result;
}

/** The position of the brace that closes the one at `from`. Defaults may contain variables with braces. */
function closingBrace(text: string, from: number): number {
  let depth = 1;
  for (let index = from + 1; index < text.length; index += 1) {
    if (text.startsWith('${', index)) depth += 1;
    if (text[index] === '}') depth -= 1;
    if (depth === 0) return index;
  }
  return -1;
}
