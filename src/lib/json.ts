/** No document that the box reads has more than a few levels; what writes JSON again fails at some thousands. */
const maxNesting = 100;

/** Undefined is what JSON cannot hold, and so says that the text is no JSON, or nested more than 100 deep. */
export function parseJson(text: string): unknown {
  try {
    return isDeep(text) ? undefined : JSON.parse(text);
  } catch {
    return undefined; // The parser's only way to say so.
  }
}

/** Looks at the text, before anything is made of it. */
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
