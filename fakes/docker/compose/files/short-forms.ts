import { resolve } from 'node:path';
import { Failure } from '../../model/failure.ts';
import { type Fields, isFields } from './schema.ts';

/** Converters from the short forms of a Compose file to the long forms that `config` prints. */
export function toMapping(value: unknown): Record<string, string | null> {
  if (value === undefined || value === null) return {};
  if (!Array.isArray(value)) {
    return Object.fromEntries(
      Object.entries(value as Fields).map(([name, one]) => [name, one === null ? null : String(one)]),
    );
  }
  return Object.fromEntries(
    value.map((entry) => {
      const text = String(entry);
      const equals = text.indexOf('=');
      return equals < 0 ? [text, null] : [text.slice(0, equals), text.slice(equals + 1)];
    }),
  );
}

/** Splits a command line like a shell: quotes and backslashes. */
export function toWords(value: unknown): string[] | null {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value)) return value.map(String);
  const words: string[] = [];
  const form = /\s*((?:[^\s"'\\]|\\.|"(?:\\.|[^"\\])*"|'[^']*')+)/gy;
  for (const match of String(value).matchAll(form)) {
    words.push(
      (match[1] ?? '').replace(/"((?:\\.|[^"\\])*)"|'([^']*)'|\\(.)/g, (_all, double, single, escaped) =>
        double !== undefined ? double.replace(/\\(["\\$`])/g, '$1') : (single ?? escaped),
      ),
    );
  }
  return words;
}

export type Port = { mode: string; host_ip?: string; target: number; published?: string; protocol: string };

export function toPorts(service: string, value: unknown): Port[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry) => (isFields(entry) ? [longPort(entry)] : shortPorts(service, String(entry))));
}

function longPort(entry: Fields): Port {
  return {
    mode: String(entry.mode ?? 'ingress'),
    ...(entry.host_ip ? { host_ip: String(entry.host_ip) } : {}),
    target: Number(entry.target),
    ...(entry.published !== undefined ? { published: String(entry.published) } : {}),
    protocol: String(entry.protocol ?? 'tcp'),
  };
}

function shortPorts(service: string, text: string): Port[] {
  const match = /^(?:(?:(\[[^\]]+\]|[^:/]*):)?(\d*|\d+-\d+):)?(\d+)(?:-(\d+))?(?:\/(tcp|udp|sctp))?$/i.exec(text);
  const [, ip = '', published = '', from = '', to = from, protocol = 'tcp'] = match ?? [];
  const targets = range(from, to);
  const [first = '', last = first] = published.split('-');
  const hosts = published ? range(first, last) : [];
  const tooLarge = [...hosts, ...targets].find((port) => port > 65_535);
  if (tooLarge !== undefined) {
    throw new Failure(15, `Invalid ${hosts.includes(tooLarge) ? 'hostPort' : 'containerPort'}: ${tooLarge}`);
  }
  if (!match || (hosts.length > 1 && hosts.length !== targets.length)) {
    throw new Failure(15, `services.${service}.ports: invalid port specification: ${JSON.stringify(text)}`);
  }
  return targets.map((target, index) => {
    const host = hosts.length > 0 ? String(hosts[index] ?? hosts[0]) : undefined;
    return longPort({ host_ip: ip.replace(/^\[|\]$/g, ''), target, published: host, protocol: protocol.toLowerCase() });
  });
}

function range(from: string, to: string): number[] {
  const first = Number(from);
  return Array.from({ length: Math.max(0, Number(to) - first + 1) }, (_none, index) => first + index);
}

/** The folders that relative paths and `~` refer to. */
type Origin = { directory: string; home: string };

export type VolumeMount = Fields & { type: string; source?: string; target: string };

export function toVolumes(value: unknown, from: Origin): VolumeMount[] {
  if (!Array.isArray(value)) return [];
  return value.map((entry) => (isFields(entry) ? longVolume(entry, from) : shortVolume(String(entry), from)));
}

function longVolume(entry: Fields, from: Origin): VolumeMount {
  const type = String(entry.type ?? 'volume');
  const isBind = type === 'bind' && typeof entry.source === 'string';
  const source = isBind ? { source: hostPath(String(entry.source), from) } : {};
  const target = withoutFinalSlashes(String(entry.target ?? ''));
  return { ...entry, ...source, type, target };
}

function withoutFinalSlashes(path: string): string {
  let end = path.length;
  while (end > 1 && path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

function shortVolume(text: string, from: Origin): VolumeMount {
  const parts = text.split(':');
  if (parts.length === 1) return { type: 'volume', target: withoutFinalSlashes(text), volume: {} };
  const [source = '', target = '', mode = ''] = parts;
  const readOnly = mode.split(',').includes('ro') ? { read_only: true } : {};
  const clean = withoutFinalSlashes(target);
  if (!/^[./~]/.test(source)) return { type: 'volume', source, target: clean, ...readOnly, volume: {} };
  return { type: 'bind', source: hostPath(source, from), target: clean, ...readOnly, bind: { create_host_path: true } };
}

function hostPath(source: string, { directory, home }: Origin): string {
  return source.startsWith('~') ? resolve(home, source.replace(/^~\/?/, '')) : resolve(directory, source);
}

export type Dependency = { condition: string; required: boolean; restart?: boolean };

export function toDependencies(value: unknown): Record<string, Dependency> {
  if (Array.isArray(value)) {
    return Object.fromEntries(value.map((name) => [String(name), { condition: 'service_started', required: true }]));
  }
  const entries = Object.entries((value ?? {}) as Record<string, Fields | null>);
  return Object.fromEntries(
    entries.map(([name, one]) => [name, { condition: 'service_started', required: true, ...one } as Dependency]),
  );
}

export type EnvFile = { path: string; required: boolean };

export function toEnvFiles(value: unknown, directory: string): EnvFile[] {
  if (value === undefined || value === null) return [];
  return (Array.isArray(value) ? value : [value]).map((entry) => {
    const long: Fields = isFields(entry) ? entry : { path: entry };
    return {
      path: resolve(directory, String(long.path)),
      required: long.required !== false,
    };
  });
}

/** The networks of a service; `default` if it names none and has no `network_mode`. */
export function toNetworks(service: Fields): Record<string, unknown> {
  if (service.network_mode) return {};
  if (Array.isArray(service.networks)) return Object.fromEntries(service.networks.map((name) => [String(name), null]));
  const named = (service.networks ?? {}) as Record<string, unknown>;
  return Object.keys(named).length > 0 ? named : { default: null };
}
