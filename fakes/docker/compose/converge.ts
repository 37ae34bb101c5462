import { type Call, faultPoint } from '../handler/call.ts';
import {
  createContainer,
  removeContainer,
  renameContainer,
  startContainer,
  stopContainer,
} from '../model/containers.ts';
import { daemonError } from '../model/failure.ts';
import { requireImage } from '../model/images.ts';
import { createVolume } from '../model/networks.ts';
import type { Container, EngineState } from '../model/state.ts';
import { label, progress, serviceContainers } from './context.ts';
import type { Project } from './files/project.ts';
import { configHash, type Service } from './files/service.ts';
import { describeContainer } from './new-container.ts';

export type Recreate = 'diverged' | 'force' | 'never';
type Work = { call: Call; project: Project; envFiles: readonly string[] };

/**
 * Creates, recreates and removes containers of a service as the project requires; starts none. Returns true if one was
 * recreated.
 */
export async function convergeService(
  work: Work,
  service: Service,
  recreate: Recreate,
  scale: number,
): Promise<boolean> {
  const { call, project } = work;
  const present = serviceContainers(call.read(), project.name, service.name);
  for (const surplus of present.slice(scale)) await removeOne(call, surplus, project.name);
  let isRemade = false;
  for (const container of present.slice(0, scale)) {
    isRemade = (await keepOrRecreate(work, service, container, recreate)) || isRemade;
  }
  const taken = present.map((one) => Number(one.labels[label.number]));
  for (let missing = present.length; missing < scale; missing += 1) {
    const number = Math.max(0, ...taken) + 1;
    taken.push(number);
    await createOne(work, service, number);
  }
  return isRemade;
}

async function keepOrRecreate(
  work: Work,
  service: Service,
  container: Container,
  recreate: Recreate,
): Promise<boolean> {
  const { call } = work;
  if (mustRecreate(call.read(), service, container, recreate)) {
    await recreateOne(work, service, container);
    return true;
  }
  const status = container.status;
  if (status !== 'created') progress(call, `Container ${container.name}`, status === 'running' ? 'Running' : 'Created');
  return false;
}

function mustRecreate(state: EngineState, service: Service, container: Container, recreate: Recreate): boolean {
  if (recreate !== 'diverged') return recreate === 'force';
  if (container.labels[label.configHash] !== configHash(service)) return true;
  return container.labels[label.image] !== requireImage(state, service.image).id;
}

function containerName(project: Project, service: Service, number: number): string {
  return service.containerName || `${project.name}-${service.name}-${number}`;
}

async function createOne(work: Work, service: Service, number: number): Promise<void> {
  const name = containerName(work.project, service, number);
  progress(work.call, `Container ${name}`, 'Creating');
  await faultPoint(work.call, 'create', [name, service.name, work.project.name, service.image]);
  await make(work, service, number, name);
  await faultPoint(work.call, 'create', [name, service.name, work.project.name, service.image], 'after');
  progress(work.call, `Container ${name}`, 'Created');
}

function make(work: Work, service: Service, number: number, name: string): Promise<Container> {
  const { call, project, envFiles } = work;
  return call.change((state) => {
    const image = requireImage(state, service.image);
    const wanted = describeContainer(state, project, service, image, number, name, envFiles);
    for (const mount of wanted.mounts) {
      if (mount.type === 'volume') createVolume(state, mount.name, {});
    }
    return createContainer(state, wanted, image, call.now());
  });
}

/** Creates the new container under a temporary name, so that a failure leaves the old one running. */
async function recreateOne(work: Work, service: Service, old: Container): Promise<void> {
  const { call, project } = work;
  const number = Number(old.labels[label.number]);
  const name = containerName(project, service, number);
  progress(call, `Container ${old.name}`, 'Recreate');
  const about = [name, service.name, project.name, service.image];
  await faultPoint(call, 'create', about);
  const made = await make(work, service, number, `${old.id.slice(0, 12)}_${name}`);
  await faultPoint(call, 'stop', about);
  await call.change((state) => {
    const current = state.containers.find((one) => one.id === old.id);
    if (current) stopContainer(state, current, call.now(), 'stop');
  });
  await faultPoint(call, 'remove', about);
  await call.change((state) => {
    const current = state.containers.find((one) => one.id === old.id);
    if (current) removeContainer(state, current, call.now());
    const fresh = state.containers.find((one) => one.id === made.id);
    if (fresh) renameContainer(state, fresh, name, call.now());
  });
  progress(call, `Container ${name}`, 'Recreated');
}

export async function removeOne(call: Call, container: Container, project: string): Promise<void> {
  await stopOne(call, container, project);
  await deleteOne(call, container, project);
}

export async function deleteOne(call: Call, container: Container, project: string): Promise<void> {
  progress(call, `Container ${container.name}`, 'Removing');
  await faultPoint(call, 'remove', [container.name, container.labels[label.service] ?? '', project]);
  await call.change((state) => {
    const current = state.containers.find((one) => one.id === container.id);
    if (current) removeContainer(state, current, call.now());
  });
  progress(call, `Container ${container.name}`, 'Removed');
}

export async function stopOne(call: Call, container: Container, project: string): Promise<void> {
  progress(call, `Container ${container.name}`, 'Stopping');
  await faultPoint(call, 'stop', [container.name, container.labels[label.service] ?? '', project]);
  await call.change((state) => {
    const current = state.containers.find((one) => one.id === container.id);
    if (current) stopContainer(state, current, call.now(), 'stop');
  });
  progress(call, `Container ${container.name}`, 'Stopped');
}

/** Starts the containers of a service that are not running. */
export async function startService(call: Call, project: string, service: string): Promise<void> {
  for (const container of serviceContainers(call.read(), project, service)) {
    const status = container.status;
    if (status === 'running' || status === 'restarting') continue;
    progress(call, `Container ${container.name}`, 'Starting');
    await faultPoint(call, 'start', [container.name, service, project, container.image]);
    const trouble = await call.change((state) => {
      const current = state.containers.find((one) => one.id === container.id);
      if (!current) return `No such container: ${container.id}`;
      return startContainer(state, current, call.now());
    });
    if (trouble) throw daemonError(trouble);
    progress(call, `Container ${container.name}`, 'Started');
  }
}
