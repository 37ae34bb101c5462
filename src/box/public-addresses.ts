import type { ChangeResult } from './apps/removed-apps.ts';

/** What the owner sees of the tunnel to a gateway, and of the names that are published there. */
export type AddressesShown = {
  gateway: string;
  boxName: string;
  /** Whether the tunnel carries data and the gateway answers. */
  works: boolean;
  /** When the two ends of the tunnel last agreed on keys; `null` if never. */
  handshakeAt: string | null;
  /** What does not work, and what to do. */
  problems: string[];
  /** `app` is empty if the gateway did not answer. */
  routes: { host: string; url: string; app: string; port: number }[];
};

/** The public addresses of this box. Only the tunnel commands know them. A failure is a Refusal. */
export type PublicAddresses = {
  /** `null` if the box has not joined a gateway. May take 20 s. */
  show(): Promise<AddressesShown | null>;
  join(request: { gateway: string; name: string; token: string }): Promise<ChangeResult>;
  publish(app: string, subdomain: string): Promise<ChangeResult>;
  withdraw(host: string): Promise<ChangeResult>;
};
