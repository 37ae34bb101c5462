import { runCommand } from '../../../lib/process/run-command.ts';
import type { RoomPorts } from '../../room-ports.ts';
import { parseUsage } from '../../rules/room/usage.ts';
import { dockerEnvironment } from '../docker/docker-environment.ts';
import { throwContainersFailed } from '../docker/docker-failure.ts';

const timeoutMs = 20_000;

/** `docker stats`, which looks at the containers twice, a second apart. */
export function makeUsage(environment: Readonly<Record<string, string | undefined>>): RoomPorts['usage'] {
  const env = dockerEnvironment(environment);
  return async (containers) => {
    if (containers.length === 0) return new Map();
    const words = ['docker', 'stats', '--no-stream', '--no-trunc', '--format', '{{json .}}', ...containers];
    const { stdout } = await runCommand(words, { cwd: '/', env, timeoutMs }).catch(throwContainersFailed);
    return parseUsage(stdout);
  };
}
