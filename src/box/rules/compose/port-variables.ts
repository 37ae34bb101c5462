import { asList, asRecord, type Fields } from './fields.ts';
import { overlap, type PortSpan } from './port-span.ts';

/** A variable that is the host's side of a published port, such as PORT in `${PORT:-8080}:80`. */
export type PortVariable = { name: string; protocol: string };

const longestText = 300;
const variable = String.raw`\$(?:([a-z_]\w*)|\{([a-z_]\w*)(?:[^\w{}][^{}]*)?\})`;
const longForm = new RegExp(`^${variable}$`, 'i');
const shortForm = new RegExp(
  String.raw`(?:^|:)${variable}:(?:\d{1,5}(?:-\d{1,5})?|\$\{[^{}]*\})(?:/(tcp|udp|sctp))?$`,
  'i',
);

export function portVariables(documents: readonly Fields[]): PortVariable[] {
  const services = documents.flatMap((document) => Object.values(asRecord(document.services)));
  return services.flatMap((service) => asList(asRecord(service).ports).flatMap(variableOf));
}

function variableOf(port: unknown): PortVariable[] {
  const isShort = typeof port === 'string';
  const { published, protocol } = asRecord(port);
  const text = isShort ? port : published;
  if (typeof text !== 'string' || text.length > longestText) return [];
  const [, bare, braced, ofShort] = (isShort ? shortForm : longForm).exec(text) ?? [];
  const name = bare ?? braced;
  if (name === undefined) return [];
  const spoken = isShort ? ofShort : protocol;
  return [{ name, protocol: typeof spoken === 'string' ? spoken.toLowerCase() : 'tcp' }];
}

const lastPort = 65_535;
const mostSteps = 1000;

function isFree(port: number, protocols: readonly string[], taken: readonly PortSpan[]): boolean {
  return protocols.every((protocol) => {
    const span = { protocol, address: '', from: port, to: port };
    return !taken.some((one) => overlap(one, span));
  });
}

/** By variable, a port that is free for all its protocols and no other variable's, in the place of one in use. */
export function freePorts(
  values: ReadonlyMap<string, string>,
  variables: readonly PortVariable[],
  taken: readonly PortSpan[],
): Map<string, string> {
  const protocolsOf = Map.groupBy(variables, ({ name }) => name);
  const wanted = new Map([...protocolsOf.keys()].map((name) => [name, values.get(name) ?? '']));
  const moved = new Map<string, string>();
  for (const [name, own] of protocolsOf) {
    const text = wanted.get(name) as string;
    const protocols = own.map(({ protocol }) => protocol);
    if (!/^\d{1,5}$/.test(text) || isFree(Number(text), protocols, taken)) continue;
    const isWanted = (port: number) => [...wanted.values()].includes(String(port));
    const next = Array.from({ length: mostSteps }, (_, step) => Number(text) + 1 + step);
    const port = next.find((one) => one <= lastPort && !isWanted(one) && isFree(one, protocols, taken));
    if (port === undefined) continue;
    wanted.set(name, String(port));
    moved.set(name, String(port));
  }
  return moved;
}
