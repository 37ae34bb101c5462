import type { EngineContainer } from '../../known-apps.ts';
import type { ContainerImage, ContainerState } from '../../ports.ts';
import { parsePortBindings } from '../../rules/compose/port-bindings.ts';
import type { PublishedPort } from '../../rules/compose/published-ports.ts';

const label = {
  project: 'com.docker.compose.project',
  service: 'com.docker.compose.service',
  workingDirectory: 'com.docker.compose.project.working_dir',
  oneOff: 'com.docker.compose.oneoff',
};
const configFiles = 'com.docker.compose.project.config_files';

/**
 * The containers of `docker ps --format json`: one object a line, or one array, as other container tools print it.
 * Skips lines without a container, such as a warning. Fails if a text has no container at all.
 */
export function parseContainerList(text: string): ListedContainer[] {
  return jsonObjects(text).map(containerState);
}

/**
 * `isDoubtful`: a Compose label occurs twice, because another label's value contains it. Containers inherit labels from
 * images, so the author of an image could claim another project's name. Only an inspection shows the real label.
 */
export type ListedContainer = ContainerState & { isDoubtful: boolean };

/** The same container with its labels from `docker inspect`. */
export function withInspectedLabels(container: ListedContainer, text: string): ContainerState {
  const inspected = (JSON.parse(text) as InspectedContainer[]).find(({ Id }) => Id === container.id);
  const { isDoubtful: _, ...listed } = container;
  return { ...listed, ...identityOf(labelsOf(inspected?.Config?.Labels ?? {})) };
}

function jsonObjects(text: string): Record<string, unknown>[] {
  const whole = parseJson(text);
  if (Array.isArray(whole)) return whole.filter(isObject);
  const objects = text.split('\n').map(parseJson).filter(isObject);
  if (objects.length === 0 && text.trim() !== '') throw new Error('no container in it');
  return objects;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // The parser reports invalid JSON only by throwing.
  }
}

function containerState(listed: Record<string, unknown>): ListedContainer {
  const names = asText(listed.Names);
  const status = asText(listed.Status);
  const [, exitCode] = /^(?:Exited|Restarting) \((\d+)\)/.exec(status) ?? [];
  const [, health] = /\((healthy|unhealthy|health: starting)\)/.exec(status) ?? [];
  return {
    id: asText(listed.ID),
    // Legacy links give a container further names that contain a slash.
    name: names.split(',').find((name) => !name.includes('/')) ?? names,
    ...identityOf(labelsOf(listed.Labels)),
    state: asText(listed.State),
    exitCode: exitCode === undefined ? null : Number(exitCode),
    health: healthOf(health),
    published: parsePortBindings(asText(listed.Ports)),
    isDoubtful: typeof listed.Labels === 'string' && isAmbiguous(listed.Labels),
  };
}

function identityOf(labels: ReadonlyMap<string, string>) {
  return {
    project: labels.get(label.project) ?? '',
    service: labels.get(label.service) ?? '',
    workingDirectory: labels.get(label.workingDirectory) ?? '',
    oneOff: labels.get(label.oneOff)?.toLowerCase() === 'true',
  };
}

function isAmbiguous(labels: string): boolean {
  const known = parseLabels(labels);
  const directory = known.get(label.workingDirectory);
  // Compose names files in that directory. If the files are elsewhere, a comma and `=` in the path truncated both
  // labels.
  if (directory !== undefined && known.get(configFiles) === directory) return true;
  const parts = labels.split(',');
  return Object.values(label).some((name) => parts.filter((part) => part.startsWith(`${name}=`)).length > 1);
}

/** A text, or a list of texts joined with commas; `null` for anything else. */
function asText(value: unknown): string {
  if (Array.isArray(value)) return value.map(asText).join(',');
  return typeof value === 'string' ? value : '';
}

function labelsOf(value: unknown): Map<string, string> {
  if (typeof value !== 'object' || value === null) return parseLabels(asText(value));
  return new Map(Object.entries(value).map(([name, text]) => [name, asText(text)]));
}

function healthOf(word: string | undefined): ContainerState['health'] {
  if (word === 'healthy' || word === 'unhealthy') return word;
  return word === undefined ? null : 'starting';
}

/**
 * Labels in the form `a=1,b=2`. A value may contain commas: a part that does not look like a label continues the
 * previous value.
 */
function parseLabels(text: string): Map<string, string> {
  const labels = new Map<string, string>();
  let last = '';
  for (const part of text.split(',')) {
    const [, name, value] = /^([A-Za-z0-9][A-Za-z0-9._/-]*)=(.*)$/s.exec(part) ?? [];
    if (name === undefined) {
      labels.set(last, `${labels.get(last) ?? ''},${part}`);
      continue;
    }
    last = name;
    labels.set(name, value as string);
  }
  return labels;
}

type InspectedContainer = {
  Id: string;
  Image: string;
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
  NetworkSettings?: { Ports?: Record<string, { HostPort?: string }[] | null> | null };
  Config?: { Image?: string; Labels?: Record<string, string> | null };
};

/** The containers of `docker inspect`, with the fields that an update needs. */
export function parseContainerImages(text: string): ContainerImage[] {
  return (JSON.parse(text) as InspectedContainer[]).map((container) => ({
    id: container.Id,
    project: container.Config?.Labels?.[label.project] ?? '',
    service: container.Config?.Labels?.[label.service] ?? '',
    workingDirectory: container.Config?.Labels?.[label.workingDirectory] ?? '',
    imageId: container.Image,
    tag: container.Config?.Image ?? '',
    restarts: container.RestartCount ?? 0,
    state: container.State?.Status ?? '',
  }));
}

/** The containers of `docker inspect`, with the fields that an app's state needs. */
export function parseEngineContainers(text: string): EngineContainer[] {
  return (JSON.parse(text) as InspectedContainer[]).map((container) => {
    const { State: state = {}, HostConfig: host = {} } = container;
    const policy = host.RestartPolicy?.Name ?? '';
    return {
      name: (container.Name ?? '').replace(/^\//, ''),
      ...identityOf(labelsOf(container.Config?.Labels ?? {})),
      state: state.Status ?? '',
      exitCode: state.ExitCode ?? 0,
      reason: state.Error ?? '',
      health: inspectedHealth(state.Health?.Status),
      restarts: !['', 'no', 'on-failure'].includes(policy),
      restartCount: container.RestartCount ?? 0,
      createdAt: timeOf(container.Created) ?? 0,
      startedAt: timeOf(state.StartedAt),
      finishedAt: timeOf(state.FinishedAt),
      published: publishedOf(container.NetworkSettings?.Ports ?? {}),
      isOnHostNetwork: host.NetworkMode === 'host',
    };
  });
}

/** `none` means that the container has no health check. */
function inspectedHealth(status: string | undefined): EngineContainer['health'] {
  return status === 'starting' || status === 'healthy' || status === 'unhealthy' ? status : null;
}

/** Engines write the year 1 for an event that never happened. */
function timeOf(text: string | undefined): number | null {
  const ms = Date.parse(text ?? '');
  return ms > 0 ? ms : null;
}

/** `{"80/tcp": [{"HostIp": "0.0.0.0", "HostPort": "8080"}], "90/tcp": null}` */
function publishedOf(ports: Record<string, { HostPort?: string }[] | null>): PublishedPort[] {
  return Object.entries(ports).flatMap(([container, bindings]) => {
    const [port, protocol = 'tcp'] = container.split('/');
    return (bindings ?? [])
      .map(({ HostPort }) => ({ hostPort: Number(HostPort), containerPort: Number(port), protocol }))
      .filter(({ hostPort }) => hostPort > 0);
  });
}

/** One id a line, in the order of the references. Skips any other line. */
export function parseImageIds(text: string, tags: readonly string[]): Map<string, string> {
  const ids = text.trim().split('\n');
  const found = tags.map((tag, index) => [tag, (ids[index] ?? '').trim()] as const);
  return new Map(found.filter(([, id]) => /^\w[\w:+.-]*$/.test(id)));
}
