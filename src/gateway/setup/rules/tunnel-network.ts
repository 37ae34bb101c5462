/** The network of the tunnels of a gateway without another setting. parts.yaml has it, too. */
export const usualTunnelNetwork = '10.8.0.0/24';

export type InterfaceAddress = { name: string; address: string };

/** Why this text cannot be the network of the tunnels; `null` if it can. Boxes expect a network of this size. */
export function tunnelNetworkProblem(text: string): string | null {
  const isPrivate = /^(?:10\.\d{1,3}|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.\d{1,3}\.0\/24$/.test(text);
  if (isPrivate && text.split(/[./]/).every((part) => Number(part) <= 255)) return null;
  return 'a private network of 256 addresses is needed, such as 10.9.0.0/24';
}

/** One sentence for each interface of another program that keeps wg-easy's from being there, or from being reached. */
export function interfaceProblems(
  addresses: readonly InterfaceAddress[],
  hasForeignWg0: boolean,
  network: string,
): string[] {
  const prefix = network.slice(0, network.lastIndexOf('.') + 1);
  return [
    ...(hasForeignWg0
      ? ['there is an interface wg0 of another program, and wg-easy makes one of that name: remove or rename it']
      : []),
    ...addresses
      .filter(({ name, address }) => name !== 'wg0' && address.startsWith(prefix))
      .map(
        ({ name, address }) =>
          `the interface ${name} has the address ${address}, which is in the network of the tunnels, ${network}: choose another one, such as --tunnel-network 10.97.0.0/24`,
      ),
  ];
}
