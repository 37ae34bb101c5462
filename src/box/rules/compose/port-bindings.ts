/** The host ports `from` to `to` of an address, bound to the container ports that begin at `target`. */
export type PortBinding = { address: string; from: number; to: number; target: number; protocol: string };

/**
 * The host ports in the `Ports` column of `docker ps`, such as `0.0.0.0:8080->80/tcp, [::]:8080->80/tcp, 443/tcp`. A
 * port without a host port is not published and is left out.
 */
export function parsePortBindings(column: string): PortBinding[] {
  return column.split(', ').flatMap((text) => {
    const [, address = '', from, to, target, protocol = ''] =
      /^(.*):(\d+)(?:-(\d+))?->(\d+)(?:-\d+)?\/(\w+)$/.exec(text) ?? [];
    if (from === undefined) return [];
    return [
      {
        address: address.replace(/^\[(.*)\]$/, '$1'),
        from: Number(from),
        to: Number(to ?? from),
        target: Number(target),
        protocol,
      },
    ];
  });
}
