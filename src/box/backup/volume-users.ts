import { type BoxPorts, ContainersFailed } from '../ports.ts';
import { isActive } from '../rules/compose/image-changes.ts';
import type { Container } from '../rules/reconcile/container.ts';

/**
 * Running containers of other projects that use these volumes: by volume, their names. Empty if Docker does not say it,
 * because any of the containers may end meanwhile.
 */
export async function otherUsers(
  box: BoxPorts,
  containers: readonly Container[],
  { project, directory, volumes }: { project: string; directory: string; volumes: readonly { name: string }[] },
): Promise<Map<string, string[]>> {
  const names = new Set(volumes.map(({ name }) => name));
  const others = containers.filter((one) => {
    return isActive(one) && one.project !== project && one.workingDirectory !== directory;
  });
  if (names.size === 0 || others.length === 0) return new Map();
  const nameOf = new Map(others.map(({ id, name }) => [id, name]));
  const mounts = await box.backup.volumes.mounts([...nameOf.keys()]).catch((error: unknown) => {
    if (!(error instanceof ContainersFailed) || error.unreachable) throw error;
    return [];
  });
  const found = new Map<string, string[]>();
  for (const { name, container } of mounts) {
    if (names.has(name)) found.set(name, [...(found.get(name) ?? []), nameOf.get(container) ?? container]);
  }
  return found;
}

/** Refuses to exchange the data of a volume while a running container of another project uses it. */
export async function refuseUsedVolumes(
  box: BoxPorts,
  app: { project: string; directory: string; volumes: readonly { name: string }[] },
): Promise<void> {
  if (app.volumes.length === 0) return;
  const { containers, failure } = await box.observer.look();
  if (failure !== null) throw failure;
  const [used] = await otherUsers(box, containers, app);
  if (used === undefined) return;
  const [volume, users] = used;
  const text = `the volume ${volume} is also used by a container of another project; stop it first: docker stop ${users.join(' ')}`;
  throw new ContainersFailed(text, false);
}
