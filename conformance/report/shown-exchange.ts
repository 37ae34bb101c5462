import type { Exchange } from '../kernel/exchange.ts';
import type { Clean } from './secrets.ts';

/** An exchange in a report: without secrets, and with long bodies cut. */
export type ShownExchange = {
  method: string;
  path: string;
  request_headers: Record<string, string>;
  request_body: string;
  status: number;
  headers: Record<string, string>;
  body: string;
};

export function showExchange(one: Exchange, clean: Clean): ShownExchange {
  return {
    method: one.method,
    path: clean(one.path),
    request_headers: showHeaders(one.requestHeaders, clean),
    request_body: cut(clean(one.requestBody.toString('utf8'))),
    status: one.status,
    headers: showHeaders(one.headers, clean),
    body: cut(clean(one.text)),
  };
}

const longest = 4000;

export function cut(text: string, length = longest): string {
  return text.length > length ? `${text.slice(0, length).toWellFormed()}… (${text.length} characters)` : text;
}

/** Headers with credentials. */
const credentials = /^(authorization|cookie|set-cookie|proxy-authorization)$/i;

function showHeaders(headers: Record<string, string>, clean: Clean): Record<string, string> {
  const rows = Object.entries(headers).map(([name, value]) => [
    name,
    credentials.test(name) ? value.replace(/(?<=\s|^|=)[^\s=]{8,}/g, '[secret]') : clean(value),
  ]);
  return Object.fromEntries(rows);
}
