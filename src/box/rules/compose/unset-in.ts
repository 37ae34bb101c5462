import { interpolate } from './variables.ts';

/** The variables in the values of a Compose file that nothing sets, in order. Compose takes the empty text for them. */
export function unsetIn(document: unknown, env: Pick<ReadonlyMap<string, string>, 'get'>): string[] {
  const found = new Set<string>();
  const walk = (value: unknown) => {
    if (typeof value === 'string') interpolate(value, env, (name) => found.add(name));
    else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) walk(one);
  };
  walk(document);
  return [...found];
}
