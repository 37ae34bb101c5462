import type { ContainerView } from '../../fakes/docker-view.ts';
import type { DockerClient } from './docker-client.ts';

/** The label of an environment's images, and therefore of their containers. */
export const environmentLabel = 'boxgate.conformance';
const project = 'com.docker.compose.project';

type Inspected = {
  Id: string;
  Name: string;
  Image: string;
  Config: { Image: string; Labels: Record<string, string>; Env: string[] | null };
  State: { Running: boolean; StartedAt: string };
};

export type EngineObjects = ReturnType<typeof engineObjects>;

/**
 * Everything that an environment has on the engine: objects with its label, and objects of its own Compose projects.
 * The containers with the label name further projects. Projects in `strangers` are never included.
 */
export function engineObjects({ lines }: DockerClient, id: string, own: Set<string>, strangers: ReadonlySet<string>) {
  const ids = () => lines('ps', '-aq', '--no-trunc', '--filter', `label=${environmentLabel}=${id}`);
  const containers = async (): Promise<Inspected[]> => {
    const found = await ids();
    if (found.length === 0) return [];
    try {
      return JSON.parse((await lines('inspect', '--type', 'container', ...found)).join('\n'));
    } catch (error) {
      // A container was removed in the meantime, so list them again.
      if (/no such container/i.test((error as Error).message)) return containers();
      throw error;
    }
  };
  const learnProjects = async () => {
    for (const { Config } of await containers()) {
      const name = Config.Labels[project];
      if (name !== undefined && !strangers.has(name)) own.add(name);
    }
  };
  const named = async (kind: 'volume' | 'network') => {
    await learnProjects();
    const all = await lines(
      kind,
      'ls',
      '--filter',
      `label=${project}`,
      '--format',
      `{{.Name}} {{.Label "${project}"}}`,
    );
    return all.flatMap((line) => {
      const [name = '', of = ''] = line.split(' ');
      return own.has(of) ? [name] : [];
    });
  };
  const remove = async () => {
    await learnProjects();
    for (let left = await ids(); left.length > 0; left = await ids()) await lines('rm', '-f', '-v', ...left);
    for (const kind of ['network', 'volume'] as const) {
      const left = await named(kind);
      if (left.length > 0) await lines(kind, 'rm', ...left);
    }
    const images = async () =>
      new Set(await lines('image', 'ls', '-aq', '--no-trunc', '--filter', `label=${environmentLabel}=${id}`));
    for (let left = await images(); left.size > 0; left = await images()) await lines('image', 'rm', '-f', ...left);
  };
  return { containers, named, remove };
}

/** The view of a container that checks use. `shown` converts image names. */
export function viewOf({ Id, Name, Image, Config, State }: Inspected, shown: (text: string) => string): ContainerView {
  return {
    id: Id,
    name: Name.replace(/^\//, ''),
    project: Config.Labels[project] ?? '',
    service: Config.Labels['com.docker.compose.service'] ?? '',
    image: shown(Config.Image),
    imageId: Image,
    running: State.Running,
    startedAt: Date.parse(State.StartedAt),
    env: Object.fromEntries(
      (Config.Env ?? []).map((entry) => {
        const equals = entry.indexOf('=');
        return [entry.slice(0, equals), entry.slice(equals + 1)];
      }),
    ),
  };
}

/** The Compose projects that exist on the engine. */
export async function projectsOf({ lines }: DockerClient): Promise<string[]> {
  const format = ['--filter', `label=${project}`, '--format', `{{.Label "${project}"}}`];
  const found = await Promise.all([
    lines('ps', '-a', ...format),
    lines('network', 'ls', ...format),
    lines('volume', 'ls', ...format),
  ]);
  return found.flat();
}
