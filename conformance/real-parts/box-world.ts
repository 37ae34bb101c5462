import { standInDocker, standInSystemd } from '../../fakes/stand-ins.ts';
import { makeWorldFolder, type World, worldIn } from '../../fakes/world.ts';
import type { RealParts } from './parts.ts';
import { realDocker } from './real-docker.ts';
import { realSystemd } from './service-manager.ts';

/** A world of a box with the operator's parts, and stand-ins for the rest. */
export async function makeBoxWorld({ docker, systemd }: RealParts): Promise<World> {
  const root = makeWorldFolder();
  return worldIn(root, {
    docker: docker === undefined ? standInDocker(root) : await realDocker(root, docker),
    systemd: systemd === undefined ? standInSystemd(root) : realSystemd(root, systemd),
  });
}
