/**
 * Splits a command line into words as a shell would, without being one: blanks separate, single quotes keep
 * everything, double quotes keep blanks and let `\"` and `\\` through, a backslash keeps the next character.
 * Variables, globs and operators mean nothing.
 */
export function splitCommandLine(text: string): string[] {
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
  if (quote !== null) throw new Error(`a quote is not closed: ${text}`);
  if (word !== null) words.push(word);
  return words;
}
