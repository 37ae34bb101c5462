import { tmpdir } from 'node:os';
import { type BoxEnvironment, boxEnvironmentIn, makeEnvironmentFolder } from '../../fakes/box-environment.ts';
import { openResident, type Resident } from '../../fakes/docker/resident/resident.ts';
import { fakeDockerPart, fakeSystemdPart } from '../../fakes/fake-parts.ts';
import type { RealParts } from './parts.ts';
import { realDocker } from './real-docker.ts';
import { realSystemd } from './service-manager.ts';

/** One for all worlds of this process. */
let resident: Promise<Resident | null> | undefined;

/** A world of a box with the operator's parts, and stand-ins for the rest. */
export async function makeBoxWorld({ docker, systemd }: RealParts): Promise<BoxEnvironment> {
  // An engine or a service manager of the machine may see other folders there than this process does.
  const root =
    docker === undefined && systemd === undefined ? makeEnvironmentFolder() : makeEnvironmentFolder(tmpdir());
  const standIn = async () => {
    resident ??= openResident();
    return fakeDockerPart(root, await resident);
  };
  return boxEnvironmentIn(root, {
    docker: docker === undefined ? await standIn() : await realDocker(root, docker),
    systemd: systemd === undefined ? fakeSystemdPart(root) : realSystemd(root, systemd),
  });
}
