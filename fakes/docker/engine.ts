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
 * An engine of a world's own, for checks, demos and benchmarks: `bin/docker` in the world's
 * folder is the program, `docker/` beside it what that engine remembers. Everything that reads
 * answers at once; everything that changes takes the engine's lock and so returns a promise.
 */
export type FakeEngine = {
  /** Put first on `PATH`. */
  bin: string;
  folder: string;
  state(): EngineState;
  containers(): SeenContainer[];
  container(name: string): SeenContainer | undefined;
  images(): Image[];
  networks(): Network[];
  volumes(): Volume[];
  /** Every call so far, oldest first. */
  log(): LoggedCall[];
  faults(): Fault[];

  /** Gives a tag new content in the registry; what is local stays. The new generation. */
  advance(reference: string): Promise<number>;
  fail(wish: FaultWish): Promise<FaultHandle>;
  /** The command waits: for ever (until it is killed) or for `ms`, and then goes on. */
  hang(wish: Omit<FaultWish, 'kind' | 'message' | 'status'> & { ms?: number }): Promise<FaultHandle>;
  /** No fault strikes any more, and what hangs goes on. */
  clearFaults(): Promise<void>;
  /** What containers of an image do once started: of one generation of it, or of all. */
  behave(wish: Pick<Behaviour, 'image' | 'does'> & Partial<Behaviour>): Promise<void>;
  /** Leaves the containers running; with `end` it ends them, as a stopped engine does. */
  stopDaemon(containers?: 'keep' | 'end'): Promise<void>;
  startDaemon(): Promise<void>;
  useImageStore(store: EngineState['imageStore']): Promise<void>;

  /** What an owner does behind a server's back. */
  pullByHand(reference: string): Promise<Image>;
  removeContainerByHand(name: string): Promise<void>;
  stopContainerByHand(name: string): Promise<void>;
  /** The program in a container exits by itself; its restart policy may start it again. */
  exitContainer(name: string, exitCode: number): Promise<void>;
  /** It exits with status 0 and stays down, whatever its restart policy is. */
  endContainer(name: string): Promise<void>;
  startContainerByHand(name: string): Promise<void>;
  setHealth(name: string, status: HealthStatus): Promise<void>;
  seedContainer(wish: SeedContainer): Promise<SeenContainer>;
  change<T>(work: (state: EngineState) => T): Promise<T>;
  /** As an empty one, but for the numbers that it has given; not while a call is under way. */
  forget(): Promise<void>;
};

export type SeenContainer = Container & { project: string; service: string };
export type LoggedCall = {
  at: number;
  pid: number;
  argv: string[];
  cwd: string;
  env: Record<string, string>;
  /** Names of all variables that the call was given. */
  names: string[];
  /** Absent while the call runs, and for ever when it was killed. */
  status?: number;
  ms?: number;
  faults: string[];
};
export type FaultWish = {
  /** `pull`, `create`, `start`, `stop`, `remove`, `build`; `up`, `down`, `ps`, …; `compose ps`, `image inspect`, …; `any`. */
  on: string;
  /** Part of an image reference, a project, service or container name. */
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

/** With a resident, `docker` hands its calls on to that; without one it is a Node of its own each time. */
export function makeEngine(
  worldFolder: string,
  change: Partial<EngineState> = {},
  resident: Resident | null = null,
): FakeEngine {
  const folder = join(worldFolder, 'docker');
  const bin = join(worldFolder, 'bin');
  const store = openStore(folder);
  writeLauncher(bin, folder, resident);
  if (Object.keys(change).length > 0) {
    writeFileSync(join(folder, 'state.json'), JSON.stringify({ ...store.read(), ...change }), {
      mode: 0o600,
    });
  }
  return {
    bin,
    folder,
    ...views(store),
    ...scripts(store),
    ...hands(store),
    change: store.change,
    forget: () => forget(store),
  };
}

function writeLauncher(bin: string, folder: string, resident: Resident | null): void {
  const words = [...fakeDockerProgram(), '--engine-folder', folder];
  const text =
    resident === null ? plainLauncher(words) : residentLauncher(resident.bash, resident, folder, words);
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
    // A call that started before `forget` has only the line of its end.
    else if ('argv' in fields) calls.set(call, { faults: [], ...fields } as unknown as LoggedCall);
  }
  return [...calls.values()];
}

function logLines(folder: string): string[] {
  try {
    // What comes after the last line's end is a line that somebody is about to write.
    return readFileSync(join(folder, 'calls.jsonl'), 'utf8').split('\n').slice(0, -1);
  } catch (error) {
    // No call was made yet.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

async function forget(store: Store): Promise<void> {
  await store.change((state) => {
    const isUnderWay = (call: LoggedCall) => call.status === undefined && call.argv[0] !== 'events';
    if (readLog(store.folder).some(isUnderWay))
      throw new Error('the fake engine forgets nothing: a call is under way, or was killed');
    for (const container of state.containers) removeContainer(state, container, Date.now());
    Object.assign(state, { ...emptyState(), serial: state.serial, events: state.events });
    rmSync(join(store.folder, 'calls.jsonl'), { force: true });
  });
}

function scripts(store: Store) {
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
    startDaemon: () => setField(store, 'running', true),
    useImageStore: (imageStore: EngineState['imageStore']) => setField(store, 'imageStore', imageStore),
  };
}

function setField<K extends keyof EngineState>(store: Store, key: K, value: EngineState[K]): Promise<void> {
  return store.change((state) => {
    state[key] = value;
  });
}

function hands(store: Store) {
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
    endContainer: (name: string) =>
      onRunning(name, (state, container, at) => endContainer(state, container, at, 0)),
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
    const networks = bridge
      ? [{ name: 'bridge', id: bridge.id, ip: nextAddress(state, bridge), aliases: [] }]
      : [];
    const container = createContainer(
      state,
      { ...plainContainer, networks, ...seedFields(wish) },
      image,
      Date.now(),
    );
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
