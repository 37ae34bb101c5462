import type { Traits } from '../model/dialect.ts';

/**
 * The validator of version 15, with the recorded messages. Version 15.1 distinguishes a wrong type from a missing
 * member, later versions do not.
 */
type Field = {
  /** The name in the user interface. */
  label: string;
  type: 'string' | 'boolean';
  nullable?: boolean;
  least?: number;
  /** Rejects reserved words, and control characters from 15.4. */
  safe?: boolean;
};

const loginFields: Record<string, Field> = {
  username: { label: 'Username', type: 'string' },
  password: { label: 'Password', type: 'string', least: 12 },
  remember: { label: 'Remember', type: 'boolean' },
};

const createFields: Record<string, Field> = {
  name: { label: 'Name', type: 'string', least: 1, safe: true },
  expiresAt: { label: 'Expires At', type: 'string', nullable: true, least: 1 },
};

export type Body = Record<string, unknown>;

export function loginComplaint(traits: Traits, body: unknown): string | null {
  return notAnObject(traits, body) ?? complaints(traits, loginFields, body as Body);
}

export function createComplaint(traits: Traits, body: unknown): string | null {
  return notAnObject(traits, body) ?? complaints(traits, createFields, body as Body);
}

/** An update requires every member; the messages follow the real schema. */
export function updateComplaint(traits: Traits, body: unknown): string | null {
  const object = notAnObject(traits, body);
  if (object !== null) return object;
  const given = body as Body;
  const missing = updateMembers
    .filter((name) => given[name] === undefined && (traits.obfuscation || !/^(firewallIps|j\w+|i\d)$/.test(name)))
    .map(missingText);
  const name = complaints(traits, createFields, { name: given.name, expiresAt: given.expiresAt ?? null });
  return [...(name === null ? [] : [name]), ...missing].join('; ') || null;
}

const updateMembers = (
  'enabled expiresAt ipv4Address ipv6Address preUp postUp preDown postDown allowedIps serverAllowedIps firewallIps mtu ' +
  'jC jMin jMax i1 i2 i3 i4 i5 persistentKeepalive serverEndpoint dns'
).split(' ');

/** The message for a missing member; some have no name in the real schema. */
function missingText(name: string): string {
  const unnamed = /^j/.test(name) ? 'number' : /^i\d$/.test(name) ? 'string' : null;
  return unnamed === null ? `${name} is required` : `Invalid input: expected ${unnamed}, received undefined`;
}

function notAnObject(traits: Traits, body: unknown): string | null {
  const found = body === null ? 'null' : Array.isArray(body) ? 'array' : typeof body;
  if (found === 'object') return null;
  if (!traits.olderWords) return `Invalid input: expected object, received ${found}`;
  return found === 'undefined' ? 'Required' : `Expected object, received ${found}`;
}

function complaints(traits: Traits, fields: Record<string, Field>, body: Body): string | null {
  const found = Object.entries(fields).flatMap(([name, field]) => complaint(traits, name, field, body[name]) ?? []);
  return found.join('; ') || null;
}

function complaint(traits: Traits, name: string, field: Field, value: unknown): string | null {
  if (value === null && field.nullable) return null;
  if (value === undefined || value === null) return `${name} is required`;
  const { type: wanted, label } = field;
  if (typeof value !== wanted) {
    return traits.olderWords ? `${label} must be a valid ${wanted}` : `${name} is required`;
  }
  if (typeof value !== 'string') return null;
  if (value.length < (field.least ?? 0)) return `${label} must be at least ${field.least} Character`;
  return field.safe && isMalformed(traits, value) ? 'String is malformed' : null;
}

function isMalformed(traits: Traits, text: string): boolean {
  if (['__proto__', 'constructor', 'prototype'].includes(text)) return true;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters.
  return traits.refusesControls && /[\u0000-\u001f\u007f]/.test(text);
}
