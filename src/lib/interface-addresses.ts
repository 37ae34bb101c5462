import { networkInterfaces } from 'node:os';

/** The addresses of this machine's network interfaces as they are now, without zones. */
export function interfaceAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap(
    (entries) => entries?.map(({ address }) => address) ?? [],
  );
}
