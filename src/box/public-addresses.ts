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
  routes: PublicRoute[];
};

/** `app` is empty if the gateway did not answer; `access` is empty if everybody may open it. */
export type PublicRoute = { host: string; url: string; app: string; port: number; access: string };

/** A publication. Access rules that are `null` stay as they were. */
export type Publication = {
  app: string;
  subdomain: string;
  /** `null`: the one that the app publishes. */
  port: number | null;
  /** The name of a login. */
  login: string | null;
  /** Texts with commas, as the command takes them. */
  allow: string | null;
  openPaths: string | null;
};

/** The public addresses of this box. Only the tunnel commands know them. A failure is a Refusal. */
export type PublicAddresses = {
  /** `null` before the box joins a gateway. May take 20 s. */
  show(): Promise<AddressesShown | null>;
  join(request: { gateway: string; name: string; token: string }): Promise<ChangeResult>;
  /** The addresses of one app, as this box knows them; `null` before the box joins a gateway. */
  ofApp(app: string): Promise<PublicRoute[] | null>;
  /** `password`: of a new login. */
  publish(publication: Publication): Promise<ChangeResult & { password: string }>;
  withdraw(host: string): Promise<ChangeResult>;
};
