import { fileShape, type Shape } from './shapes.ts';

/**
 * Validates the YAML value of a file like Traefik: names are case-insensitive, `null` counts as absent, an element
 * without content is an error.
 */
export type FileConfiguration = {
  http?: {
    routers?: Record<string, RouterFields>;
    services?: Record<string, ServiceFields>;
    middlewares?: Record<string, MiddlewareFields>;
    serversTransports?: Record<string, TransportFields>;
  };
};

export type RouterFields = {
  entryPoints?: string[];
  middlewares?: string[];
  service?: string;
  rule?: string;
  ruleSyntax?: string;
  parentRefs?: string[];
  priority?: number;
  tls?: { certResolver?: string; options?: string };
};

export type ServiceFields = {
  middlewares?: string[];
  loadBalancer?: { servers?: { url?: string }[]; passHostHeader?: boolean; serversTransport?: string };
  weighted?: unknown;
  mirroring?: unknown;
  failover?: unknown;
  highestRandomWeight?: unknown;
};

/** One kind only is valid; the kinds without a type here are not served. */
export type MiddlewareFields = {
  basicAuth?: BasicAuthFields;
  ipAllowList?: AddressFields;
  ipWhiteList?: AddressFields;
};
export type BasicAuthFields = { users?: string[]; removeHeader?: boolean; realm?: string };
export type AddressFields = { sourceRange?: string[] };

/** Times in milliseconds. */
export type TransportFields = { forwardingTimeouts?: { dialTimeout?: number; responseHeaderTimeout?: number } };

/** An invalid file, in the words of Traefik where known. */
export class UnusableFile extends Error {}

/** A YAML value before its fields are known. */
type Node = { name: string; text: string; children: Node[] };

/** Converts the parsed YAML of one file. */
export function fileConfiguration(value: unknown): FileConfiguration {
  if (value === null || value === undefined) return {};
  if (!(value instanceof Map)) throw new UnusableFile(`yaml: cannot unmarshal ${kindOf(value)} into a map`);
  const known = Object.keys(fileShape.fields);
  const nodes = childrenOf(value).filter((node) => known.some((name) => sameName(name, node.name)));
  return fill(fileShape, { name: 'traefik', text: '', children: nodes }) as FileConfiguration;
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? '!!seq' : `\`${String(value)}\``;
}

function sameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** The entries of a map sorted by name, without nulls. */
function childrenOf(map: Map<unknown, unknown>): Node[] {
  return [...map]
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([key, value]) => node(nameOf(key), value))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Traefik loses the value of a non-string key. */
function nameOf(key: unknown): string {
  if (typeof key === 'string') return key;
  return typeof key === 'boolean' ? '<bool Value>' : '<int Value>';
}

function node(name: string, value: unknown): Node {
  if (value instanceof Map) return { name, text: '', children: childrenOf(value) };
  if (!Array.isArray(value)) return { name, text: scalar(name, value), children: [] };
  const maps = value.map((item, index) => node(`[${index}]`, item)).filter((_, at) => value[at] instanceof Map);
  const rest = value.filter((item) => !(item instanceof Map)).map((item) => scalar(name, item));
  return { name, text: rest.join(','), children: maps };
}

function scalar(name: string, value: unknown): string {
  if (typeof value === 'string' || typeof value === 'boolean') return String(value);
  if (typeof value === 'bigint' || Number.isInteger(value)) return String(value);
  if (typeof value === 'number') return value.toFixed(6);
  throw new UnusableFile(`field ${name} uses unsupported type: ${value instanceof Date ? 'struct' : 'slice'}`);
}

function fill(shape: Shape, from: Node): unknown {
  switch (shape.kind) {
    case 'text':
      return from.text;
    case 'texts':
      return from.text === '' ? [] : from.text.split(',').map((each) => each.trim());
    case 'integer':
      return integer(from.text);
    case 'duration':
      return duration(from.text);
    case 'boolean':
      return boolean(from.text);
    case 'anything':
      return from;
    case 'list':
      return from.children.map((child) => fillFields(shape.of, child));
    case 'entries':
      return Object.fromEntries(from.children.map((child) => [child.name, fillFields(shape.of, child)]));
    case 'fields':
      return fillFields(shape, from);
  }
}

function fillFields(shape: Shape, from: Node): unknown {
  if (shape.kind !== 'fields') return fill(shape, from);
  const filled: Record<string, unknown> = {};
  for (const child of from.children) {
    const found = Object.entries(shape.fields).find(([name]) => sameName(name, child.name));
    if (found === undefined) throw new UnusableFile(`field not found, node: ${child.name}`);
    const [name, kind] = found;
    if (!isOff(kind, child)) filled[name] = fill(kind, child);
  }
  return filled;
}

/**
 * Whether the field counts as absent. Only an element that may be empty can be a scalar: `true` and the empty text
 * enable it, other text disables it. Other elements without content throw.
 */
function isOff(shape: Shape, from: Node): boolean {
  if ('mayBeEmpty' in shape) return from.children.length === 0 && from.text !== '' && !sameName(from.text, 'true');
  const needsContent = shape.kind === 'fields' || shape.kind === 'entries' || shape.kind === 'anything';
  if (needsContent && from.children.length === 0) throw new UnusableFile(`${from.name} cannot be a standalone element`);
  return false;
}

function integer(text: string): number {
  if (/^[+-]?\d+$/.test(text)) return Number(text);
  throw new UnusableFile(`strconv.ParseInt: parsing "${text}": invalid syntax`);
}

/** In milliseconds. A plain number is in seconds. */
function duration(text: string): number {
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  if (!/^(?:\d+(?:\.\d+)?(?:h|m|s|ms))+$/.test(text)) throw new UnusableFile(`time: invalid duration "${text}"`);
  const msOf: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };
  const parts = text.split(/(?<=[hms])(?=\d)/);
  return parts.reduce((sum, part) => sum + parseFloat(part) * (msOf[part.replace(/^[\d.]+/, '')] ?? 0), 0);
}

function boolean(text: string): boolean {
  if (['1', 't', 'T', 'TRUE', 'true', 'True'].includes(text)) return true;
  if (['0', 'f', 'F', 'FALSE', 'false', 'False'].includes(text)) return false;
  throw new UnusableFile(`strconv.ParseBool: parsing "${text}": invalid syntax`);
}
