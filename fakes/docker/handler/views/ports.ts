import type { Container } from '../../model/state.ts';

/** A published port, or an exposed one (no address, host port 0). */
export type ListedPort = { ip: string; hostPort: number; target: number; protocol: string };

/** The ports of a container in the order of the client; empty if it is not running. */
export function portsOf({ status, ports, exposed }: Container): ListedPort[] {
  if (status !== 'running') return [];
  const published = ports.flatMap(({ hostIp, hostPort, target, protocol }) =>
    (hostIp === '' ? ['0.0.0.0', '::'] : [hostIp]).map((ip) => ({ ip, hostPort, target, protocol })),
  );
  const bound = new Set(ports.map(({ target, protocol }) => `${target}/${protocol}`));
  const others = exposed
    .filter((port) => !bound.has(port))
    .map((port) => {
      const [target, protocol = ''] = port.split('/');
      return { ip: '', hostPort: 0, target: Number(target), protocol };
    });
  return [...published, ...others].sort(inOrder);
}

function inOrder(one: ListedPort, other: ListedPort): number {
  return (
    one.target - other.target ||
    compare(one.ip, other.ip) ||
    one.hostPort - other.hostPort ||
    compare(one.protocol, other.protocol)
  );
}

const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other));

/**
 * The port column of lists. Ports published under the same number come first, consecutive ones as a range. Newer
 * clients put IPv6 addresses in brackets.
 */
export function portsText(ports: readonly ListedPort[]): string {
  const isMapped = ({ ip, hostPort, target }: ListedPort) => ip !== '' && hostPort !== target;
  const groups = new Map<string, ListedPort & { last: number }>();
  const texts: string[] = [];
  const write = ({ ip, target, last, protocol }: ListedPort & { last: number }) => {
    const range = target === last ? `${target}` : `${target}-${last}`;
    texts.push(`${ip === '' ? '' : `${ip}:${range}->`}${range}/${protocol}`);
  };
  for (const port of ports.filter((one) => !isMapped(one))) {
    const key = `${port.ip}/${port.protocol}`;
    const group = groups.get(key);
    if (group?.last === port.target - 1) {
      group.last = port.target;
      continue;
    }
    if (group) write(group);
    groups.set(key, { ...port, last: port.target });
  }
  for (const group of groups.values()) write(group);
  const mapped = ports.filter(isMapped);
  return [
    ...texts,
    ...mapped.map(({ ip, hostPort, target, protocol }) => `${ip}:${hostPort}->${target}/${protocol}`),
  ].join(', ');
}
