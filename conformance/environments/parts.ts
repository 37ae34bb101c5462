import { type DockerClient, findDocker } from './docker-client.ts';
import { type OperatorManager, openOperatorManager } from './operator-manager.ts';
import { findSystemd, type SystemdPrograms } from './service-manager.ts';

/** The options that replace fakes by real parts. */
export type PartOptions = {
  docker?: 'stand-in' | 'real';
  systemd?: 'stand-in' | 'real';
  /** The URL of a wg-easy. */
  tunnel?: string;
  tunnelUsername?: string;
  tunnelPassword?: string;
};

/** The real parts of a run. */
export type RealParts = { docker?: DockerClient; systemd?: SystemdPrograms; tunnel?: OperatorManager };

/** Finds the requested parts. Throws `InvalidOption` if one is missing. */
export async function findParts(options: PartOptions): Promise<RealParts> {
  const { docker, systemd, tunnel, tunnelUsername: username = 'admin', tunnelPassword: password = '' } = options;
  return {
    ...(docker === 'real' ? { docker: await findDocker() } : {}),
    ...(systemd === 'real' ? { systemd: findSystemd() } : {}),
    ...(tunnel === undefined ? {} : { tunnel: await openOperatorManager({ url: tunnel, username, password }) }),
  };
}

/** Whether environments share a part, so that they have to run one at a time. */
export function needsOneJob({ docker, systemd, tunnel }: RealParts): boolean {
  return [docker, systemd, tunnel].some((part) => part !== undefined);
}
