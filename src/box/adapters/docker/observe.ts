import { CommandFailed, type CommandOutput } from '../../../lib/process/run-command.ts';
import { ContainersFailed } from '../../core.ts';
import type { Container } from '../../engine/rules/container.ts';
import { isUnreachable, throwContainersUnknown } from './docker-failure.ts';
import { containerTemplate, parseContainerIds, parseContainers } from './docker-output.ts';

type Docker = (args: readonly string[]) => Promise<CommandOutput>;

const listIds = ['ps', '-a', '-q', '--no-trunc', '--filter', 'label=com.docker.compose.project'];
const withTemplate = ['--type', 'container', '--format', containerTemplate];

/** Every container of every Compose project. One that is gone at the inspection is left out. */
export async function observeContainers(docker: Docker): Promise<Container[]> {
  const { stdout } = await docker(listIds).catch((error: unknown) => throwContainersUnknown(error));
  const ids = parseContainerIds(stdout);
  if (ids === null) throw new ContainersFailed(notUnderstood('docker ps'), false);
  if (ids.length === 0) return [];
  try {
    return await inspect(docker, ids, withTemplate);
  } catch (error) {
    if (error instanceof CommandFailed && (error.isCut || isUnreachable(error))) throwContainersUnknown(error, true);
    // Some container tools know no template, or take it for a name.
    return inspect(docker, ids, []).catch((second: unknown) => throwContainersUnknown(second, true));
  }
}

async function inspect(docker: Docker, ids: readonly string[], options: readonly string[]): Promise<Container[]> {
  const command = docker(['inspect', ...options, ...ids]);
  const { stdout, gone } = await command.then(
    (output) => ({ ...output, gone: 0 }),
    (error: unknown) => whatRemains(error, ids),
  );
  const containers = parseContainers(stdout);
  if (containers === null && gone === 0) throw new ContainersFailed(notUnderstood('docker inspect'), true);
  const count = (containers ?? []).length;
  if (count + gone >= ids.length) return containers ?? [];
  throw new ContainersFailed(`docker inspect answered for ${count} of ${ids.length} containers`, true);
}

/** With a container that is gone, the command prints the others and fails. */
function whatRemains(error: unknown, ids: readonly string[]): { stdout: string; gone: number } {
  if (!(error instanceof CommandFailed) || error.isCut) throw error;
  const lines = error.stderrTail.split('\n').filter((line) => /no such (?:container|object)\b/i.test(line));
  const named = new Set(lines.flatMap((line) => line.match(/[\w.-]+/g) ?? []));
  const gone = ids.filter((id) => named.has(id)).length;
  if (gone === 0) throw error;
  return { stdout: error.stdout, gone };
}

function notUnderstood(command: string): string {
  return `${command} answered in a form that is not understood`;
}
