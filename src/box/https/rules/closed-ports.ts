import { asList, asRecord, type Fields } from '../../rules/compose/fields.ts';
import { isAny, openPorts, type PublishedPort } from '../../rules/compose/published-ports.ts';
import type { Manifest } from '../../rules/manifest/manifest.ts';
import { isNewerVersion } from '../../rules/manifest/newer-version.ts';

type Declared = Manifest['ports'];

/** Compose's first version that replaces a list of ports (`!override`). */
const firstVersion = '2.24.4';

/** Why this Compose cannot close ports, by the answer of `docker compose version --short`; `null` if it can. */
export function composeProblem(answer: string): string | null {
  const [, found] = /^v?(\d{1,5}\.\d{1,5}\.\d{1,5})/.exec(answer.trim()) ?? [];
  if (found !== undefined && !isNewerVersion(firstVersion, found)) return null;
  const own = found === undefined ? 'this one does not say its version' : `this one is ${found}`;
  return `--close-ports needs Docker Compose ${firstVersion} or newer, and ${own}: update Docker's Compose plugin`;
}

/** The port that the name of an app leads to, if it is one of the web and open on all addresses. */
export function openNamedPort(ports: readonly PublishedPort[], declared: Declared): number | undefined {
  const named = namedPort(ports, declared);
  return ports.some((one) => one.hostPort === named && isOpenTcp(one)) ? named : undefined;
}

/**
 * An override file that binds the port of an app's name to loopback; `null` if that port is not open. Only a port that the
 * manifest calls `http` or `https` counts: a game or a name server has clients that no proxy serves.
 * @param config - what `docker compose config --format json` says
 */
export function closingOverride(config: unknown, declared: Declared): string | null {
  const services = Object.entries(asRecord(asRecord(config).services)).map(([name, service]) => {
    const { network_mode: network, ports } = asRecord(service);
    return { name, ports: network === undefined ? asList(ports).map(asRecord) : [] };
  });
  const all = services.flatMap(({ ports }) => ports);
  const named = openNamedPort(all.flatMap(published), declared);
  const isOpen = (port: Fields) => published(port).some((one) => one.hostPort === named && isOpenTcp(one));
  const closed = services.flatMap(({ name, ports }) => {
    if (!ports.some(isOpen)) return [];
    const list = ports.map((port) => (isOpen(port) ? { ...port, host_ip: '127.0.0.1' } : port));
    // Two addresses of one port become the same.
    const texts = new Set(list.map((port) => JSON.stringify(Object.entries(port).toSorted())));
    const distinct = [...texts].map((text) => JSON.stringify(Object.fromEntries(JSON.parse(text))));
    return [`${JSON.stringify(name)}: {ports: !override [${distinct.join(', ')}]}`];
  });
  return closed.length === 0 ? null : `services: {${closed.join(', ')}}\n`;
}

/** `undefined` for another port than one of the web. */
function namedPort(ports: readonly PublishedPort[], declared: Declared): number | undefined {
  const ofWeb = declared.filter((one) => typeof one === 'object' && /^https?$/i.test(String(one.protocol)));
  const [first, web] = [declared, ofWeb].map((some) => openPorts(some, ports, false)[0]?.port);
  return ofWeb.length > 0 && first === web ? first : undefined;
}

function published({ host_ip: address, published: host, target, protocol }: Fields): PublishedPort[] {
  if (!/^\d{1,5}$/.test(String(host))) return [];
  const [hostPort, containerPort] = [Number(host), Number(target)];
  return [{ address: String(address ?? ''), hostPort, containerPort, protocol: String(protocol) }];
}

function isOpenTcp({ address, protocol }: PublishedPort): boolean {
  return protocol === 'tcp' && isAny(address);
}
