/** A request as it arrived, and the answer to it. */
export type Request = {
  method: string;
  /** With the query. */
  path: string;
  /** Names in lower case. */
  headers: Record<string, string | undefined>;
  body: string;
};

export type Answer = {
  status: number;
  statusText: string;
  headers: Record<string, string | string[]>;
  body: string;
  /** Sent in pieces, with no `Content-Length`. */
  chunked: boolean;
};

/** The body is no JSON. */
export class BrokenBody extends Error {}

/** What a handler makes of a body: the type decides, JSON when there is none; nothing is `undefined`. */
export function readBody(request: Request): unknown {
  if (request.body === '') return undefined;
  const type = request.headers['content-type'] ?? '';
  if (type.startsWith('application/x-www-form-urlencoded'))
    return Object.fromEntries(new URLSearchParams(request.body));
  if (type.startsWith('text/')) return request.body;
  try {
    return JSON.parse(request.body);
  } catch {
    // Whatever is wrong with it, the answer is the same.
    throw new BrokenBody();
  }
}

/** The path without the query. */
export function pathOf(request: Request): string {
  return request.path.split('?', 1)[0] ?? '';
}

export function queryOf(request: Request): URLSearchParams {
  return new URLSearchParams(request.path.slice(pathOf(request).length));
}
