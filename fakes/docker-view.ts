import { statusOf } from './docker/model/containers.ts';
import { findImage, shownId } from './docker/model/images.ts';
import type { Container, EngineState, Fault } from './docker/model/state.ts';
import { openStore } from './docker/transport/store.ts';

/** A container as its owner sees it; `id` and `startedAt` tell whether it is still the same one. */
export type ContainerView = {
  id: string;
  name: string;
  project: string;
  service: string;
  image: string;
  imageId: string;
  running: boolean;
  startedAt: number | null;
  env: Record<string, string>;
};

/** What checks look at, and do to, the container engine behind an implementation's back. */
export type Docker = {
  containers: () => Promise<ContainerView[]>;
  /** The containers of one Compose project, by service. */
  project: (name: string) => Promise<Record<string, ContainerView>>;
  /** The id of the local image of this name, or null. */
  imageId: (reference: string) => Promise<string | null>;
  /** The registry's image of this name becomes a newer one. */
  advance: (reference: string) => Promise<void>;
  /** The next calls that `on` names fail; see `fakes/docker` for points and kinds. */
  fail: (fault: Partial<Fault> & { on: string }) => Promise<void>;
  /** How often scripted faults fired. */
  faultsFired: () => Promise<number>;
  clearFaults: () => Promise<void>;
  /** The engine stops answering, or answers again. */
  setRunning: (running: boolean) => Promise<void>;
  /** Containers of this image fail to start, exit or turn unhealthy. */
  behave: (image: string, does: 'exit' | 'unhealthy' | 'never-start', generation?: number) => Promise<void>;
  /** A container is stopped from outside. */
  stop: (id: string) => Promise<void>;
  volumes: () => Promise<string[]>;
  networks: () => Promise<string[]>;
};

/** The stand-in's engine in this folder. */
export function fakeDocker(folder: string): Docker {
  const store = () => openStore(folder);
  const containers = async () => store().read().containers.map(viewOf);
  return {
    containers,
    project: async (name) => {
      const own = (await containers()).filter((one) => one.project === name);
      return Object.fromEntries(own.map((one) => [one.service, one]));
    },
    imageId: async (reference) => {
      const state = store().read();
      const image = findImage(state, reference);
      return image === undefined ? null : shownId(state, image);
    },
    advance: (reference) =>
      store().change((state) => {
        state.registry[reference] = { generation: (state.registry[reference]?.generation ?? 1) + 1 };
      }),
    fail: (fault) => store().change((state) => void state.faults.push(wholeFault(fault, state))),
    faultsFired: async () =>
      store()
        .read()
        .faults.reduce((sum, fault) => sum + fault.used, 0),
    clearFaults: () =>
      store().change((state) => {
        for (const fault of state.faults) fault.left = 0;
      }),
    setRunning: (running) =>
      store().change((state) => {
        state.running = running;
      }),
    behave: (image, does, generation) =>
      store().change((state) => {
        state.behaviours.push({ image, generation: generation ?? null, does, exitCode: 1, afterMs: 0 });
      }),
    stop: (id) =>
      store().change((state) => {
        const container = state.containers.find((one) => one.id === id);
        if (container === undefined) return;
        Object.assign(container, { status: 'exited', finishedAt: Date.now(), exitCode: 137, exit: null });
      }),
    volumes: async () =>
      store()
        .read()
        .volumes.map((volume) => volume.name),
    networks: async () =>
      store()
        .read()
        .networks.map((network) => network.name),
  };
}

function wholeFault(fault: Partial<Fault> & { on: string }, state: EngineState): Fault {
  return {
    id: `world-${state.faults.length}`,
    match: null,
    left: null,
    used: 0,
    kind: 'error',
    message: null,
    status: 1,
    ms: null,
    when: 'before',
    ...fault,
  };
}

function viewOf(container: Container): ContainerView {
  return {
    id: container.id,
    name: container.name,
    project: container.labels['com.docker.compose.project'] ?? '',
    service: container.labels['com.docker.compose.service'] ?? '',
    image: container.image,
    imageId: container.imageId,
    running: statusOf(container, Date.now()) === 'running',
    startedAt: container.startedAt,
    env: Object.fromEntries(
      container.env.map((entry) => {
        const equals = entry.indexOf('=');
        return [entry.slice(0, equals), entry.slice(equals + 1)];
      }),
    ),
  };
}
