import { type DockerClient, findDocker } from './docker-client.ts';
import { type ForeignManager, openForeignManager } from './foreign-manager.ts';
import { findSystemd, type SystemdPrograms } from './service-manager.ts';

/** What the operator asks for in the place of stand-ins. */
export type PartOptions = {
  docker?: 'stand-in' | 'real';
  systemd?: 'stand-in' | 'real';
  /** The address of a wg-easy. */
  tunnel?: string;
  tunnelUsername?: string;
  tunnelPassword?: string;
};

/** The real parts of a run. */
export type RealParts = { docker?: DockerClient; systemd?: SystemdPrograms; tunnel?: ForeignManager };

/** Finds what was asked for and is there; a wrong option says in one line what is not. */
export async function findParts(options: PartOptions): Promise<RealParts> {
  const {
    docker,
    systemd,
    tunnel,
    tunnelUsername: username = 'admin',
    tunnelPassword: password = '',
  } = options;
  return {
    ...(docker === 'real' ? { docker: await findDocker() } : {}),
    ...(systemd === 'real' ? { systemd: findSystemd() } : {}),
    ...(tunnel === undefined
      ? {}
      : { tunnel: await openForeignManager({ url: tunnel, username, password }) }),
  };
}

/** Whether worlds share something in which one would see what another does. */
export function takesTurns({ docker, systemd, tunnel }: RealParts): boolean {
  return [docker, systemd, tunnel].some((part) => part !== undefined);
}
