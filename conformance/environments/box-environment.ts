import { tmpdir } from 'node:os';
import { type BoxEnvironment, boxEnvironmentIn, makeEnvironmentFolder } from '../../fakes/box-environment.ts';
import { openResident, type Resident } from '../../fakes/docker/resident/resident.ts';
import { fakeDockerPart, fakeSystemdPart } from '../../fakes/fake-parts.ts';
import type { BrowserPart } from './browser.ts';
import type { RealParts } from './parts.ts';
import { realDocker } from './real-docker.ts';
import { realSystemd } from './service-manager.ts';

/** Shared by all environments of this process. */
let resident: Promise<Resident | null> | undefined;

/** An environment in which a check can also open the page, if the run has a browser. */
export type CheckedBoxEnvironment = BoxEnvironment & { browser?: BrowserPart };

/** Makes an environment of a box from the operator's real parts, and fakes for the rest. */
export async function openBoxEnvironment(
  { docker, systemd }: RealParts,
  browser?: BrowserPart,
): Promise<CheckedBoxEnvironment> {
  // The daemons of the machine may see another `/dev/shm` than this process, so real parts use the temporary
  // folder.
  const root =
    docker === undefined && systemd === undefined ? makeEnvironmentFolder() : makeEnvironmentFolder(tmpdir());
  const standIn = async () => {
    resident ??= openResident();
    return fakeDockerPart(root, await resident);
  };
  const environment = boxEnvironmentIn(root, {
    docker: docker === undefined ? await standIn() : await realDocker(root, docker),
    systemd: systemd === undefined ? fakeSystemdPart(root) : realSystemd(root, systemd),
  });
  return Object.assign(environment, browser === undefined ? {} : { browser });
}
