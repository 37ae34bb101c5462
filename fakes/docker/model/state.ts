import type { EngineEvent } from './events.ts';

/**
 * What a pretend engine remembers, as plain data: everything here survives as one JSON file.
 * Nothing runs; a container is a record whose status changes when a command says so, or when
 * the time written in the record (`exit.at`, `turn.at`, `again.at`) has come.
 */
export type EngineState = {
  /** False while the engine is "not running": every command that needs it is refused. */
  running: boolean;
  /**
   * `containerd` reports the digests of manifests where `graph` reports those of configurations. `split` reports the
   * manifest's for images and the configuration's for the containers made of them: ids that name one image and differ.
   */
  imageStore: 'graph' | 'containerd' | 'split';
  versions: { engine: string; compose: string };
  serial: number;
  registry: Record<string, { generation: number }>;
  images: Image[];
  containers: Container[];
  networks: Network[];
  volumes: Volume[];
  behaviours: Behaviour[];
  faults: Fault[];
  /** Events of the change that is under way; writing the change moves them to `events.jsonl`. */
  events: EngineEvent[];
};

export type Image = {
  id: string;
  manifest: string;
  /** Names as people write them, `name:tag`. */
  tags: string[];
  /** `name@sha256:…` of the registry it came from. */
  digests: string[];
  /** The reference and generation of the registry that this content is. */
  source: string;
  generation: number;
  created: string;
  size: number;
};

export type ContainerStatus = 'created' | 'running' | 'exited' | 'restarting' | 'paused';
export type HealthStatus = 'starting' | 'healthy' | 'unhealthy';

export type Container = {
  id: string;
  name: string;
  createdAt: number;
  /** The reference it was asked for with, and the image it really got. */
  image: string;
  imageId: string;
  imageManifest: string;
  status: ContainerStatus;
  startedAt: number | null;
  finishedAt: number | null;
  exitCode: number;
  error: string;
  restartCount: number;
  /** When the program exits by itself. `atOnce`: its restart policy starts it again without a delay. */
  exit: { at: number; code: number; atOnce: boolean } | null;
  /** When the restart policy starts it again, after this delay. */
  again: { at: number; afterMs: number } | null;
  health: HealthStatus | null;
  /** Its next health status, and when it gets it. */
  turn: { at: number; to: HealthStatus } | null;
  env: string[];
  command: string[] | null;
  entrypoint: string[] | null;
  user: string;
  workingDir: string;
  hostname: string;
  labels: Record<string, string>;
  ports: PortBinding[];
  exposed: string[];
  mounts: Mount[];
  networkMode: string;
  networks: { name: string; id: string; ip: string; aliases: string[] }[];
  restart: { name: string; max: number };
  healthcheck: Record<string, unknown> | null;
  log: LogLine[];
};

export type LogLine = { to: 'stdout' | 'stderr'; text: string };

export type PortBinding = { target: number; protocol: string; hostIp: string; hostPort: number };
export type Mount = {
  type: 'bind' | 'volume' | 'tmpfs';
  name: string;
  source: string;
  destination: string;
  readOnly: boolean;
};
export type Network = {
  id: string;
  name: string;
  driver: string;
  created: string;
  internal: boolean;
  labels: Record<string, string>;
  subnet: number;
};
export type Volume = { name: string; driver: string; created: string; labels: Record<string, string> };

/** What containers of an image do when started; without a generation, of every one. */
export type Behaviour = {
  image: string;
  generation: number | null;
  does: 'exit' | 'restart' | 'unhealthy' | 'never-start' | 'slow-health' | 'healthy';
  exitCode: number;
  afterMs: number;
  /** The lines they log at each start. */
  lines: LogLine[];
};

export type FaultKind =
  | 'error'
  | 'not-found'
  | 'rate-limit'
  | 'network'
  | 'disk-full'
  | 'daemon-gone'
  | 'connection-dropped'
  | 'hang';

export type Fault = {
  id: string;
  on: string;
  match: string | null;
  left: number | null;
  used: number;
  /** Strikes no more, and whoever it still holds up goes on. */
  isCleared: boolean;
  kind: FaultKind;
  message: string | null;
  status: number;
  ms: number | null;
  when: 'before' | 'after';
};

/** A new engine: the default networks are there, nothing else is. */
export function emptyState(): EngineState {
  const created = '2024-01-01T00:00:00.000000000Z';
  const builtIn = (name: string, driver: string, mark: string): Network => ({
    id: mark.repeat(64),
    name,
    driver,
    created,
    internal: false,
    labels: {},
    subnet: 0,
  });
  return {
    running: true,
    imageStore: 'graph',
    versions: { engine: '26.1.5', compose: '2.26.1' },
    serial: 0,
    registry: {},
    images: [],
    containers: [],
    networks: [builtIn('bridge', 'bridge', 'b'), builtIn('host', 'host', 'a'), builtIn('none', 'null', 'c')],
    volumes: [],
    behaviours: [],
    faults: [],
    events: [],
  };
}
