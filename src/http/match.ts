/** An endpoint of an OpenAPI document. Its path has parameters in braces: `/api/apps/{name}/settings`. */
export type Endpoint<Id extends string = string> = {
  readonly operationId: Id;
  readonly method: string;
  readonly path: string;
};

export type Match<Id extends string = string> = {
  operationId: Id;
  params: Readonly<Record<string, string>>;
};

export type Matcher<Id extends string = string> = (method: string, path: string) => Match<Id> | null;

/** The endpoints of one method. */
type Row<Id extends string> = {
  patterns: { before: string; name: string; after: string; operationId: Id }[];
  exact: Map<string, Match<Id>>;
};

const noParams: Readonly<Record<string, string>> = Object.freeze({});

/**
 * Finds the endpoint of a request. Paths are compared byte for byte, without decoding. A path with a parameter matches
 * by its text before and after the parameter, so that a parameter can be empty or hold a slash. Paths with a parameter
 * are tried before the exact ones, in the table's order, which is the order of the requirement's tables.
 * box/endpoints/1, choice/box/4, choice/box/5
 */
export function makeMatcher<Id extends string>(endpoints: readonly Endpoint<Id>[]): Matcher<Id> {
  const byMethod = new Map<string, Row<Id>>();
  for (const { operationId, method, path } of endpoints) {
    const row: Row<Id> = byMethod.get(method) ?? { patterns: [], exact: new Map() };
    byMethod.set(method, row);
    const [, before, name, after] = /^([^{]*)\{([^}]+)\}(.*)$/.exec(path) ?? [];
    if (before === undefined || name === undefined || after === undefined) {
      row.exact.set(path, { operationId, params: noParams });
    } else {
      row.patterns.push({ before, name: propertyName(name), after, operationId });
    }
  }
  return (method, path) => {
    const row = byMethod.get(method);
    if (row === undefined) return null;
    for (const { before, name, after, operationId } of row.patterns) {
      if (path.length < before.length + after.length) continue;
      if (!path.startsWith(before) || !path.endsWith(after)) continue;
      const params: Record<string, string> = {};
      params[name] = path.slice(before.length, path.length - after.length);
      return { operationId, params };
    }
    return row.exact.get(path) ?? null;
  };
}

/** The same text as the names of properties are kept: any other is looked up among those at each use. */
function propertyName(text: string): string {
  return Object.keys({ [text]: '' })[0] ?? text;
}

/**
 * Returns the path of a request target as it was sent, without its query. If the target is an absolute URL, as clients
 * send it to proxies, this is the part after the host. The target `*` is returned unchanged and matches no endpoint.
 * box/endpoints/2
 */
export function pathOf(target: string): string {
  const end = target.indexOf('?');
  const path = end === -1 ? target : target.slice(0, end);
  if (path.startsWith('/')) return path;
  const [origin] = /^https?:\/\/[^/]*/i.exec(path) ?? [];
  return origin === undefined ? path : path.slice(origin.length) || '/';
}
