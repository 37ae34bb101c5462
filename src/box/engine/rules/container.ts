import { isActive } from '../../rules/compose/image-changes.ts';
import type { PublishedPort } from '../../rules/compose/published-ports.ts';

/**
 * What a container has at its path `target`: `source` is the path on this machine, `name` that of a volume. `type` is the
 * engine's: volume, bind, tmpfs.
 */
export type Mount = { type: string; name: string; source: string; target: string; isWritable: boolean };

/** A container of a Compose project, as the engine describes it. Times are in ms since 1970; `null` means never. */
export type Container = {
  id: string;
  name: string;
  project: string;
  service: string;
  /** The directory of its Compose file. For an installed app, the path under which the box knows that directory. */
  workingDirectory: string;
  oneOff: boolean;
  /** The services that it needs, and whether these had to be healthy before its start. */
  needs: { service: string; healthy: boolean }[];
  /** The id of the container whose network it uses; `null` if it has its own. */
  networkOf: string | null;
  /** The engine's state: created, running, paused, restarting, removing, exited, dead. */
  state: string;
  exitCode: number;
  /** Why the engine could not start it; empty if it could. */
  reason: string;
  health: 'starting' | 'healthy' | 'unhealthy' | null;
  /** How long after its start failed health checks do not count. */
  startPeriodMs: number;
  /** The engine restarts the container even after exit code 0, so it should run permanently. */
  restarts: boolean;
  /** Number of restarts by the engine since the last start by Compose or by hand. */
  restartCount: number;
  /** How long after its stop signal it is killed. */
  stopPeriodMs: number;
  createdAt: number;
  startedAt: number | null;
  finishedAt: number | null;
  /** The ports of this machine that it publishes; empty while it does not run. */
  published: PublishedPort[];
  mounts: Mount[];
  isOnHostNetwork: boolean;
  imageId: string;
  /** The reference that it was made from. */
  image: string;
};

/** Whether it ended with 0, and the engine does not start it again. */
export function hasDoneItsWork({ state, exitCode, restarts }: Container): boolean {
  return state === 'exited' && exitCode === 0 && !restarts;
}

/**
 * Running containers that lost their network, because the container that provides it was started after them. Docker
 * keeps them in a network that nothing else is in.
 */
export function withoutNetwork(containers: readonly Container[]): Container[] {
  const isLater = (one: Container, other: Container) => Number(one.startedAt) > Number(other.startedAt);
  return containers.filter((one) => {
    const provider = containers.find(({ id }) => id === one.networkOf);
    return one.state === 'running' && provider?.state === 'running' && isLater(provider, one);
  });
}

/** Whether a container is still to be started, or its health check still to pass. */
export function isStarting({ state, health }: Container): boolean {
  return state === 'created' || health === 'starting';
}

/** The end of a container's start period: until then failed health checks do not count. 0 if it was never started. */
export function allowedUntil({ startedAt, startPeriodMs }: Container): number {
  return startedAt === null ? 0 : startedAt + startPeriodMs;
}

/** To the minute and in UTC, so that the sentence is the same everywhere. */
export function timeText(ms: number | null): string {
  if (ms === null) return 'an unknown time';
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** The longest time that a stop of these containers takes: services that depend on others stop before them. */
export function stopTimeMs(containers: readonly Container[]): number {
  const longest = new Map<string, number>();
  for (const { project, service, stopPeriodMs } of containers) {
    const key = `${project}/${service}`;
    longest.set(key, Math.max(longest.get(key) ?? 0, stopPeriodMs));
  }
  return [...longest.values()].reduce((sum, ms) => sum + ms, 0);
}

/** The containers that come from an app's folder, under any project's name, and others of its project. */
export function containersOfFolder(
  containers: readonly Container[],
  { project, directory }: { project: string; directory: string },
): Container[] {
  return containers.filter((one) => !one.oneOff && (one.project === project || one.workingDirectory === directory));
}

/** The containers of a project, without one-off ones. */
export function ownContainers(containers: readonly Container[], project: string): Container[] {
  return containers.filter((container) => container.project === project && !container.oneOff);
}

/** The containers that run from an app's folder, under any project's name, without one-off ones. */
export function runningFrom(containers: readonly Container[], directory: string): Container[] {
  return containers.filter((one) => !one.oneOff && one.workingDirectory === directory && isActive(one));
}

/**
 * Says which containers of other projects run from an app's folder, as after `docker compose -p NAME up` there. They
 * use the same data. `null` without any.
 */
export function otherProjectsText(
  containers: readonly Container[],
  { project, directory }: { project: string; directory: string },
): string | null {
  const names = runningFrom(containers, directory)
    .filter((one) => one.project !== project)
    .map(({ name }) => name);
  if (names.length === 0) return null;
  const also = names.length === 1 ? 'of another project also runs' : 'of other projects also run';
  return `${names.join(', ')} ${also} from its folder; stop with: docker stop ${names.join(' ')}`;
}

/**
 * Finds the leftovers of a killed `up`: new containers beside the ones that they were to replace. Compose gives a new
 * container a temporary name, which begins with 12 digits of the old one's id, and would fail on that name at every
 * `up`. If the old container is gone already, Compose starts the new one by itself and leaves it the temporary name.
 */
export function halfReplaced(containers: readonly Container[], project: string): Container[] {
  const own = ownContainers(containers, project);
  return own.filter(({ name, service }) =>
    own.some((old) => old.service === service && name.startsWith(`${old.id.slice(0, 12)}_`)),
  );
}
