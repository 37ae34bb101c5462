import { execFileSync } from 'node:child_process';

/** Runs `docker` with the client and engine of the environment; the tests compare a box's responses with its output. */
export function docker(...argv: string[]): string {
  return execFileSync('docker', argv, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], timeout: 120_000 }).trim();
}

export type Container = {
  id: string;
  name: string;
  project: string;
  service: string;
  /** The id of the image that the container was created from. */
  image: string;
  /** The image reference from the Compose file. */
  tag: string;
  status: string;
  startedAt: string;
  workingDir: string;
};

type Inspected = {
  Id: string;
  Name: string;
  Image: string;
  Config: { Image: string; Labels: Record<string, string> };
  State: { Status: string; StartedAt: string };
};

/** The containers of a Compose project, stopped ones too, sorted by service. */
export function containers(project: string): Container[] {
  for (;;) {
    const ids = docker('ps', '-aq', '--no-trunc', '--filter', `label=com.docker.compose.project=${project}`);
    const found = ids === '' ? [] : inspectUnlessGone(ids.split('\n'));
    if (found !== null) return found.map(asContainer).sort((a, b) => (a.service < b.service ? -1 : 1));
  }
}

/** Null if a container was removed since it was listed. */
function inspectUnlessGone(ids: string[]): Inspected[] | null {
  try {
    return JSON.parse(docker('inspect', ...ids));
  } catch (error) {
    if (/no such (object|container)/i.test(String(error))) return null;
    throw error;
  }
}

function asContainer({ Id, Name, Image, Config, State }: Inspected): Container {
  return {
    id: Id,
    name: Name,
    project: Config.Labels['com.docker.compose.project'] ?? '',
    service: Config.Labels['com.docker.compose.service'] ?? '',
    image: Image,
    tag: Config.Image,
    status: State.Status,
    startedAt: State.StartedAt,
    workingDir: Config.Labels['com.docker.compose.project.working_dir'] ?? '',
  };
}

export function container(project: string, service: string): Container {
  const found = containers(project).filter((each) => each.service === service);
  const [only] = found;
  if (only === undefined || found.length > 1) {
    throw new Error(`expected one container of ${project}/${service}, found ${found.length}`);
  }
  return only;
}

/**
 * One text for each container with its id, start time and status. Equal before and after a change if no container was
 * replaced or restarted.
 */
export function identity(project: string): string[] {
  return containers(project).map((each) => `${each.service} ${each.id} ${each.startedAt} ${each.status}`);
}

/** The environment of a container's first process, byte for byte as the kernel has it. */
export function environment(id: string): Map<string, string> {
  const bytes = execFileSync('docker', ['exec', id, 'cat', '/proc/1/environ'], { stdio: ['ignore', 'pipe', 'pipe'] });
  const pairs = bytes
    .toString('utf8')
    .split('\0')
    .filter((pair) => pair !== '');
  return new Map(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));
}

export function networks(project: string): string[] {
  return lines(docker('network', 'ls', '-q', '--filter', `label=com.docker.compose.project=${project}`));
}

export function volumes(project: string): string[] {
  return lines(docker('volume', 'ls', '-q', '--filter', `label=com.docker.compose.project=${project}`));
}

export function imageId(tag: string): string {
  return docker('image', 'inspect', '--format', '{{.Id}}', tag);
}

/** Removes the containers, networks and volumes of the given projects. */
export function forget(projects: string[]): void {
  for (const project of projects) {
    const label = `label=com.docker.compose.project=${project}`;
    for (const id of lines(docker('ps', '-aq', '--filter', label))) docker('rm', '-f', '-v', id);
    for (const id of networks(project)) docker('network', 'rm', id);
    for (const name of volumes(project)) docker('volume', 'rm', '-f', name);
  }
}

function lines(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}
