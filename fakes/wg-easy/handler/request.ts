export type Request = {
  method: string;
  /** Includes the query. */
  path: string;
  /** Names are lower-case. */
  headers: Record<string, string | undefined>;
  body: string;
};

export type Answer = {
  status: number;
  statusText: string;
  headers: Record<string, string | string[]>;
  body: string;
  /** Chunked, without `Content-Length`. */
  chunked: boolean;
};

/** The body is not valid JSON. */
export class BrokenBody extends Error {}

/** Parses a body by its content type (JSON by default); an empty body is `undefined`. */
export function readBody(request: Request): unknown {
  if (request.body === '') return undefined;
  const type = request.headers['content-type'] ?? '';
  if (type.startsWith('application/x-www-form-urlencoded'))
    return Object.fromEntries(new URLSearchParams(request.body));
  if (type.startsWith('text/')) return request.body;
  try {
    return JSON.parse(request.body);
  } catch {
    // Every syntax error gets the same response.
    throw new BrokenBody();
  }
}

export function pathOf(request: Request): string {
  return request.path.split('?', 1)[0] ?? '';
}

export function queryOf(request: Request): URLSearchParams {
  return new URLSearchParams(request.path.slice(pathOf(request).length));
}
