import { type BoxPorts, ContainersFailed } from '../ports.ts';
import { isActive } from '../rules/compose/image-changes.ts';
import type { Container } from '../rules/reconcile/container.ts';

type Own = { project: string; directory: string };

/** The containers of other projects that have this volume. */
export function usersOf(volume: string, containers: readonly Container[], { project, directory }: Own): Container[] {
  return containers.filter((one) => {
    const isOwn = one.project === project || one.workingDirectory === directory;
    return !isOwn && one.mounts.some(({ type, name }) => type === 'volume' && name === volume);
  });
}

/**
 * Refuses to exchange the data of a volume while a running container of another project uses it. Of a volume without a
 * name also a stopped one, unless `isOwn`: only its containers tell whose such a volume is.
 * @param isOwn - the volumes were seen in the app's own containers
 */
export async function refuseUsedVolumes(
  box: BoxPorts,
  app: Own & { volumes: readonly { name: string; at?: unknown }[] },
  isOwn: boolean,
): Promise<void> {
  if (app.volumes.length === 0) return;
  const { containers, failure } = await box.observer.look();
  if (failure !== null) throw failure;
  for (const { name, at } of app.volumes) {
    const users = usersOf(name, containers, app);
    const running = users.filter(isActive);
    const stopped = at === undefined || isOwn ? [] : users;
    const [way, named] =
      running.length > 0 ? ['stop it first: docker stop', running] : ['remove it first: docker rm', stopped];
    if (named.length === 0) continue;
    const text = `the volume ${name} is also used by a container of another project; ${way}`;
    throw new ContainersFailed(`${text} ${named.map((one) => one.name).join(' ')}`, false);
  }
}
