/**
 * Reads a gateway's answers without trusting them: boxgate stores their values and shows them on a terminal. An answer
 * that does not match the API is rejected.
 */

import type { components } from '../gateway/api.gen.ts';
import { isJsonObject } from '../lib/json.ts';

type Schemas = components['schemas'];
type Fields = Record<string, unknown>;

const maxConfigLength = 65_536;
const maxErrorLength = 500;

/** Safe in a path, in a file name and on a command line: the first character excludes `..` and flags. */
const id = /^[A-Za-z0-9_][A-Za-z0-9._~-]{0,127}$/;
/** Characters that a header field may contain. */
const token = /^[\x21-\x7e]{1,512}$/;
const address = /^\d{1,3}(?:\.\d{1,3}){3}$/;
/** A host name. The proxies of tests have a port too. */
const host = /^[A-Za-z0-9._:-]{1,260}$/;
const url = /^https?:\/\/[\x21-\x7e]{1,512}$/;
const text = /^\P{Cc}{1,512}$/u;
/** Control and format characters and line ends, which a terminal would interpret. */
const unshowable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

const has = (fields: Fields, name: string, form: RegExp): boolean => {
  const value = fields[name];
  return typeof value === 'string' && form.test(value);
};

export function isRegisterResult(value: unknown): value is Schemas['RegisterResult'] {
  if (!isJsonObject(value) || !isJsonObject(value.tunnel)) return false;
  const { config } = value.tunnel;
  return (
    has(value, 'box_id', id) &&
    has(value, 'box_token', token) &&
    has(value, 'account_id', id) &&
    has(value, 'box_name', text) &&
    has(value.tunnel, 'address', address) &&
    typeof config === 'string' &&
    config.length <= maxConfigLength
  );
}

export function isRotateResult(value: unknown): value is { box_token: string } {
  return isJsonObject(value) && has(value, 'box_token', token);
}

/** Checks all fields that a box uses. */
export function isRoute(value: unknown): value is Schemas['PublishedRoute'] {
  return (
    isJsonObject(value) &&
    has(value, 'id', id) &&
    has(value, 'app_name', text) &&
    has(value, 'host', host) &&
    Number.isInteger(value.port) &&
    (value.url === undefined || has(value, 'url', url))
  );
}

export function isRouteList(value: unknown): value is Schemas['RouteList'] {
  return isJsonObject(value) && Array.isArray(value.routes) && value.routes.every(isRoute);
}

/** A refusal's message, safe to show on a terminal; `null` if the body has no message. */
export function wordsOf(value: unknown): string | null {
  if (!isJsonObject(value) || typeof value.error !== 'string') return null;
  return value.error.replace(unshowable, ' ').slice(0, maxErrorLength);
}
