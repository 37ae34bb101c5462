/** A socket that waits for connections or datagrams. `holder` is the name of its process, or null if none is known. */
export type Listener = { protocol: 'tcp' | 'udp'; address: string; port: number; holder: string | null; pid?: number };

/** A container that runs, with the ports of this machine that Docker passes on to it. */
export type RunningContainer = { id: string; name: string; published: Omit<Listener, 'holder'>[] };

/** A port that a gateway needs, with the part of the gateway that takes it. */
export type NeededPort = { protocol: 'tcp' | 'udp'; port: number; part: Part; isPublic: boolean };

export type Part = 'traefik' | 'wg-easy' | 'gateway';

const needed: readonly NeededPort[] = [
  { protocol: 'tcp', port: 80, part: 'traefik', isPublic: true },
  { protocol: 'tcp', port: 443, part: 'traefik', isPublic: true },
  { protocol: 'udp', port: 51820, part: 'wg-easy', isPublic: true },
  { protocol: 'tcp', port: 51821, part: 'wg-easy', isPublic: false },
  { protocol: 'tcp', port: 8080, part: 'gateway', isPublic: false },
  { protocol: 'tcp', port: 8082, part: 'traefik', isPublic: false },
];

/** The ports that a firewall has to let in. */
export const publicPorts = needed.filter(({ isPublic }) => isPublic);

/** Reads `ss -H -l -n -t -u -p`. Lines of another form are left out. */
export function listenersOf(output: string): Listener[] {
  return output.split('\n').flatMap((line) => {
    const [protocol = '', , , , local = ''] = line.trim().split(/\s+/);
    const [, address = '', port = ''] = /^(.*):(\d+)$/.exec(local) ?? [];
    if ((protocol !== 'tcp' && protocol !== 'udp') || port === '') return [];
    const [, holder = null, pid] = /users:\(\("([^"]*)",(?:pid=(\d+))?/.exec(line) ?? [];
    return [
      {
        protocol,
        address: address.replace(/%.*|[[\]]/g, ''),
        port: Number(port),
        holder,
        ...(pid === undefined ? {} : { pid: Number(pid) }),
      },
    ];
  });
}

/** Reads the lines of `docker ps --no-trunc` with identifier, name and ports, such as `0.0.0.0:80-81->80-81/tcp, 90/udp`. */
export function containersOf(output: string): RunningContainer[] {
  return output.split('\n').flatMap((line) => {
    const [id = '', name, ports] = line.split('\t');
    return name === undefined || ports === undefined
      ? []
      : [{ id, name, published: ports.split(', ').flatMap(publishedPorts) }];
  });
}

function publishedPorts(text: string): Omit<Listener, 'holder'>[] {
  const [, host = '', first = '', last = first, protocol] = /^(.+):(\d+)(?:-(\d+))?->.*\/(tcp|udp)$/.exec(text) ?? [];
  const address = host.replace(/^\[|\]$/g, '');
  const range = { protocol: protocol === 'udp' ? ('udp' as const) : ('tcp' as const), address };
  return needed
    .filter(({ port }) => protocol !== undefined && Number(first) <= port && port <= Number(last))
    .map(({ port }) => ({ ...range, port }));
}

/** Names the container instead of its process, or of Docker's own one. */
export function withContainers(
  listeners: readonly Listener[],
  containers: readonly RunningContainer[],
  containerOf: (pid: number) => string | null,
): Listener[] {
  const holderOf = (name: string) => `the container ${name}`;
  return [
    ...containers.flatMap(({ name, published }) => published.map((port) => ({ ...port, holder: holderOf(name) }))),
    ...listeners.map((listener) => {
      const id = listener.pid === undefined ? null : containerOf(listener.pid);
      const container = containers.find((one) => one.id === id);
      return container === undefined ? listener : { ...listener, holder: holderOf(container.name) };
    }),
  ];
}

/** One sentence for each needed port that is held by another program than the gateway's own running parts. */
export function portProblems(listeners: readonly Listener[], running: ReadonlySet<Part>): string[] {
  return needed.flatMap(({ protocol, port, part, isPublic }) => {
    if (running.has(part)) return [];
    const found = listeners.find(
      (one) => one.protocol === protocol && one.port === port && (isPublic || isLoopback(one.address)),
    );
    if (found === undefined) return [];
    const holder = found.holder ?? (protocol === 'udp' ? 'the kernel (WireGuard)' : 'a program that is not shown');
    return [`port ${port}/${protocol}, which ${part} needs, is taken by ${holder}: stop it, or give it another port`];
  });
}

/** Whether a socket at this address also takes what goes to 127.0.0.1. */
function isLoopback(address: string): boolean {
  return ['*', '0.0.0.0', '127.0.0.1', '', '::', '::ffff:127.0.0.1'].includes(address);
}
