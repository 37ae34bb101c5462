import { spawn } from 'node:child_process';
import { runCommand } from '../../../lib/process/run-command.ts';
import { dockerEnvironment } from '../../adapters/docker/docker-environment.ts';
import { throwContainersFailed } from '../../adapters/docker/docker-failure.ts';
import type { LogEnd, LogsPorts } from '../ports.ts';
import { parseUsage } from '../rules/usage.ts';

/** Programs at a time, over all who look at logs. */
const mostPrograms = 64;
const readMs = 10_000;
const usageMs = 20_000;

/** `docker logs` of one container. The program ends with this process, as that of `docker events` does. */
export function makeContainerLogs(environment: Readonly<Record<string, string | undefined>>): Pick<LogsPorts, 'read'> {
  const env = dockerEnvironment(environment);
  let programs = 0;
  return {
    read(container, { lines, isFollowed, since }, onOutput) {
      if (programs >= mostPrograms) return { ended: Promise.resolve('too many'), stop: () => undefined };
      programs += 1;
      const { promise: ended, resolve } = Promise.withResolvers<LogEnd>();
      const flags = [...(isFollowed ? ['--follow'] : []), ...(since === null ? [] : ['--since', since])];
      const words = ['docker', 'logs', ...flags, '--timestamps', '--tail', `${lines}`, container];
      // Without `setpriv` (of util-linux) the program outlives a killed console until the next line of the log.
      let child = run(['setpriv', '--pdeathsig', 'TERM', ...words], () => {
        child = run(words, () => end('no docker'));
      });
      const limit = isFollowed ? null : setTimeout(() => child.kill(), readMs);
      const end = (how: LogEnd) => {
        clearTimeout(limit ?? undefined);
        resolve(how);
      };
      void ended.then(() => {
        programs -= 1;
      });

      function run([program = '', ...args]: readonly string[], onMissing: () => void) {
        const started = spawn(program, args, { cwd: '/', env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
        started.stdout.on('data', (bytes: Buffer) => onOutput(bytes, 'stdout'));
        started.stderr.on('data', (bytes: Buffer) => onOutput(bytes, 'stderr'));
        started.on('error', () => started.pid === undefined && onMissing());
        started.on('close', (status) => started.pid !== undefined && end(status === 0 ? 'ended' : 'failed'));
        return started;
      }
      return {
        ended,
        stop() {
          child.kill();
          child.stdout.destroy();
          child.stderr.destroy();
        },
      };
    },
  };
}

/** `docker stats`, which looks at the containers twice, a second apart. */
export function makeUsage(environment: Readonly<Record<string, string | undefined>>): LogsPorts['usage'] {
  const env = dockerEnvironment(environment);
  return async (containers) => {
    if (containers.length === 0) return new Map();
    const words = ['docker', 'stats', '--no-stream', '--no-trunc', '--format', '{{json .}}', ...containers];
    const { stdout } = await runCommand(words, { cwd: '/', env, timeoutMs: usageMs }).catch(throwContainersFailed);
    return parseUsage(stdout);
  };
}
