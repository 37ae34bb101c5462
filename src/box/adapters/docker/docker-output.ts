import { isJsonObject, parseJson } from '../../../lib/json.ts';
import type { MadeVolume } from '../../core.ts';
import type { Container } from '../../engine/rules/container.ts';
import { localDriver, volumeText } from '../../rules/compose/project-model.ts';
import type { PublishedPort } from '../../rules/compose/published-ports.ts';

export const label = {
  project: 'com.docker.compose.project',
  service: 'com.docker.compose.service',
  workingDirectory: 'com.docker.compose.project.working_dir',
  oneOff: 'com.docker.compose.oneoff',
  needs: 'com.docker.compose.depends_on',
};

const field = (name: string) => `"${name.slice(name.lastIndexOf('.') + 1)}":{{json .${name}}}`;
const shownLabel = (name: string) => `"${name}":{{json (index .Config.Labels "${name}")}}`;
/** Docker's JSON lacks this part if the container has none, and the template fails for a missing name after `.`. */
const ifThere = (of: string, part: string, name: string) =>
  `"${part}":{{with index .${of} "${part}"}}{"${name}":{{json (index . "${name}")}}}{{else}}null{{end}}`;
const state = ['Status', 'ExitCode', 'Error', 'StartedAt', 'FinishedAt'].map((name) => field(`State.${name}`));
const host = ['NetworkMode', 'RestartPolicy'].map((name) => field(`HostConfig.${name}`));

/**
 * The template of `docker inspect` for one JSON object a container, with the fields that `parseContainers` reads. The
 * other labels are left out, because an app's author can make them as large as they like.
 */
export const containerTemplate = `{${[
  ...['Id', 'Name', 'Image', 'Created', 'RestartCount'].map(field),
  `"State":{${state},${ifThere('State', 'Health', 'Status')}}`,
  `"HostConfig":{${host}}`,
  `"NetworkSettings":{${field('NetworkSettings.Ports')}}`,
  field('Mounts'),
  `"Config":{${field('Config.Image')},${ifThere('Config', 'Healthcheck', 'StartPeriod')},"StopTimeout":{{with index .Config "StopTimeout"}}{{json .}}{{else}}null{{end}},"Labels":{${Object.values(label).map(shownLabel)}}}`,
]}}`;

/** The engine's own period for a container without one. */
const engineStopSeconds = 10;

type InspectedContainer = {
  Id: string;
  Image?: string;
  RestartCount?: number;
  Name?: string;
  Created?: string;
  State?: {
    Status?: string;
    ExitCode?: number;
    Error?: string;
    StartedAt?: string;
    FinishedAt?: string;
    Health?: { Status?: string } | null;
  };
  HostConfig?: { NetworkMode?: string; RestartPolicy?: { Name?: string } };
  NetworkSettings?: { Ports?: Record<string, Binding[] | null> | null };
  Mounts?: { Type?: string; Name?: string; Source?: string; Destination?: string; RW?: boolean }[] | null;
  Config?: {
    Image?: string;
    Labels?: Record<string, string | null> | null;
    /** In ns. */
    Healthcheck?: { StartPeriod?: number | null } | null;
    /** In s. */
    StopTimeout?: number | null;
  };
};
type Binding = { HostIp?: string; HostPort?: string };

/** The ids of `docker ps -q`, one a line. Skips lines of several words, such as a warning; `null` without an id. */
export function parseContainerIds(text: string): string[] | null {
  const lines = text.split('\n').map((line) => line.trim());
  const ids = lines.filter((line) => /^\w[\w.-]*$/.test(line));
  return ids.length === 0 && text.trim() !== '' ? null : ids;
}

/**
 * The containers of `docker inspect`: one array, or one object a line, as `containerTemplate` prints them. Skips lines
 * without a container, such as a warning; `null` without a container.
 */
export function parseContainers(text: string): Container[] | null {
  const whole = parseJson(text);
  const objects = (Array.isArray(whole) ? whole : text.split('\n').map(parseJson)).filter(isInspected);
  return objects.length === 0 && !Array.isArray(whole) ? null : objects.map(containerOf);
}

/**
 * A line of `docker events`: the directory of the container's project if the container stops or may do so, and whether
 * it only got a signal. Any other text counts as a change.
 */
export function parseEvent(line: string): { stops: string | null; isSignal: boolean } {
  const { Action: action, Actor: actor } = (parseJson(line) ?? {}) as {
    Action?: unknown;
    Actor?: { Attributes?: Record<string, unknown> };
  };
  const directory = actor?.Attributes?.[label.workingDirectory];
  const isStop = action === 'kill' || action === 'die';
  return { stops: isStop && typeof directory === 'string' ? directory : null, isSignal: action === 'kill' };
}

function isInspected(value: unknown): value is InspectedContainer {
  return isJsonObject(value) && typeof value.Id === 'string';
}

function containerOf(inspected: InspectedContainer): Container {
  const { State: state = {}, HostConfig: host = {}, Config: config = {} } = inspected;
  const labels = config.Labels ?? {};
  return {
    id: inspected.Id,
    name: (inspected.Name ?? '').replace(/^\//, ''),
    project: labels[label.project] ?? '',
    service: labels[label.service] ?? '',
    workingDirectory: labels[label.workingDirectory] ?? '',
    oneOff: labels[label.oneOff]?.toLowerCase() === 'true',
    needs: needsOf(labels[label.needs] ?? ''),
    networkOf: /^container:(.+)$/.exec(host.NetworkMode ?? '')?.[1] ?? null,
    state: state.Status ?? '',
    exitCode: state.ExitCode ?? 0,
    reason: state.Error ?? '',
    health: healthOf(state.Health?.Status),
    startPeriodMs: (config.Healthcheck?.StartPeriod ?? 0) / 1_000_000,
    restarts: !['', 'no', 'on-failure'].includes(host.RestartPolicy?.Name ?? ''),
    restartCount: inspected.RestartCount ?? 0,
    stopPeriodMs: (config.StopTimeout ?? engineStopSeconds) * 1000,
    createdAt: timeOf(inspected.Created) ?? 0,
    startedAt: timeOf(state.StartedAt),
    finishedAt: timeOf(state.FinishedAt),
    published: publishedOf(inspected.NetworkSettings?.Ports ?? {}),
    mounts: (inspected.Mounts ?? []).map(({ Type = '', Name = '', Source = '', Destination = '', RW = true }) => {
      return { type: Type, name: Name, source: Source, target: Destination, isWritable: RW };
    }),
    isOnHostNetwork: host.NetworkMode === 'host',
    imageId: inspected.Image ?? '',
    image: config.Image ?? '',
  };
}

/** `db:service_healthy:true,setup:service_completed_successfully:false`; older versions of Compose name services only. */
function needsOf(text: string): Container['needs'] {
  const parts = text.split(',').map((part) => part.trim().split(':'));
  return parts
    .filter(([service]) => service !== '')
    .map(([service = '', condition]) => ({ service, healthy: condition === 'service_healthy' }));
}

/** `none` means that the container has no health check. */
function healthOf(status: string | undefined): Container['health'] {
  return status === 'starting' || status === 'healthy' || status === 'unhealthy' ? status : null;
}

/** Engines write the year 1 for an event that never happened. */
function timeOf(text: string | undefined): number | null {
  const ms = Date.parse(text ?? '');
  return ms > 0 ? ms : null;
}

/** `{"80/tcp": [{"HostIp": "0.0.0.0", "HostPort": "8080"}], "90/tcp": null}` */
function publishedOf(ports: Record<string, Binding[] | null>): PublishedPort[] {
  return Object.entries(ports).flatMap(([container, bindings]) => {
    const [port, protocol = 'tcp'] = container.split('/');
    return (bindings ?? [])
      .map(({ HostIp = '', HostPort }) => {
        return { address: HostIp, hostPort: Number(HostPort), containerPort: Number(port), protocol };
      })
      .filter(({ hostPort }) => hostPort > 0);
  });
}

/** Compose leaves a network that a container uses which it does not know. */
export function usedNetworks(text: string): string[] {
  return text.split('\n').flatMap((line) => /Network (\S+) +Resource is still in use/.exec(line)?.[1] ?? []);
}

type InspectedVolume = {
  Name?: string;
  Driver?: string;
  Mountpoint?: string;
  Labels?: Record<string, string> | null;
  Options?: Record<string, string> | null;
};

/** The volumes of `docker volume inspect`: one array. Data lies elsewhere if Docker's own driver mounts a device. */
export function parseVolumes(text: string, digest: (text: string) => string): MadeVolume[] {
  const volumes: InspectedVolume[] = JSON.parse(text);
  return volumes.map(({ Name: name = '', Driver: driver = '', Mountpoint: mountpoint = '', Labels, Options }) => ({
    ...{ name, driver, mountpoint, labels: Labels ?? {}, hasOptions: Object.keys(Options ?? {}).length > 0 },
    made: digest(volumeText(driver, Options ?? {})),
    isElsewhere: driver === localDriver && Boolean(Options?.device),
  }));
}

/** One id a line, in the order of the references. Skips any other line. */
export function parseImageIds(text: string, tags: readonly string[]): Map<string, string> {
  const ids = text.trim().split('\n');
  const found = tags.map((tag, index) => [tag, (ids[index] ?? '').trim()] as const);
  return new Map(found.filter(([, id]) => /^\w[\w:+.-]*$/.test(id)));
}
