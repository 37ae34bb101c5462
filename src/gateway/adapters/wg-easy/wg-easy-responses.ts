/** What wg-easy's answers say, read without trust: null when an answer is not what it should be. */

import { isPeerAddress } from '../../rules/tunnel-config.ts';
import type { Answer } from './wg-easy-request.ts';

/** A client as its list shows it, of any version. Keys are left out: version 15.1 lists private ones. */
export type WgEasyPeer = {
  id: string;
  name: string;
  address: string;
  enabled: boolean;
  lastHandshakeAt: number | null;
};

type Fields = Record<string, unknown>;

function parseFields(body: string): Fields | null {
  const value = parseJson(body);
  return isFields(value) ? value : null;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null; // What is no JSON is not what was asked for, as `null` is not.
  }
}

/** Version 14's view of a session; no other version answers these fields. */
export function parseSession14(answer: Answer): { requiresPassword: boolean; authenticated: boolean } | null {
  const { requiresPassword, authenticated } = parseFields(answer.body) ?? {};
  if (answer.status !== 200) return null;
  if (typeof requiresPassword !== 'boolean' || typeof authenticated !== 'boolean') return null;
  return { requiresPassword, authenticated };
}

/** Whether an answer is version 15's view of a logged-in user. */
export function isUser15(answer: Answer): boolean {
  return answer.status === 200 && typeof parseFields(answer.body)?.username === 'string';
}

/** What a change answers when it was carried out; the id where a create tells it. */
export function parseSuccess(answer: Answer): { id: string | null } | null {
  const fields = parseFields(answer.body);
  if (fields?.success !== true) return null;
  return { id: fields.clientId === undefined ? null : parseId(fields.clientId) };
}

/** The status of a login at version 15: `success` is the only good one. */
export function parseLoginStatus(answer: Answer): string | null {
  const status = parseFields(answer.body)?.status;
  return typeof status === 'string' ? status : null;
}

/** The cookie that an answer sets under a name, as `name=value`, exactly as it came. */
export function findCookie(answer: Answer, name: string): string | null {
  const pairs = (answer.headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0] ?? '');
  const pair = pairs.find((candidate) => candidate.startsWith(`${name}=`) && candidate !== `${name}=`);
  return pair !== undefined && /^[\x21-\x7e]{1,4096}$/.test(pair) ? pair : null;
}

/**
 * All clients of a list whose name is a text: version 14 keeps a name of any JSON type, and such a client is none of
 * ours. Null when the answer is no list of clients.
 */
export function parseClients(body: string): WgEasyPeer[] | null {
  const list = parseJson(body);
  if (!Array.isArray(list)) return null;
  const clients = list.filter((item) => !isFields(item) || typeof item.name === 'string').map(parseClient);
  return clients.every((client) => client !== null) ? clients : null;
}

function parseClient(item: unknown): WgEasyPeer | null {
  if (!isFields(item) || typeof item.name !== 'string') return null;
  const id = parseId(item.id);
  const address = item.ipv4Address ?? item.address;
  if (id === null || typeof address !== 'string' || !isPeerAddress(address)) return null;
  return {
    id,
    name: item.name,
    address,
    enabled: item.enabled === true,
    lastHandshakeAt: parseTime(item.latestHandshakeAt),
  };
}

/** A UUID of version 14, an integer of version 15: nothing that could lead to another path. */
function parseId(value: unknown): string | null {
  const text = Number.isSafeInteger(value) ? String(value) : value;
  return typeof text === 'string' && /^[A-Za-z0-9-]{1,64}$/.test(text) ? text : null;
}

function parseTime(value: unknown): number | null {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? null : time;
}

/** What an error answer of wg-easy says for itself, short and printable; nothing that another server may echo. */
export function wordsOf(answer: Answer): string {
  const { statusCode, message, statusMessage } = parseFields(answer.body) ?? {};
  if (statusCode !== answer.status) return '';
  const words = [message, statusMessage].find((text) => typeof text === 'string') ?? '';
  return String(words)
    .replace(/[^\x20-\x7e]+/g, ' ')
    .trim()
    .slice(0, 120);
}
