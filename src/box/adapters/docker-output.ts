import type { ContainerImage, ContainerState } from '../ports.ts';

const label = {
  project: 'com.docker.compose.project',
  service: 'com.docker.compose.service',
  workingDirectory: 'com.docker.compose.project.working_dir',
  oneOff: 'com.docker.compose.oneoff',
};

/** The lines of `docker ps --format json`, one object each. */
export function parseContainerList(text: string): ContainerState[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => containerState(JSON.parse(line)));
}

type ListedContainer = { ID: string; Names: string; State: string; Status: string; Labels: string };

function containerState(listed: ListedContainer): ContainerState {
  const labels = parseLabels(listed.Labels);
  const [, exitCode] = /^Exited \((\d+)\)/.exec(listed.Status) ?? [];
  const [, health] = /\((healthy|unhealthy|health: starting)\)/.exec(listed.Status) ?? [];
  return {
    id: listed.ID,
    // Links of old give a container further names, with a slash in them.
    name: listed.Names.split(',').find((name) => !name.includes('/')) ?? listed.Names,
    project: labels.get(label.project) ?? '',
    service: labels.get(label.service) ?? '',
    workingDirectory: labels.get(label.workingDirectory) ?? '',
    state: listed.State,
    exitCode: exitCode === undefined ? null : Number(exitCode),
    health: healthOf(health),
    oneOff: labels.get(label.oneOff)?.toLowerCase() === 'true',
  };
}

function healthOf(word: string | undefined): ContainerState['health'] {
  if (word === 'healthy' || word === 'unhealthy') return word;
  return word === undefined ? null : 'starting';
}

/** `a=1,b=2`. A value may hold commas: what does not look like a label continues the one before. */
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
  Config: { Image: string; Labels: Record<string, string> | null };
};

/** The array of `docker inspect`. */
export function parseContainerImages(text: string): ContainerImage[] {
  return (JSON.parse(text) as InspectedContainer[]).map((container) => ({
    id: container.Id,
    service: container.Config.Labels?.[label.service] ?? '',
    imageId: container.Image,
    tag: container.Config.Image,
    restarts: container.RestartCount ?? 0,
  }));
}

/** One id a line, in the order in which they were asked for. */
export function parseImageIds(text: string, tags: readonly string[]): Map<string, string> {
  const ids = text.trim().split('\n');
  return new Map(tags.map((tag, index) => [tag, ids[index] ?? ''] as const).filter(([, id]) => id !== ''));
}
