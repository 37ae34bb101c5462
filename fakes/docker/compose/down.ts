import { engineState, faultPoint } from '../handler/call.ts';
import { readFlags } from '../handler/views/flags.ts';
import { Failure } from '../model/failure.ts';
import { removeImage } from '../model/images.ts';
import { hasUsers, removeNetwork, removeVolume } from '../model/networks.ts';
import { type Compose, label, progress, projectContainers, projectOrName } from './context.ts';
import { removeOne } from './converge.ts';
import { inDependencyOrder, type Project } from './files/project.ts';

/** `docker compose down`: containers, then networks; images and named volumes only if requested. */
export async function down(compose: Compose): Promise<void> {
  const { call, argv } = compose;
  const flags = readFlags('compose down', 'remove-orphans v/volumes rmi= t/timeout=', argv);
  const { name, project } = projectOrName(compose);
  await faultPoint(call, 'compose down', [name, project?.sources.directory ?? '']);
  engineState(call);
  const removed = await removeContainers(compose, name, project, flags.rest, flags.has('remove-orphans'));
  const others = (await removeNetworks(compose, name)) + (await removeMore(compose, name, project, flags));
  if (removed + others === 0 && !project?.networks.length) {
    call.err(`Warning: No resource found to remove for project ${JSON.stringify(name)}.
`);
  }
  await faultPoint(call, 'compose down', [name], 'after');
}

async function removeContainers(
  { call }: Compose,
  name: string,
  project: Project | null,
  asked: readonly string[],
  orphans: boolean,
): Promise<number> {
  const order = project ? inDependencyOrder(project.services).map((one) => one.name) : [];
  const lost = asked.find((service) => project && !order.includes(service));
  if (lost) throw new Failure(1, `no such service: ${lost}`);
  const rank = (service: string) => order.indexOf(service);
  const isDisabled = (service: string) => project?.disabled.some((one) => one.name === service) ?? false;
  const going = projectContainers(call.read(), name)
    .filter((one) => !project || orphans || rank(one.labels[label.service] ?? '') >= 0)
    .filter((one) => !isDisabled(one.labels[label.service] ?? ''))
    .filter((one) => asked.length === 0 || asked.includes(one.labels[label.service] ?? ''))
    .sort((one, other) => rank(other.labels[label.service] ?? '') - rank(one.labels[label.service] ?? ''));
  for (const container of going) await removeOne(call, container, name);
  return going.length;
}

async function removeNetworks({ call }: Compose, name: string): Promise<number> {
  const going = call.read().networks.filter((one) => one.labels[label.project] === name);
  for (const network of going) {
    progress(call, `Network ${network.name}`, 'Removing');
    if (hasUsers(call.read(), network)) {
      progress(call, `Network ${network.name}`, 'Resource is still in use');
      continue;
    }
    await call.change((state) => removeNetwork(state, network.name));
    progress(call, `Network ${network.name}`, 'Removed');
  }
  return going.length;
}

async function removeMore(
  { call }: Compose,
  name: string,
  project: Project | null,
  flags: ReturnType<typeof readFlags>,
): Promise<number> {
  const rmi = flags.text('rmi');
  const images =
    rmi && project
      ? project.services.filter((one) => rmi === 'all' || one.fields.image === undefined).map((one) => one.image)
      : [];
  for (const image of images) await removeQuietly(call, `Image ${image}`, (state) => removeImage(state, image, false));
  if (!flags.has('volumes')) return images.length;
  const volumes = call.read().volumes.filter((one) => one.labels[label.project] === name);
  for (const volume of volumes)
    await removeQuietly(call, `Volume ${volume.name}`, (state) => removeVolume(state, volume.name));
  return images.length + volumes.length;
}

async function removeQuietly(
  call: Compose['call'],
  what: string,
  remove: (state: ReturnType<typeof call.read>) => unknown,
): Promise<void> {
  progress(call, what, 'Removing');
  try {
    await call.change(remove);
    progress(call, what, 'Removed');
  } catch (error) {
    // Compose reports a resource in use, but does not fail.
    if (!(error instanceof Failure)) throw error;
    progress(call, what, 'Resource is still in use');
  }
}
