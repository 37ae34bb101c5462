import type { HostAnswer } from '../lib/network/host-answer.ts';

/** What the doctor asks this machine. Every function ends within some seconds, and none throws. */
export type Machine = {
  run(argv: readonly string[]): Promise<CommandAnswer>;
  /** Asks a server for a page of a host, without resolving the host's name. */
  ask(server: string, host: string, path: string): Promise<PageAnswer>;
  /** The addresses of a host name; empty if this machine finds no address. */
  resolve(host: string): Promise<string[]>;
  /** The addresses of this machine's own interfaces. */
  addresses(): string[];
  /** The permission bits of a file; `null` if it does not exist. */
  mode(path: string): number | null;
  /** The name and the version of the operating system. */
  system(): string;
  /** The names of the settings that are set. */
  settings(): string[];
};

/** `problem`: why the command failed; `null` if it did not. */
export type CommandAnswer = { out: string; problem: string | null };

export type PageAnswer = Pick<
  HostAnswer,
  'status' | 'server' | 'date' | 'text' | 'problem' | 'distrust' | 'certificateUntil'
>;

export type MachineParts = {
  machine: Machine;
  hostName: string;
  /** The host names under which the box is reached, beside its local ones. */
  names: readonly string[];
};
