import type { ComposeFacts } from './compose-file.ts';
import { interpolate } from './interpolate.ts';
import { type PortSpan, plainAddress } from './port-span.ts';

/** Host ports that a service will publish; `variable` is the variable that they come from, or `null`. */
export type WantedPort = PortSpan & Origin & { target: number };
/** An invalid text in the place of a host port. */
export type PortFault = Origin & { value: string };
type Origin = { service: string; variable: string | null };

/** No app publishes more entries. Each entry is compared with every port in use. */
const mostEntries = 2000;

/**
 * The host ports that the services of an app will publish with this `.env`. An entry without a host port takes any free
 * one. An entry of an unknown form is left to Compose.
 * choice/box/287
 */
export function wantedPorts(
  facts: ComposeFacts,
  env: ReadonlyMap<string, string>,
): { ports: WantedPort[]; faults: PortFault[] } {
  const entries = Object.entries(facts.services).flatMap(([service, { ports }]) =>
    (ports ?? []).map((written) => ({ service, written })),
  );
  const read = entries.slice(0, mostEntries).map(({ service, written }) => readEntry(service, written, env));
  return {
    ports: read.filter((one): one is WantedPort => one !== null && 'from' in one),
    faults: read.filter((one): one is PortFault => one !== null && 'value' in one),
  };
}

const range = /^(\d+)(?:-(\d+))?$/;

function readEntry(service: string, written: string, env: ReadonlyMap<string, string>): WantedPort | PortFault | null {
  const parts = splitEntry(interpolate(written, env));
  if (parts === null || parts.host === '') return null;
  const { address, host, target, protocol } = parts;
  const variable = variableOf(written, env);
  const [, from, to = from] = range.exec(host) ?? [];
  if (from === undefined || to === undefined) {
    // If no variable is involved, Compose reports the fault in its file.
    return variable === null ? null : { service, variable, value: host };
  }
  // A literal 0 asks for any free port.
  if (variable === null && Number(host) === 0) return null;
  if (Number(from) < 1 || Number(to) > 65535) return { service, variable, value: host };
  const [, first, last = first] = range.exec(target) ?? [];
  // If a range of host ports maps to one container port, Docker chooses any free port of the range.
  if (Number(to) - Number(from) !== Number(last) - Number(first)) return null;
  const plain = address === '' ? '' : plainAddress(address);
  if (plain === null) return null;
  const ports = { from: Number(from), to: Number(to), target: Number(first) };
  return { service, variable, protocol, address: plain, ...ports };
}

type Parts = { address: string; host: string; target: string; protocol: string };

/** `[[ADDRESS:]HOST:]TARGET[/PROTOCOL]`; `null` if there is no host part. */
function splitEntry(text: string | null): Parts | null {
  const [, address = '', host = '', target = '', protocol = 'tcp'] =
    /^(?:(.*):)?([^:]*):([^:/]+)(?:\/(\w+))?$/s.exec(text ?? '') ?? [];
  if (target === '') return null;
  return { address: address.replace(/^\[(.*)\]$/, '$1'), host, target, protocol: protocol.toLowerCase() };
}

/** The variable that the host part comes from: the first one whose value appears there. */
function variableOf(written: string, env: ReadonlyMap<string, string>): string | null {
  const mark = '#';
  const names: string[] = [];
  const note = (name: string) => {
    names.push(name);
    return env.get(name);
  };
  interpolate(written, { get: note });
  const shows = (name: string) => {
    const marked = { get: (one: string) => (one === name ? mark : env.get(one)) };
    return splitEntry(interpolate(written, marked))?.host.includes(mark);
  };
  return names.find(shows) ?? null;
}
