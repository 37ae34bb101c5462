/** The validator of version 15, with the recorded messages. */
type Field = {
  /** The name in the user interface. */
  label: string;
  type: 'string' | 'boolean';
  nullable?: boolean;
  least?: number;
  /** Rejects reserved words and control characters. */
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

export function loginComplaint(body: unknown): string | null {
  return notAnObject(body) ?? complaints(loginFields, body as Body);
}

export function createComplaint(body: unknown): string | null {
  return notAnObject(body) ?? complaints(createFields, body as Body);
}

/** An update requires every member; the messages follow the real schema. */
export function updateComplaint(body: unknown): string | null {
  const object = notAnObject(body);
  if (object !== null) return object;
  const given = body as Body;
  const missing = updateMembers.filter((name) => given[name] === undefined).map(missingText);
  const name = complaints(createFields, { name: given.name, expiresAt: given.expiresAt ?? null });
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

function notAnObject(body: unknown): string | null {
  const found = body === null ? 'null' : Array.isArray(body) ? 'array' : typeof body;
  if (found === 'object') return null;
  return `Invalid input: expected object, received ${found}`;
}

function complaints(fields: Record<string, Field>, body: Body): string | null {
  const found = Object.entries(fields).flatMap(([name, field]) => complaint(name, field, body[name]) ?? []);
  return found.join('; ') || null;
}

function complaint(name: string, field: Field, value: unknown): string | null {
  if (value === null && field.nullable) return null;
  if (value === undefined || value === null) return `${name} is required`;
  const { type: wanted, label } = field;
  if (typeof value !== wanted) return `${name} is required`;
  if (typeof value !== 'string') return null;
  if (value.length < (field.least ?? 0)) return `${label} must be at least ${field.least} Character`;
  return field.safe && isMalformed(value) ? 'String is malformed' : null;
}

function isMalformed(text: string): boolean {
  if (['__proto__', 'constructor', 'prototype'].includes(text)) return true;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters.
  return /[\u0000-\u001f\u007f]/.test(text);
}
