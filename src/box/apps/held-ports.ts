import type { Containers, PublicRoutes } from '../ports.ts';

const noUrls = new Map<string, string[]>();

/** The port of a box whose apps are not published. */
export const noPublicRoutes: PublicRoutes = {
  withdrawRemoved: async () => [],
  hold: async () => undefined,
  release: async () => undefined,
  shut: () => undefined,
  follow: () => undefined,
  problems: async () => null,
  urls: () => noUrls,
};

/**
 * Closes the published ports of an app to the gateway while Compose changes the app's containers: another program could
 * take a port meanwhile.
 */
export function withHeldPorts(containers: Containers, routes: PublicRoutes): Containers {
  const during = async <Result>(directory: string, change: () => Promise<Result>): Promise<Result> => {
    await routes.hold(directory);
    try {
      return await change();
    } finally {
      await routes.release(directory);
    }
  };
  return {
    ...containers,
    up: (project, ...rest) => during(project.directory, () => containers.up(project, ...rest)),
    down: (project, ...rest) => during(project.directory, () => containers.down(project, ...rest)),
    removeServices: (project, ...rest) => during(project.directory, () => containers.removeServices(project, ...rest)),
  };
}
