import type { ComposeFacts } from './compose-file.ts';
import { interpolate } from './interpolate.ts';
import { type PortSpan, plainAddress } from './port-span.ts';

/** Host ports that a service is to publish; `variable` is the one that they come from, if there is one. */
export type WantedPort = PortSpan & Origin & { target: number };
/** A text in the place of a host port that is no port. */
export type PortFault = Origin & { value: string };
type Origin = { service: string; variable: string | null };

/** No app publishes more entries; each is compared with every port that is held. */
const mostEntries = 2000;

/**
 * The host ports that the services of an app are to publish with this `.env`. An entry that names no host port takes
 * any, and what is written in no form known here is left to Compose.
 * choice/box/285
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

function readEntry(
  service: string,
  written: string,
  env: ReadonlyMap<string, string>,
): WantedPort | PortFault | null {
  const parts = splitEntry(interpolate(written, env));
  if (parts === null || parts.host === '') return null;
  const { address, host, target, protocol } = parts;
  const variable = variableOf(written, env);
  const [, from, to = from] = range.exec(host) ?? [];
  if (from === undefined || to === undefined) {
    // Words of the Compose file's own are Compose's to refuse.
    return variable === null ? null : { service, variable, value: host };
  }
  // Written out, 0 is how a Compose file asks for any port.
  if (variable === null && Number(host) === 0) return null;
  if (Number(from) < 1 || Number(to) > 65535) return { service, variable, value: host };
  const [, first, last = first] = range.exec(target) ?? [];
  // From a range to one port of the container, Docker takes any of the range.
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

/** The variable that the host part comes from: the first that another value of shows there. */
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
