import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createContainer,
  endContainer,
  exitContainer,
  findContainer,
  removeContainer,
  startContainer,
  stopContainer,
  stopWithEngine,
  turnHealth,
} from './model/containers.ts';
import { moveTag, pullImage, readReference, registryGeneration } from './model/images.ts';
import { findNetwork, nextAddress } from './model/networks.ts';
import {
  type Behaviour,
  type Container,
  type EngineState,
  emptyState,
  type Fault,
  type FaultKind,
  type HealthStatus,
  type Image,
  type Network,
  type Volume,
} from './model/state.ts';
import { fakeDockerProgram } from './program.ts';
import { plainLauncher, residentLauncher } from './resident/launcher.ts';
import type { Resident } from './resident/resident.ts';
import { openStore, type Store } from './transport/store.ts';

/**
 * A fake engine for checks, demos and benchmarks: `bin/docker` is the program, `docker/` contains its state. Reads are
 * synchronous; changes need the lock of the engine and return promises.
 */
export type FakeEngine = {
  /** The folder with `docker`, to be put first on `PATH`. */
  bin: string;
  folder: string;
  state(): EngineState;
  containers(): SeenContainer[];
  container(name: string): SeenContainer | undefined;
  images(): Image[];
  networks(): Network[];
  volumes(): Volume[];
  log(): LoggedCall[];
  faults(): Fault[];

  /** Publishes new content for a tag in the registry and returns its generation. Local images stay. */
  advance(reference: string): Promise<number>;
  fail(wish: FaultWish): Promise<FaultHandle>;
  /** The command hangs for `ms` or until it is killed. */
  hang(wish: Omit<FaultWish, 'kind' | 'message' | 'status'> & { ms?: number }): Promise<FaultHandle>;
  /** Removes all faults and releases hanging calls. */
  clearFaults(): Promise<void>;
  /** Sets what containers of an image do after their start, for one generation or all. */
  behave(wish: Pick<Behaviour, 'image' | 'does'> & Partial<Behaviour>): Promise<void>;
  /** `end` also stops the containers. */
  stopDaemon(containers?: 'keep' | 'end'): Promise<void>;
  startDaemon(): Promise<void>;

  /** Manual actions of the owner, without the implementation. */
  pullByHand(reference: string): Promise<Image>;
  removeContainerByHand(name: string): Promise<void>;
  stopContainerByHand(name: string): Promise<void>;
  /** The container exits; its restart policy may restart it. */
  exitContainer(name: string, exitCode: number): Promise<void>;
  /** The container exits with status 0 and is not restarted. */
  endContainer(name: string): Promise<void>;
  startContainerByHand(name: string): Promise<void>;
  setHealth(name: string, status: HealthStatus): Promise<void>;
  seedContainer(wish: SeedContainer): Promise<SeenContainer>;
  change<T>(work: (state: EngineState) => T): Promise<T>;
  /** Resets the engine to empty, but reuses no ids. Fails while a call is running. */
  forget(): Promise<void>;
};

export type SeenContainer = Container & { project: string; service: string };
export type LoggedCall = {
  at: number;
  pid: number;
  argv: string[];
  cwd: string;
  env: Record<string, string>;
  /** The names of all its environment variables. */
  names: string[];
  /** The exit status; missing while the call runs, or if it was killed. */
  status?: number;
  ms?: number;
  faults: string[];
};
export type FaultWish = {
  /** `pull`, `create`, `start`, `stop`, `remove`, `build`; `up`, `down`, `ps`, …; `compose ps`, `image inspect`, …; `any`. */
  on: string;
  /** Part of an image reference, or of a project, service or container name. */
  match?: string;
  times?: number;
  kind?: FaultKind;
  message?: string;
  status?: number;
  when?: Fault['when'];
};
export type FaultHandle = { id: string; used(): number };
export type SeedContainer = {
  name: string;
  image: string;
  labels?: Record<string, string>;
  env?: string[];
  ports?: Container['ports'];
  running?: boolean;
};

/** With `resident`, its thread executes the calls; otherwise each call starts a Node process. */
export function makeEngine(parent: string, resident: Resident | null = null): FakeEngine {
  const folder = join(parent, 'docker');
  const bin = join(parent, 'bin');
  const store = openStore(folder);
  writeLauncher(bin, folder, resident);
  return {
    bin,
    folder,
    ...views(store),
    ...behaviours(store),
    ...manualActions(store),
    change: store.change,
    forget: () => forget(store),
  };
}

function writeLauncher(bin: string, folder: string, resident: Resident | null): void {
  const words = [...fakeDockerProgram(), '--engine-folder', folder];
  const text = resident === null ? plainLauncher(words) : residentLauncher(resident.bash, resident, folder, words);
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'docker'), text, { mode: 0o700 });
}

function views(store: Store) {
  const see = (container: Container): SeenContainer => ({
    ...container,
    project: container.labels['com.docker.compose.project'] ?? '',
    service: container.labels['com.docker.compose.service'] ?? '',
  });
  return {
    state: store.read,
    containers: () => store.read().containers.map(see),
    container: (name: string) => {
      const found = findContainer(store.read(), name);
      return found && see(found);
    },
    images: () => store.read().images,
    networks: () => store.read().networks,
    volumes: () => store.read().volumes,
    faults: () => store.read().faults,
    log: () => readLog(store.folder),
  };
}

function readLog(folder: string): LoggedCall[] {
  const calls = new Map<string, LoggedCall>();
  for (const line of logLines(folder)) {
    const { call, ...fields } = JSON.parse(line) as { call: string };
    const known = calls.get(call);
    if (known) Object.assign(known, fields);
    // If a reset removed the start line of a call, its end line is skipped.
    else if ('argv' in fields) calls.set(call, { faults: [], ...fields } as unknown as LoggedCall);
  }
  return [...calls.values()];
}

function logLines(folder: string): string[] {
  try {
    // The last line may be incomplete.
    return readFileSync(join(folder, 'calls.jsonl'), 'utf8').split('\n').slice(0, -1);
  } catch (error) {
    // Without a log there were no calls yet.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

async function forget(store: Store): Promise<void> {
  await store.change((state) => {
    const isUnderWay = (call: LoggedCall) => call.status === undefined && call.argv[0] !== 'events';
    if (readLog(store.folder).some(isUnderWay))
      throw new Error('cannot reset the fake engine: a call is under way, or was killed');
    for (const container of state.containers) removeContainer(state, container, Date.now());
    Object.assign(state, { ...emptyState(), serial: state.serial, events: state.events });
    rmSync(join(store.folder, 'calls.jsonl'), { force: true });
  });
}

function behaviours(store: Store) {
  const addFault = async (wish: FaultWish, kind: FaultKind, ms: number | null): Promise<FaultHandle> => {
    const fault = await store.change((state) => {
      state.serial += 1;
      const made: Fault = {
        id: `fault-${state.serial}`,
        on: wish.on,
        match: wish.match ?? null,
        left: wish.times ?? null,
        used: 0,
        isCleared: false,
        kind,
        message: wish.message ?? null,
        status: wish.status ?? 1,
        ms,
        when: wish.when ?? (kind === 'connection-dropped' ? 'after' : 'before'),
      };
      state.faults.push(made);
      return made;
    });
    const used = () => store.read().faults.find((one) => one.id === fault.id)?.used ?? 0;
    return { id: fault.id, used };
  };
  return {
    advance: (reference: string) =>
      store.change((state) => {
        const { familiar } = readReference(reference);
        const generation = registryGeneration(state, familiar) + 1;
        state.registry[familiar] = { generation };
        return generation;
      }),
    fail: (wish: FaultWish) => addFault(wish, wish.kind ?? 'error', null),
    hang: (wish: Omit<FaultWish, 'kind' | 'message' | 'status'> & { ms?: number }) =>
      addFault(wish, 'hang', wish.ms ?? null),
    clearFaults: () =>
      store.change((state) => {
        for (const fault of state.faults) Object.assign(fault, { left: 0, isCleared: true });
      }),
    behave: (wish: Pick<Behaviour, 'image' | 'does'> & Partial<Behaviour>) =>
      store.change((state) => {
        const image = readReference(wish.image).familiar;
        state.behaviours.push({ generation: null, exitCode: 1, afterMs: 0, lines: [], ...wish, image });
      }),
    stopDaemon: (containers: 'keep' | 'end' = 'keep') =>
      store.change((state) => {
        if (containers === 'end') stopWithEngine(state, Date.now());
        state.running = false;
      }),
    startDaemon: () =>
      store.change((state) => {
        state.running = true;
      }),
  };
}

function manualActions(store: Store) {
  const onContainer = (name: string, work: (state: EngineState, container: Container, now: number) => void) =>
    store.change((state) => {
      const container = findContainer(state, name);
      if (!container) throw new Error(`the fake engine has no container ${name}`);
      work(state, container, Date.now());
    });
  const onRunning: typeof onContainer = (name, work) =>
    onContainer(name, (state, container, now) => {
      if (container.status === 'running') work(state, container, now);
    });
  return {
    pullByHand: (reference: string) => store.change((state) => pullImage(state, reference).image),
    removeContainerByHand: (name: string) => onContainer(name, removeContainer),
    stopContainerByHand: (name: string) =>
      onContainer(name, (state, container, now) => stopContainer(state, container, now, 'stop')),
    exitContainer: (name: string, code: number) =>
      onRunning(name, (state, container, at) => exitContainer(state, container, { at, code, atOnce: false })),
    endContainer: (name: string) => onRunning(name, (state, container, at) => endContainer(state, container, at, 0)),
    startContainerByHand: (name: string) =>
      onContainer(name, (state, container, now) => {
        const trouble = startContainer(state, container, now);
        if (trouble) throw new Error(trouble);
      }),
    setHealth: (name: string, status: HealthStatus) =>
      onContainer(name, (state, container, now) => turnHealth(state, container, status, now)),
    seedContainer: (wish: SeedContainer) => seed(store, wish),
  };
}

async function seed(store: Store, wish: SeedContainer): Promise<SeenContainer> {
  const id = await store.change((state) => {
    const { image } = pullImage(state, wish.image);
    moveTag(state, readReference(wish.image).familiar, image);
    const bridge = findNetwork(state, 'bridge');
    const networks = bridge ? [{ name: 'bridge', id: bridge.id, ip: nextAddress(state, bridge), aliases: [] }] : [];
    const container = createContainer(state, { ...plainContainer, networks, ...seedFields(wish) }, image, Date.now());
    if (wish.running !== false) startContainer(state, container, Date.now());
    return container.id;
  });
  const found = views(store).container(id);
  if (!found) throw new Error('the seeded container is not there');
  return found;
}

function seedFields({ name, image, labels = {}, env = [], ports = [] }: SeedContainer) {
  return { name, image, labels, env, ports };
}

const plainContainer = {
  command: null,
  entrypoint: null,
  user: '',
  workingDir: '',
  hostname: '',
  exposed: [],
  mounts: [],
  networkMode: 'bridge',
  restart: { name: 'no', max: 0 },
  healthcheck: null,
};
