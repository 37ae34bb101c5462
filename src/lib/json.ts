/** All documents of the box have only a few levels. `JSON.stringify` fails at some thousands of levels. */
const maxNesting = 100;

/** The value of a JSON text; `undefined` if the text is not JSON or is nested more than 100 deep. */
export function parseJson(text: string): unknown {
  try {
    return isDeep(text) ? undefined : JSON.parse(text);
  } catch {
    return undefined; // The parser reports a syntax error only by throwing.
  }
}

/** Counts brackets in the text before anything is parsed. */
function isDeep(text: string): boolean {
  let depth = 0;
  let isInText = false;
  for (let at = 0; at < text.length && depth <= maxNesting; at += 1) {
    const char = text[at];
    if (char === '"') isInText = !isInText;
    else if (isInText) at += char === '\\' ? 1 : 0;
    else if (char === '[' || char === '{') depth += 1;
    else if (char === ']' || char === '}') depth -= 1;
  }
  return depth > maxNesting;
}

export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
