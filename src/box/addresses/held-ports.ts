import type { Containers } from '../ports.ts';
import type { Addresses } from './ports.ts';

/**
 * Closes the published ports of an app to the gateway while Compose changes the app's containers: another program could
 * take a port meanwhile.
 */
export function withHeldPorts(containers: Containers, addresses: Pick<Addresses, 'hold' | 'release'>): Containers {
  const during = async <Result>(directory: string, change: () => Promise<Result>): Promise<Result> => {
    await addresses.hold(directory);
    try {
      return await change();
    } finally {
      await addresses.release(directory);
    }
  };
  return {
    ...containers,
    up: (project, ...rest) => during(project.directory, () => containers.up(project, ...rest)),
    down: (project, ...rest) => during(project.directory, () => containers.down(project, ...rest)),
    removeServices: (project, ...rest) => during(project.directory, () => containers.removeServices(project, ...rest)),
  };
}
