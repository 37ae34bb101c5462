/** Reading values of any form in a Compose document, which an app's author wrote. */

export type Fields = Record<string, unknown>;

export function asRecord(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

export function asList(value: unknown): unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

/** A path is a text, or the `path` of an object, which may be a list. */
export function pathsOf(entry: unknown): string[] {
  if (typeof entry === 'string') return [entry];
  return asList(asRecord(entry).path).filter((path) => typeof path === 'string');
}
