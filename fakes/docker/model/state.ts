/** The versions that the fake imitates. */
export const versions = { engine: '26.1.5', compose: '2.26.1' };

/**
 * The state of a fake engine, stored as one JSON file. A container is only a record. Its status changes by a command or
 * at a time in the record (`exit.at`, `again.at`, `turn.at`).
 */
export type EngineState = {
  /** While false, every command that needs the engine fails. */
  running: boolean;
  serial: number;
  registry: Record<string, { generation: number }>;
  images: Image[];
  containers: Container[];
  networks: Network[];
  volumes: Volume[];
  behaviours: Behaviour[];
  faults: Fault[];
  /** Events of the current change; writing it moves them to `events.jsonl`. */
  events: EngineEvent[];
};

export type Image = {
  id: string;
  manifest: string;
  /** `name:tag`. */
  tags: string[];
  /** `name@sha256:…` in its registry. */
  digests: string[];
  /** The registry reference and generation of this content. */
  source: string;
  generation: number;
  created: string;
  size: number;
};

export type ContainerStatus = 'created' | 'running' | 'exited' | 'restarting';
export type HealthStatus = 'starting' | 'healthy' | 'unhealthy';

export type Container = {
  id: string;
  name: string;
  createdAt: number;
  /** The requested reference, and the resolved image. */
  image: string;
  imageId: string;
  status: ContainerStatus;
  startedAt: number | null;
  finishedAt: number | null;
  exitCode: number;
  error: string;
  restartCount: number;
  /** The next exit. `atOnce`: the restart policy restarts it without delay. */
  exit: { at: number; code: number; atOnce: boolean } | null;
  /** The next restart and its delay. */
  again: { at: number; afterMs: number } | null;
  health: HealthStatus | null;
  /** The next change of health. */
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

/** `at`: when it was logged, in ms since 1970. */
export type LogLine = { to: 'stdout' | 'stderr'; text: string; at?: number };

export type PortBinding = { target: number; protocol: string; hostIp: string; hostPort: number };
export type Mount = {
  type: 'bind' | 'volume' | 'tmpfs';
  name: string;
  source: string;
  destination: string;
  readOnly: boolean;
};
export type Network = { id: string; name: string; labels: Record<string, string>; subnet: number };
export type Volume = { name: string; labels: Record<string, string> };

/** How containers of an image behave after their start; without a generation, for all. */
export type Behaviour = {
  image: string;
  generation: number | null;
  does: 'exit' | 'restart' | 'unhealthy' | 'never-start' | 'slow-health' | 'healthy';
  exitCode: number;
  afterMs: number;
  /** Logged at each start. */
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
  /** Cleared faults no longer apply, and release hanging calls. */
  isCleared: boolean;
  kind: FaultKind;
  message: string | null;
  status: number;
  ms: number | null;
  when: 'before' | 'after';
};

/** A container event in the format of the engine API. */
export type EngineEvent = {
  status: string;
  id: string;
  from: string;
  Type: 'container';
  Action: string;
  Actor: { ID: string; Attributes: Record<string, string> };
  scope: 'local';
  time: number;
  timeNano: number;
};

export function emptyState(): EngineState {
  const builtIn = (name: string, mark: string): Network => ({ id: mark.repeat(64), name, labels: {}, subnet: 0 });
  return {
    running: true,
    serial: 0,
    registry: {},
    images: [],
    containers: [],
    networks: [builtIn('bridge', 'b'), builtIn('host', 'a'), builtIn('none', 'c')],
    volumes: [],
    behaviours: [],
    faults: [],
    events: [],
  };
}
