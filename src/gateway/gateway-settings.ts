/** Everything that `boxgate gateway serve` can be told. */
export type GatewaySettings = {
  host: string;
  port: number;
  /** Where metrics are served; null: nowhere. */
  metrics: { host: string; port: number } | null;
  /** Any text: in a mode other than `single` registration is answered with 501. */
  mode: string;
  /** The registration secret; null: every registration is refused. */
  boxToken: string | null;
  store: StoreAddress;
  stateDir: string;
  tunnelUrl: string;
  tunnelUsername: string;
  tunnelPassword: string;
  routesDir: string;
  /** Published hosts are `<subdomain>.<domain>`; lower case. */
  domain: string;
  /** Null: Traefik's default certificate. */
  certResolver: string | null;
  entrypoint: string;
  /** Subdomains, lower case, that no box may publish; `gateway` is reserved without being listed. */
  reservedSubdomains: readonly string[];
  boxLimit: number;
  routeLimit: number;
};

/** Where the store lies. `url` of PostgreSQL holds a password: it appears in no message. */
export type StoreAddress =
  | { kind: 'memory' }
  | { kind: 'file'; path: string }
  | { kind: 'postgres'; url: string };
