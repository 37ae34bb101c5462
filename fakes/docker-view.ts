import type { FakeEngine, FaultWish, LoggedCall, SeenContainer } from './docker/engine.ts';
import { findImage, shownId } from './docker/model/images.ts';

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
  fail: (fault: FaultWish) => Promise<void>;
  /** The next calls that `on` names wait: for ever (until they are killed), or for `ms`. */
  hang: (fault: { on: string; match?: string; times?: number; ms?: number }) => Promise<void>;
  /** How often scripted faults fired. */
  faultsFired: () => Promise<number>;
  /** No fault strikes any more, and what waits goes on. */
  clearFaults: () => Promise<void>;
  /** The engine stops answering, or answers again; its containers run on. */
  setRunning: (running: boolean) => Promise<void>;
  /** The engine stops and ends its containers. `setRunning` starts it again, with those that have a restart policy. */
  stopEngine: () => Promise<void>;
  /**
   * Containers of this image fail to start, exit, exit with status 0 (`finish`), turn unhealthy, take their time to
   * turn healthy, or end over and over and are started again so quickly that whoever looks finds them running.
   */
  behave: (
    image: string,
    does: 'exit' | 'finish' | 'restart' | 'unhealthy' | 'slow-health' | 'never-start',
    generation?: number,
    afterMs?: number,
  ) => Promise<void>;
  /** Containers of this image write these lines to standard error and exit with this code, at every start. */
  crash: (image: string, exitCode: number, lines?: string[], afterMs?: number) => Promise<void>;
  /** Somebody pulls this image by hand. */
  pull: (reference: string) => Promise<void>;
  /** A container is stopped, or removed, behind the implementation's back; by name or id. */
  stop: (container: string) => Promise<void>;
  /** The program in a container exits with status 0, and is not started again whatever its restart policy is. */
  finish: (container: string) => Promise<void>;
  /** The program in a container exits; its restart policy may start it again. */
  exit: (container: string, exitCode: number) => Promise<void>;
  setHealth: (container: string, status: 'starting' | 'healthy' | 'unhealthy') => Promise<void>;
  removeContainer: (container: string) => Promise<void>;
  volumes: () => Promise<string[]>;
  networks: () => Promise<string[]>;
  /** Every call of the program so far, oldest first: for choices about how it is called. */
  calls: () => Pick<LoggedCall, 'argv' | 'names'>[];
  /**
   * The engine remembers nothing any more, neither things nor calls. Only a stand-in can do that, and only one that never
   * stopped: an implementation that watches it would notice at a time of its own that it answers again.
   */
  forget?: (() => Promise<void>) | undefined;
};

/** The stand-in's engine, seen this way. */
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
      return image === undefined ? null : shownId(engine.state(), image);
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
