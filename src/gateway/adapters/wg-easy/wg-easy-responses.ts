/** Parsers for responses of wg-easy. They return `null` for a response of another form. */

import { isJsonObject, parseJson } from '../../../lib/json.ts';
import type { PeerState } from '../../ports.ts';
import { isPeerAddress } from '../../rules/tunnel-config.ts';
import type { Answer } from './wg-easy-request.ts';

/** A peer in the list of any version. Only a peer of other users can lack its id or its address. */
export type WgEasyPeer = PeerState & { id: string | null };

function parseFields(body: string): Record<string, unknown> | null {
  const value = parseJson(body);
  return isJsonObject(value) ? value : null;
}

/** The session as version 14 shows it; no other version has these fields. */
export function parseSession14(answer: Answer): { requiresPassword: boolean; authenticated: boolean } | null {
  const { requiresPassword, authenticated } = parseFields(answer.body) ?? {};
  if (answer.status !== 200) return null;
  if (typeof requiresPassword !== 'boolean' || typeof authenticated !== 'boolean') return null;
  return { requiresPassword, authenticated };
}

/** Whether a response is that of version 15 to a logged-in user. */
export function isUser15(answer: Answer): boolean {
  return answer.status === 200 && typeof parseFields(answer.body)?.username === 'string';
}

/** The response to a successful change; `id` if a create returns one. */
export function parseSuccess(answer: Answer): { id: string | null } | null {
  const fields = parseFields(answer.body);
  if (fields?.success !== true) return null;
  return { id: fields.clientId === undefined ? null : parseId(fields.clientId) };
}

/** The status of a login on version 15; only `success` is a success. */
export function parseLoginStatus(answer: Answer): string | null {
  const status = parseFields(answer.body)?.status;
  return typeof status === 'string' ? status : null;
}

/** The cookie of that name which a response sets, as `name=value`, unchanged. */
export function findCookie(answer: Answer, name: string): string | null {
  const pairs = (answer.headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0] ?? '');
  const pair = pairs.find((candidate) => candidate.startsWith(`${name}=`) && candidate !== `${name}=`);
  return pair !== undefined && /^[\x21-\x7e]{1,4096}$/.test(pair) ? pair : null;
}

/** Ignores elements without a name, because our peers have one. `null` if the response is not a list. */
export function parseClients(body: string): WgEasyPeer[] | null {
  const list = parseJson(body);
  return Array.isArray(list) ? list.flatMap(parseClient) : null;
}

function parseClient(item: unknown): WgEasyPeer[] {
  if (!isJsonObject(item) || typeof item.name !== 'string') return [];
  const address = item.ipv4Address ?? item.address;
  const { publicKey } = item;
  return [
    {
      id: parseId(item.id),
      name: item.name,
      publicKey: typeof publicKey === 'string' && /^[A-Za-z0-9+/]{43}=$/.test(publicKey) ? publicKey : null,
      address: typeof address === 'string' && isPeerAddress(address) ? address : null,
      enabled: item.enabled === true,
      expiresAt: parseTime(item.expiresAt),
      lastHandshakeAt: parseTime(item.latestHandshakeAt),
    },
  ];
}

/** A UUID of version 14 or an integer of version 15. Checked, because it becomes a part of a path. */
function parseId(value: unknown): string | null {
  const text = Number.isSafeInteger(value) ? String(value) : value;
  return typeof text === 'string' && /^[A-Za-z0-9-]{1,64}$/.test(text) ? text : null;
}

function parseTime(value: unknown): number | null {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? null : time;
}

/** The error text of wg-easy, shortened and printable. `''` for other servers, which may echo secrets. */
export function wordsOf(answer: Answer): string {
  const { statusCode, message, statusMessage } = parseFields(answer.body) ?? {};
  if (statusCode !== answer.status) return '';
  const words = [message, statusMessage].find((text) => typeof text === 'string') ?? '';
  return String(words)
    .replace(/[^\x20-\x7e]+/g, ' ')
    .trim()
    .slice(0, 120);
}
