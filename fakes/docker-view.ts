import type { FakeEngine, FaultWish, LoggedCall, SeenContainer } from './docker/engine.ts';
import { findImage } from './docker/model/images.ts';

/** A container as its owner sees it. A new `id` means recreated, a new `startedAt` means restarted. */
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

/** The container engine as checks inspect and change it, without going through the implementation. */
export type Docker = {
  containers: () => Promise<ContainerView[]>;
  project: (name: string) => Promise<Record<string, ContainerView>>;
  /** `null` if there is no local image of this name. */
  imageId: (reference: string) => Promise<string | null>;
  /** Publishes newer content for this tag in the registry. */
  advance: (reference: string) => Promise<void>;
  /** Lets matching calls fail; `fakes/docker` lists points and kinds. */
  fail: (fault: FaultWish) => Promise<void>;
  /** Lets matching calls hang for `ms`, or until they are killed. */
  hang: (fault: { on: string; match?: string; times?: number; ms?: number }) => Promise<void>;
  faultsFired: () => Promise<number>;
  /** Removes all faults and releases hanging calls. */
  clearFaults: () => Promise<void>;
  /** Stops or restarts the API of the engine; its containers keep running. */
  setRunning: (running: boolean) => Promise<void>;
  /** Stops the engine and its containers. `setRunning` starts it and the containers with a restart policy. */
  stopEngine: () => Promise<void>;
  /**
   * Sets what containers of this image do after their start. `finish` exits with status 0. `restart` exits repeatedly
   * but is restarted so quickly that it always looks running.
   */
  behave: (
    image: string,
    does: 'exit' | 'finish' | 'restart' | 'unhealthy' | 'slow-health' | 'never-start',
    generation?: number,
    afterMs?: number,
  ) => Promise<void>;
  crash: (image: string, exitCode: number, lines?: string[], afterMs?: number) => Promise<void>;
  /** Pulls an image as the owner would. */
  pull: (reference: string) => Promise<void>;
  /** Stops a container as the owner would; by name or id. */
  stop: (container: string) => Promise<void>;
  /** The container exits with status 0 and is not restarted. */
  finish: (container: string) => Promise<void>;
  /** The container exits; its restart policy may restart it. */
  exit: (container: string, exitCode: number) => Promise<void>;
  setHealth: (container: string, status: 'starting' | 'healthy' | 'unhealthy') => Promise<void>;
  removeContainer: (container: string) => Promise<void>;
  volumes: () => Promise<string[]>;
  networks: () => Promise<string[]>;
  /** All calls of `docker` so far, oldest first. */
  calls: () => (Pick<LoggedCall, 'argv' | 'names'> & Partial<Pick<LoggedCall, 'at' | 'status'>>)[];
  /**
   * Resets the engine: state and calls. Only a fake that never stopped can do this: an implementation that follows its
   * events would otherwise notice at an unpredictable time that it answers again.
   */
  forget?: (() => Promise<void>) | undefined;
};

/** The fake engine behind the interface that checks use. */
export function fakeDocker(engine: FakeEngine): Docker {
  const containers = async () => engine.containers().map(viewOf);
  let hasStopped = false;
  return {
    containers,
    project: async (name) => {
      const own = (await containers()).filter((one) => one.project === name);
      return Object.fromEntries(own.map((one) => [one.service, one]));
    },
    imageId: async (reference) => {
      const image = findImage(engine.state(), reference);
      return image?.id ?? null;
    },
    advance: async (reference) => void (await engine.advance(reference)),
    fail: async (wish) => void (await engine.fail(wish)),
    hang: async (wish) => void (await engine.hang(wish)),
    faultsFired: async () => engine.faults().reduce((sum, fault) => sum + fault.used, 0),
    clearFaults: () => engine.clearFaults(),
    setRunning: (running) => {
      hasStopped ||= !running;
      return running ? engine.startDaemon() : engine.stopDaemon();
    },
    stopEngine: () => engine.stopDaemon('end'),
    behave: (image, does, generation, afterMs = 0) => {
      const what = does === 'finish' ? { does: 'exit' as const, exitCode: 0 } : { does };
      return engine.behave({ image, ...what, generation: generation ?? null, afterMs });
    },
    crash: (image, exitCode, texts = [], afterMs = 0) => {
      const lines = texts.map((text) => ({ to: 'stderr' as const, text }));
      return engine.behave({ image, does: 'exit', exitCode, lines, afterMs });
    },
    pull: async (reference) => void (await engine.pullByHand(reference)),
    stop: (name) => engine.stopContainerByHand(name),
    finish: engine.endContainer,
    exit: engine.exitContainer,
    setHealth: engine.setHealth,
    removeContainer: (name) => engine.removeContainerByHand(name),
    volumes: async () => engine.volumes().map((volume) => volume.name),
    networks: async () => engine.networks().map((network) => network.name),
    calls: () => engine.log(),
    get forget() {
      return hasStopped ? undefined : engine.forget;
    },
  };
}

function viewOf(container: SeenContainer): ContainerView {
  return {
    id: container.id,
    name: container.name,
    project: container.project,
    service: container.service,
    image: container.image,
    imageId: container.imageId,
    running: container.status === 'running',
    startedAt: container.startedAt,
    env: Object.fromEntries(
      container.env.map((entry) => {
        const equals = entry.indexOf('=');
        return [entry.slice(0, equals), entry.slice(equals + 1)];
      }),
    ),
  };
}
