import { CommandFailed, type CommandOutput } from '../../../lib/process/run-command.ts';
import { ContainersFailed } from '../../core.ts';
import type { Container } from '../../engine/rules/container.ts';
import { throwContainersUnknown } from './docker-failure.ts';
import { containerTemplate, parseContainerIds, parseContainers } from './docker-output.ts';

type Docker = (args: readonly string[]) => Promise<CommandOutput>;

const listIds = ['ps', '-a', '-q', '--no-trunc', '--filter', 'label=com.docker.compose.project'];
const inspect = ['inspect', '--type', 'container', '--format', containerTemplate];

/** Every container of every Compose project. One that is gone at the inspection is left out. */
export async function observeContainers(docker: Docker): Promise<Container[]> {
  const listed = await docker(listIds).catch(throwContainersUnknown);
  const ids = parseContainerIds(listed.stdout);
  if (ids === null) throw new ContainersFailed('docker ps answered in a form that is not understood', true);
  if (ids.length === 0) return [];
  const { stdout, gone } = await docker([...inspect, ...ids]).then(
    (output) => ({ ...output, gone: 0 }),
    (error: unknown) => whatRemains(error, ids),
  );
  const containers = parseContainers(stdout);
  if (containers.length + gone >= ids.length) return containers;
  throw new ContainersFailed(`docker inspect answered for ${containers.length} of ${ids.length} containers`, true);
}

/** With a container that is gone, the command prints the others and fails. */
function whatRemains(error: unknown, ids: readonly string[]): { stdout: string; gone: number } {
  if (!(error instanceof CommandFailed) || error.isCut) throwContainersUnknown(error);
  const lines = error.stderrTail.split('\n').filter((line) => /no such (?:container|object)\b/i.test(line));
  const named = new Set(lines.flatMap((line) => line.match(/[\w.-]+/g) ?? []));
  const gone = ids.filter((id) => named.has(id)).length;
  if (gone === 0) throwContainersUnknown(error);
  return { stdout: error.stdout, gone };
}
