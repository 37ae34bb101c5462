import { tmpdir } from 'node:os';
import { openResident, type Resident } from '../../fakes/docker/resident/resident.ts';
import { standInDocker, standInSystemd } from '../../fakes/stand-ins.ts';
import { makeWorldFolder, type World, worldIn } from '../../fakes/world.ts';
import type { RealParts } from './parts.ts';
import { realDocker } from './real-docker.ts';
import { realSystemd } from './service-manager.ts';

/** One for all worlds of this process. */
let resident: Promise<Resident | null> | undefined;

/** A world of a box with the operator's parts, and stand-ins for the rest. */
export async function makeBoxWorld({ docker, systemd }: RealParts): Promise<World> {
  // An engine or a service manager of the machine may see other folders there than this process does.
  const root = docker === undefined && systemd === undefined ? makeWorldFolder() : makeWorldFolder(tmpdir());
  const standIn = async () => {
    resident ??= openResident();
    return standInDocker(root, await resident);
  };
  return worldIn(root, {
    docker: docker === undefined ? await standIn() : await realDocker(root, docker),
    systemd: systemd === undefined ? standInSystemd(root) : realSystemd(root, systemd),
  });
}
