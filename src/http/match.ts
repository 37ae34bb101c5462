/** An endpoint of an OpenAPI document. Its path can have one parameter in braces: `/api/apps/{name}/settings`. */
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

/**
 * Finds the endpoint of a request. Paths are compared byte for byte, without decoding. For a path with a parameter,
 * only the text before and after the parameter has to match, so the parameter can be empty or contain a slash. Paths
 * with a parameter are tried before the exact ones, in the order of the table.
 * box/endpoints/1
 */
export function makeMatcher<Id extends string>(endpoints: readonly Endpoint<Id>[]): Matcher<Id> {
  const rows = endpoints.map(({ operationId, method, path }) => {
    const [before = '', name, after = ''] = path.split(/[{}]/);
    return { operationId, method, path, before, name, after };
  });
  const exact = rows.filter(({ name }) => name === undefined);
  const patterns = rows.filter(({ name }) => name !== undefined);
  return (method, path) => {
    for (const pattern of patterns) {
      const { operationId, before, name = '', after } = pattern;
      if (pattern.method !== method || path.length < before.length + after.length) continue;
      if (!path.startsWith(before) || !path.endsWith(after)) continue;
      return { operationId, params: { [name]: path.slice(before.length, path.length - after.length) } };
    }
    const row = exact.find((one) => one.method === method && one.path === path);
    return row === undefined ? null : { operationId: row.operationId, params: {} };
  };
}

/**
 * Returns the path of a request target unchanged, without its query. If the target is an absolute URL, as clients send
 * it to proxies, this is the part after the host. The target `*` is returned unchanged and matches no endpoint.
 * box/endpoints/2
 */
export function pathOf(target: string): string {
  const end = target.indexOf('?');
  const path = end === -1 ? target : target.slice(0, end);
  if (path.startsWith('/')) return path;
  const [origin] = /^https?:\/\/[^/]*/i.exec(path) ?? [];
  return origin === undefined ? path : path.slice(origin.length) || '/';
}
