/** A socket that waits for connections or datagrams. `holder` is the name of its process, or null if none is known. */
export type Listener = { protocol: 'tcp' | 'udp'; address: string; port: number; holder: string | null };

/** A port that a gateway needs, with the part of the gateway that takes it. */
type Needed = { protocol: 'tcp' | 'udp'; port: number; part: Part; isPublic: boolean };

export type Part = 'traefik' | 'wg-easy' | 'gateway';

const needed: readonly Needed[] = [
  { protocol: 'tcp', port: 80, part: 'traefik', isPublic: true },
  { protocol: 'tcp', port: 443, part: 'traefik', isPublic: true },
  { protocol: 'udp', port: 51820, part: 'wg-easy', isPublic: true },
  { protocol: 'tcp', port: 51821, part: 'wg-easy', isPublic: false },
  { protocol: 'tcp', port: 8080, part: 'gateway', isPublic: false },
  { protocol: 'tcp', port: 8082, part: 'traefik', isPublic: false },
];

/** Reads `ss -H -l -n -t -u -p`. Lines of another form are left out. */
export function listenersOf(output: string): Listener[] {
  return output.split('\n').flatMap((line) => {
    const [protocol = '', , , , local = ''] = line.trim().split(/\s+/);
    const [, address = '', port = ''] = /^(.*):(\d+)$/.exec(local) ?? [];
    if ((protocol !== 'tcp' && protocol !== 'udp') || port === '') return [];
    const [, holder = null] = /users:\(\("([^"]*)"/.exec(line) ?? [];
    return [
      {
        protocol,
        address: address
          .split('%', 1)
          .join('')
          .replace(/^\[|\]$/g, ''),
        port: Number(port),
        holder,
      },
    ];
  });
}

/**
 * One sentence for each needed port that another program holds.
 * @param running - the gateway's own parts that run now: their ports are not taken
 */
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
