import type { components } from '../../api/api.gen.ts';

type Port = components['schemas']['Port'];
export type OpenPort = components['schemas']['OpenPorts'][number];

export type PublishedPort = { address: string; hostPort: number; containerPort: number; protocol: string };

type Publishing = { published: readonly PublishedPort[]; isOnHostNetwork: boolean; state: string };

/** The ports of an app for its entry in the list: those that its containers publish, and where it can be opened. */
export function portsToShow(declared: readonly Port[], containers: readonly Publishing[]) {
  const published = containers.flatMap((container) => container.published);
  const isOnHostNetwork = containers.some((one) => one.isOnHostNetwork && one.state === 'running');
  const hostPorts = [...new Set(published.map(({ hostPort }) => hostPort))].sort((a, b) => a - b);
  return { published: hostPorts, open_ports: openPorts(declared, published, isOnHostNetwork) };
}

/**
 * The ports that an app can be opened at now. A declared port means the published port of the same number, else the
 * published port of the container's port of that number. If one declared and one published port remain, they belong
 * together. Containers on the host's network publish nothing, so their declared ports are used unchanged.
 * choice/box/265
 */
export function openPorts(
  declared: readonly Port[],
  published: readonly PublishedPort[],
  isOnHostNetwork: boolean,
): OpenPort[] {
  const tcp = published.filter(({ protocol }) => protocol === 'tcp');
  return chosenPorts(declared, tcp, isOnHostNetwork).map((open) => {
    const bindings = tcp.filter(({ hostPort }) => hostPort === open.port);
    const isOnlyHere = bindings.length > 0 && bindings.every(({ address }) => isLoopback(address));
    return isOnlyHere ? { ...open, loopback: true } : open;
  });
}

/** The addresses, as a URL has them, of ports that are published at one address of the machine only. */
export function boundPorts(published: readonly PublishedPort[]): Map<number, string> {
  const bound = new Map<number, string>();
  const here = (address: string) => isAny(address) || address.startsWith('127.');
  const tcp = published.filter(({ protocol }) => protocol === 'tcp');
  for (const { hostPort, address } of tcp) if (!here(address)) bound.set(hostPort, hostText(address));
  for (const { hostPort, address } of tcp) if (here(address)) bound.delete(hostPort);
  return bound;
}

export function isAny(address: string): boolean {
  return ['', '0.0.0.0', '::'].includes(address);
}

export function isLoopback(address: string): boolean {
  return address.startsWith('127.') || address === '::1';
}

function chosenPorts(declared: readonly Port[], tcp: readonly PublishedPort[], isOnHostNetwork: boolean): OpenPort[] {
  const free = new Map(tcp.toSorted((a, b) => a.hostPort - b.hostPort).map((one) => [one.hostPort, one]));
  if (declared.length === 0) return [...free.keys()].map((port) => ({ port, label: '' }));

  const wanted = declared.flatMap(browserPort);
  const found = new Map<OpenPort, number>();
  const left = () => wanted.filter((one) => !found.has(one));
  const take = (one: OpenPort, port: number) => {
    found.set(one, port);
    free.delete(port);
  };
  for (const one of wanted) if (free.has(one.port)) take(one, one.port);
  for (const one of left()) {
    const behind = [...free.values()].find(({ containerPort }) => containerPort === one.port);
    if (behind !== undefined) take(one, behind.hostPort);
  }
  const [last, ...more] = left();
  const [only, ...others] = free.keys();
  if (last !== undefined && only !== undefined && more.length + others.length === 0) take(last, only);
  if (isOnHostNetwork) for (const one of left()) take(one, one.port);
  return wanted.flatMap((one) => {
    const port = found.get(one);
    return port === undefined ? [] : [{ port, label: one.label }];
  });
}

/** The declared port if a browser can open it, else an empty list. For the protocol `https`, the label also says so. */
function browserPort(declared: Port): OpenPort[] {
  const { port, protocol = '', label = '' } = typeof declared === 'object' ? declared : { port: declared };
  if (port < 1 || port > 65_535) return [];
  const spoken = protocol.toLowerCase();
  if (!['', 'tcp', 'http', 'https'].includes(spoken)) return [];
  const isLabelled = spoken !== 'https' || /\bhttps\b/i.test(label);
  return [{ port, label: isLabelled ? label : `${label} (https)`.trim() }];
}

/** A name or an address in the form of a URL. */
export function hostText(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
