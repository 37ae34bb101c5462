import { CommandFailed, type CommandOutput } from '../../../lib/process/run-command.ts';
import { ContainersFailed } from '../../ports.ts';
import type { Container } from '../../rules/reconcile/container.ts';
import { throwContainersUnknown } from './docker-failure.ts';
import { containerTemplate, parseContainerIds, parseContainers } from './docker-output.ts';

type Docker = (args: readonly string[]) => Promise<CommandOutput>;

const listIds = ['ps', '-a', '-q', '--no-trunc', '--filter', 'label=com.docker.compose.project'];

/** Every container of every Compose project. One that is gone at the inspection is left out. */
export async function observeContainers(docker: Docker): Promise<Container[]> {
  const { stdout } = await docker(listIds).catch(throwContainersUnknown);
  const ids = parseContainerIds(stdout);
  if (ids === null) throw notUnderstood('docker ps');
  if (ids.length === 0) return [];
  return inspect(docker, ids, ['--format', containerTemplate]).catch((error: unknown) => {
    if (!(error instanceof ContainersFailed) || error.unreachable) throw error;
    return inspect(docker, ids, []); // Some container tools know no template.
  });
}

async function inspect(docker: Docker, ids: readonly string[], format: readonly string[]): Promise<Container[]> {
  const command = docker(['inspect', '--type', 'container', ...format, ...ids]);
  const { stdout, gone } = await command.then((output) => ({ ...output, gone: 0 }), whatRemains);
  const containers = parseContainers(stdout);
  if (containers === null && gone === 0) throw notUnderstood('docker inspect');
  const count = (containers ?? []).length;
  if (count + gone >= ids.length) return containers ?? [];
  throw new ContainersFailed(`docker inspect answered for ${count} of ${ids.length} containers`, true);
}

/** With a container that is gone, the command prints the others and fails. */
function whatRemains(error: unknown): { stdout: string; gone: number } {
  const isReadable = error instanceof CommandFailed && !error.isCut;
  const gone = isReadable ? (error.stderrTail.match(/no such (?:container|object)\b/gi)?.length ?? 0) : 0;
  return isReadable && gone > 0 ? { stdout: error.stdout, gone } : throwContainersUnknown(error);
}

function notUnderstood(command: string): ContainersFailed {
  return new ContainersFailed(`${command} answered in a form that is not understood`, false);
}
