import type { CommandResult } from '../../lib/command-result.ts';
import type { Certificate } from './rules/certificate.ts';
import type { MachineFacts } from './rules/machine.ts';
import type { Records } from './rules/records.ts';

export type SetupRequest = {
  domain: string;
  email: string;
  /** The name or address that boxes build their tunnels to. */
  publicHost: string;
  /** The network of the tunnels. wg-easy reads it on its first start only. */
  tunnelNetwork: string;
  /** Whether the domain or the network changes before a box has joined, so that nothing of the tunnels is kept. */
  beginsAnew: boolean;
  /** The addresses of the certificate authority; `trial` is null if it has none for trials. */
  authority: { real: string; trial: string | null };
  /** The provider of a challenge by DNS, for a wildcard certificate; null for the challenge on port 443. */
  dnsProvider: string | null;
  checkOnly: boolean;
  dnsWaitMs: number;
};

/** The addresses that lead to this server, and those of a proxy that passes requests on to it. */
export type Proof = { proven: readonly string[]; proxied: readonly string[] };

/** A step that did not work. The message is one sentence with the reason and what to do. */
export class SetupFailed extends Error {}

/** Everything outside that setup needs. The members that change something throw `SetupFailed`. */
export type SetupPorts = {
  /** @param authority - whose clock is compared */
  observe(authority: string): Promise<MachineFacts>;
  lookUp(names: readonly string[]): Promise<Records[]>;
  /** The addresses of this server's interfaces, without those of the machine alone. */
  ownAddresses(): readonly string[];
  /** Asks for a page of this server at these addresses; null if it cannot serve one. */
  prove(host: string, addresses: readonly string[]): Promise<Proof | null>;
  files: {
    /** Null if the file does not exist. Follows no link. */
    read(path: string): string | null;
    /** Writes atomically and durably, with the folder above; in the state directory as the owner of the folder. */
    write(path: string, text: string, mode: number): Promise<void>;
    remove(path: string): Promise<void>;
    newSecret(): string;
    /** A text that comes with the release. */
    shipped(name: string): string;
  };
  /** Installs this release as a service, and returns once it listens. */
  installSoftware(): Promise<void>;
  /** Removes service, packet filter and software. Returns what the script says. */
  removeSoftware(): Promise<string>;
  /** Runs Compose in the folder of the project. Returns its output. */
  compose(...argv: string[]): Promise<string>;
  managerAnswers(): Promise<boolean>;
  /** The certificate that the proxy of this server shows for a name; null if it does not answer. */
  certificate(host: string): Promise<Certificate | null>;
  doctor(): Promise<CommandResult>;
  pause(ms: number): Promise<void>;
  /** Milliseconds of a clock that never jumps. */
  now(): number;
  say(line: string): void;
};
