import { runCommand } from '../../../lib/process/run-command.ts';
import { dockerEnvironment } from '../../adapters/docker/docker-environment.ts';
import { throwContainersFailed } from '../../adapters/docker/docker-failure.ts';
import type { LogsPorts } from '../ports.ts';
import { parseUsage } from '../rules/usage.ts';

const timeoutMs = 20_000;

/** `docker stats`, which looks at the containers twice, a second apart. */
export function makeUsage(environment: Readonly<Record<string, string | undefined>>): LogsPorts['usage'] {
  const env = dockerEnvironment(environment);
  return async (containers) => {
    if (containers.length === 0) return new Map();
    const words = ['docker', 'stats', '--no-stream', '--no-trunc', '--format', '{{json .}}', ...containers];
    const { stdout } = await runCommand(words, { cwd: '/', env, timeoutMs }).catch(throwContainersFailed);
    return parseUsage(stdout);
  };
}
