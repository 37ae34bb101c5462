import type { CommandOutput } from '../../../lib/process/run-command.ts';
import type { Lend } from '../../adapters/changes.ts';
import { inspectImages, inspectVolumes, makeCalls, understood } from '../../adapters/docker/compose.ts';
import { ContainersFailed } from '../../core.ts';
import type { Volumes } from '../ports.ts';
import type { Volume } from '../rules/places.ts';

const createMs = 30_000;
const pullMs = 15 * 60_000;
const projectLabel = 'com.docker.compose.project';

type InspectedVolume = {
  Name?: string;
  Driver?: string;
  Mountpoint?: string;
  Labels?: Record<string, string> | null;
  Options?: Record<string, string> | null;
};

/** The volumes of the engine that `docker` reaches. */
export function makeVolumes(environment: Readonly<Record<string, string | undefined>>, lend: Lend): Volumes {
  const calls = makeCalls(environment, lend);
  const { query, change } = calls;
  const inspect = async (names: readonly string[]) => {
    const text = names.length === 0 ? '[]' : await inspectVolumes(calls, names);
    return understood('docker volume inspect', (): InspectedVolume[] => JSON.parse(text)).map(volumeOf);
  };
  return {
    async of(project, mounted = []) {
      const list = ['volume', 'ls', '-q', '--filter', `label=${projectLabel}=${project}`];
      const labelled = project === null ? [] : lines(await query(list));
      return inspect([...new Set([...labelled, ...mounted])]);
    },
    async make(name, labels, project) {
      const marks = Object.entries(labels).flatMap(([label, value]) => ['--label', `${label}=${value}`]);
      await change(['volume', 'create', ...marks, name], createMs);
      const [made] = await inspect([name]);
      if (made === undefined || made.driver !== 'local' || made.hasOptions || !made.mountpoint.startsWith('/')) {
        throw new ContainersFailed(`the volume ${name} exists and is not a plain local one; remove it first`, false);
      }
      const owner = made.labels[projectLabel];
      // Compose labels a volume without a name that it makes once more.
      if (owner !== labels[projectLabel] && owner !== project) {
        const text = `the volume ${name} exists and belongs to ${owner === undefined ? 'no app' : `the project ${owner}`}`;
        throw new ContainersFailed(`${text}; remove it first, or choose another backup`, false);
      }
      return made.mountpoint;
    },
    imageDigests: (ids) =>
      inspectImages(query, ids, '{{json .RepoDigests}}', (stdout, asked) =>
        understood('docker image inspect', () => {
          const found = stdout.split('\n');
          return new Map(asked.map((id, index): [string, string[]] => [id, JSON.parse(found[index] ?? '') ?? []]));
        }),
      ),
    async pullImage(reference) {
      await change(['pull', '--quiet', reference], pullMs);
    },
  };
}

function volumeOf({ Name, Driver, Mountpoint, Labels, Options }: InspectedVolume): Volume {
  const hasOptions = Object.keys(Options ?? {}).length > 0;
  return { name: Name ?? '', driver: Driver ?? '', mountpoint: Mountpoint ?? '', labels: Labels ?? {}, hasOptions };
}

function lines({ stdout }: CommandOutput): string[] {
  return stdout
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
