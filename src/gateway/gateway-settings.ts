export type GatewaySettings = {
  host: string;
  port: number;
  /** Address of the metrics; `null` if they are not served. */
  metrics: { host: string; port: number } | null;
  /** The tenancy mode, any text. Unless it is `single`, registrations are answered with 501. */
  mode: string;
  /** The registration secret; `null` refuses every registration. */
  boxToken: string | null;
  store: StoreAddress;
  stateDir: string;
  tunnelUrl: string;
  tunnelUsername: string;
  tunnelPassword: string;
  /** `null` for that of wg0, or wg-easy's usual one. */
  tunnelNetwork: { address: string; prefix: number } | null;
  routesDir: string;
  /** Published hosts are `<subdomain>.<domain>`. Lower case. */
  domain: string;
  /** `null` for Traefik's default certificate. */
  certResolver: string | null;
  entrypoint: string;
  proxyApi: string;
  /** Subdomains, lower case, that no box may publish; `gateway` is reserved without being listed. */
  reservedSubdomains: readonly string[];
  boxLimit: number;
  routeLimit: number;
};

/** The address of the store. `url` contains a password and must not appear in messages. */
export type StoreAddress = { kind: 'memory' } | { kind: 'file'; path: string } | { kind: 'postgres'; url: string };

/** Where the entry point of the reverse proxy is reached. */
export const usualProxy = 'https://127.0.0.1';
