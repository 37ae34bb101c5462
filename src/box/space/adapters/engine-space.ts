import { readFileSync } from 'node:fs';
import { parseJson } from '../../../lib/json.ts';
import { type CommandOptions, runCommand } from '../../../lib/process/run-command.ts';
import type { Lend } from '../../adapters/changes.ts';
import { dockerEnvironment } from '../../adapters/docker/docker-environment.ts';
import { throwContainersFailed } from '../../adapters/docker/docker-failure.ts';
import { ContainersFailed } from '../../core.ts';
import { asList, asRecord } from '../../rules/compose/fields.ts';
import type { SpacePorts } from '../ports.ts';
import { parseUsage } from '../rules/engine-usage.ts';

const queryMs = 30_000;
/** The engine counts every file of every volume. */
const usageMs = 120_000;

/** The disk space of the engine that `docker` reaches. */
export function makeEngineSpace(
  environment: Readonly<Record<string, string | undefined>>,
  lend: Lend,
): Pick<SpacePorts, 'engineUsage' | 'images'> {
  const env = dockerEnvironment(environment);
  const run = (args: readonly string[], options: Omit<CommandOptions, 'env'>) =>
    runCommand(['docker', ...args], { cwd: '/', env, ...options }).catch(throwContainersFailed);

  return {
    async engineUsage(signal) {
      // Docker 20.10 does not know the short word for this format.
      const { stdout } = await run(['system', 'df', '-v', '--format', '{{json .}}'], { timeoutMs: usageMs, signal });
      const usage = parseUsage(parseJson(stdout));
      if (usage === null)
        throw new ContainersFailed('docker system df answered in a form that is not understood', false);
      return usage;
    },
    images: {
      async tags(ids) {
        const found = new Map<string, string[]>();
        for (const id of ids) {
          // An image that is gone fails the command.
          const question = ['image', 'inspect', '--format', '{{json .RepoTags}}', id];
          const answer = await run(question, { timeoutMs: queryMs }).catch((error: unknown) => {
            if (error instanceof ContainersFailed && !error.unreachable) return null;
            throw error;
          });
          if (answer !== null) found.set(id, asList(parseJson(answer.stdout)).map(String));
        }
        return found;
      },
      async remove(id) {
        await lend((inherited) => run(['rmi', id], { timeoutMs: queryMs, inherited, mayBeCut: true }));
      },
    },
  };
}

/** The folder in which the engine keeps images and volumes, from its configuration. */
export function dataRoot(configuration = '/etc/docker/daemon.json'): string {
  try {
    const root = asRecord(JSON.parse(readFileSync(configuration, 'utf8')))['data-root'];
    if (typeof root === 'string' && root.startsWith('/')) return root;
  } catch {
    // Without a configuration it is the usual one.
  }
  return '/var/lib/docker';
}
