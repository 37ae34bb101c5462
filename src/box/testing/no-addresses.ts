import type { Addresses, AddressPorts } from '../addresses/ports.ts';

const noUrls = new Map<string, string[]>();

/** The public addresses of a box without a gateway. */
export const noAddresses: Addresses = {
  withdrawRemoved: async () => [],
  hold: async () => undefined,
  release: async () => undefined,
  shut: () => undefined,
  follow: () => undefined,
  problems: async () => null,
  urls: () => noUrls,
  tunnel: { files: { read: () => null } } as AddressPorts,
};
