import { ContainersFailed, StorageFailed } from '../core.ts';
import type { DnsCertificate, HttpsSetting } from './rules/names.ts';

/** The names with HTTPS in the home network. Every failure of files is a StorageFailed. */
export type HttpsPorts = {
  /** The setting that `setup` kept; `null` if there are no such names. */
  setting(): HttpsSetting | null;
  /** `null` forgets it, and all that belongs to it. */
  keep(setting: HttpsSetting | null): Promise<void>;
  /** The domain, and the names that have a file. The same object as before while nothing changed. */
  served(): Served | null;
  /** The folder of Caddy's files, absolute. */
  folder: string;
  /** Caddy's files by name. */
  read(): Map<string, string>;
  /** Replaces them by these. */
  write(files: ReadonlyMap<string, string>): Promise<void>;
  /** Lets the user of the running Caddy, and nobody else, read the folder. Makes it if need be. */
  makeFolder(): Promise<void>;
  /** `deploy/proxy/Caddyfile`. */
  pageTemplate(): string;
  /** Where the console listens. */
  consoleAddress: string;
  /** The text of Caddy's main file; `null` if it does not exist. */
  readCaddyfile(path: string): string | null;
  writeCaddyfile(path: string, text: string): Promise<void>;
  /** Why this program cannot write Caddy's main file, which exists; `null` if it can. */
  caddyfileProblem(path: string): Promise<string | null>;
  /** Whether the running Caddy may read a file that exists. */
  isForCaddy(path: string): Promise<boolean>;
  caddy: Caddy;
  certificates: Certificates;
  /** Keeps the chain and its key, for Caddy; returns whether they differ from those of before. */
  keepCertificate(pem: string): Promise<boolean>;
  /** Keeps the variables of a provider in a file for root. `undo` puts back those of before. */
  keepCredentials(text: string): Promise<{ file: string; undo(): Promise<void> }>;
  /** The texts of the variables `BOX_HTTPS_…` by their names, such as `BOX_HTTPS_DOMAIN`. */
  variables: ReadonlyMap<string, string>;
  /** The answer of `docker compose version --short`. Throws a ContainersFailed. */
  composeVersion(): Promise<string>;
  /** Keeps an app's override file for Compose, which closes its port; returns its path. */
  keepOverride(label: string, text: string): Promise<string>;
  /** The timer of the renewals. */
  timer: { enable(): Promise<void>; disable(): Promise<void> };
  /** The certificate of Caddy's own authority, as `setup` found it; `null` without one. */
  rootCertificate(): string | null;
  keepRootCertificate(pem: string): Promise<void>;
  /** The addresses of a name, from the system's name servers or from this one; empty if it has no address. */
  resolve(host: string, server: string | null): Promise<string[]>;
  /** The addresses of this machine in its networks, without those of containers. */
  homeAddresses(): string[];
  /** One process at a time works on names. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
};

export type Served = { domain: string; labels: ReadonlySet<string> };

/** An empty `address` means all addresses of the machine. */
export type ListenPlace = { address: string; port: number; hosts: string[] };

/** Every failure is a CaddyFailed or a StorageFailed. */
export type Caddy = {
  version(): Promise<string>;
  /** Throws if Caddy would refuse these files. */
  validate(files: ReadonlyMap<string, string>): Promise<void>;
  /** If Caddy refuses its files, it goes on as before. With `isForced` it reads certificates again. */
  reload(caddyfile: string, isForced: boolean): Promise<void>;
  /** The bcrypt hash of a password. */
  hash(password: string): Promise<string>;
  /** Where it listens with these files, and the hosts of its sites there. */
  listens(caddyfile: string): Promise<ListenPlace[]>;
  /** The root certificate (PEM) of the authority of the running Caddy; `null` if it has none. */
  rootCertificate(caddyfile: string): Promise<string | null>;
};

/** Certificates of an authority for a domain and all names below it. Every failure is a CertificateFailed. */
export type Certificates = {
  /**
   * A sentence about what the owner has to do first; `null` if nothing is missing.
   * @param credentials - variables that replace those of the file. Lego has to list them for the provider, and a
   * variable that names another file is refused
   */
  missing(certificate: DnsCertificate, credentials: string | null): Promise<string | null>;
  /** Obtains a certificate, or renews it if it is due. Takes minutes. Returns the chain and its key. */
  obtain(of: { domain: string; certificate: DnsCertificate }): Promise<string>;
  /** Removes certificates and accounts. */
  forget(): Promise<void>;
};

/** The message is a sentence for the owner. */
export class CertificateFailed extends Error {
  override readonly name = 'CertificateFailed';
}

/** The message is a sentence for the owner. */
export class CaddyFailed extends Error {
  override readonly name = 'CaddyFailed';
  /** Caddy does not run, so it has refused nothing. */
  readonly isAway: boolean;

  constructor(message: string, isAway: boolean, cause?: unknown) {
    super(message, { cause });
    this.isAway = isAway;
  }
}

/** Whether a failure is no fault of the program. */
export function isFailure(error: unknown): error is Error {
  return [CaddyFailed, CertificateFailed, ContainersFailed, StorageFailed].some((kind) => error instanceof kind);
}
