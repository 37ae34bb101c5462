import type { State } from '../model/state.ts';
import { type Answer, pathOf, type Request, readBody } from './request.ts';
import type { Routed } from './routes.ts';
import type { Body } from './validate.ts';

/** A request of version 15; `cookies` are set by the response. */
export type Call = { state: State; request: Request; routed: Routed; cookies: string[] };

/** An error response, thrown by any handler. */
export class Failure extends Error {
  readonly status: number;
  readonly statusMessage: string;
  readonly extra: { message?: string; data?: object };

  constructor(status: number, statusMessage: string, extra: { message?: string; data?: object } = {}) {
    super(statusMessage);
    this.status = status;
    this.statusMessage = statusMessage;
    this.extra = extra;
  }
}

/** Returns the body; throws a 400 if there is a complaint. */
export function valid(complaint: string | null, { request }: Call): Body {
  if (complaint !== null) throw new Failure(400, 'Validation Error', { message: complaint, data: {} });
  return readBody(request) as Body;
}

export function serverError(): Failure {
  return new Failure(500, 'Server Error');
}

export function pageNotFound({ request, state, cookies }: Call): Failure {
  const path = pathOf(request);
  const aYearOn = new Date(state.now() + 365 * 86_400_000).toUTCString();
  const language = `i18n_redirected=en; Path=/; Expires=${aYearOn}; SameSite=Lax`;
  cookies.push(language);
  return new Failure(404, `Page not found: ${path}`, { data: { path } });
}

export function done(): Answer {
  return json({ success: true });
}

export function json(value: unknown): Answer {
  return {
    status: 200,
    statusText: 'OK',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(value),
    chunked: false,
  };
}

const errorHeaders = {
  'content-type': 'application/json',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "script-src 'none'; frame-ancestors 'none';",
  'cache-control': 'no-cache',
};

/** An error response of version 15. */
export function failure15(request: Request, { status, statusMessage, extra }: Failure): Answer {
  const url = `http://${request.headers.host ?? 'localhost'}${request.path}`;
  const body = { error: true, url, statusCode: status, statusMessage, message: statusMessage, ...extra };
  return {
    status,
    statusText: statusMessage,
    headers: errorHeaders,
    body: JSON.stringify(body, null, 2),
    chunked: false,
  };
}
