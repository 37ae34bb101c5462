/**
 * Splits a command line into words like a shell, without variables, globs and operators. Single quotes, double quotes
 * with `\"` and `\\`, and backslashes work as in a shell. `null` if a quote is not closed.
 */
export function splitCommandLine(text: string): string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  let quote: string | null = null;
  const characters = [...text];
  while (characters.length > 0) {
    const character = characters.shift() ?? '';
    if (quote !== null) {
      if (character === quote) quote = null;
      else if (quote === '"' && character === '\\' && /["\\]/.test(characters[0] ?? '')) {
        word += characters.shift() ?? '';
      } else word += character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (/\s/.test(character)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? '') + (character === '\\' ? (characters.shift() ?? '') : character);
  }
  if (quote !== null) return null;
  if (word !== null) words.push(word);
  return words;
}
