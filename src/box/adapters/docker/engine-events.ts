import { type ChildProcess, spawn } from 'node:child_process';
import type { EngineEvents, EventStream } from '../../ports.ts';
import { dockerEnvironment } from './docker-environment.ts';

/** Every event that changes a snapshot. The exec events of health checks are left out: they come every few seconds. */
const events = ['create', 'start', 'die', 'oom', 'pause', 'unpause', 'rename', 'update', 'health_status', 'destroy'];

/**
 * The stream of `docker events`. Any event means that a new snapshot is due, so its text is not read. When this process
 * ends, even by SIGKILL, the kernel sends the program SIGTERM. Without `setpriv` (of util-linux), a killed box leaves
 * the program behind until the next event.
 * choice/box/265
 */
export function makeEngineEvents(environment: Readonly<Record<string, string | undefined>>): EngineEvents {
  const env = dockerEnvironment(environment);
  return {
    follow(onEvent) {
      const command = ['docker', ...eventArguments()];
      let child: ChildProcess;
      let isStopped = false;
      const { promise: ended, resolve } = Promise.withResolvers<void>();
      const start = (argv: readonly string[], onMissing: () => void) => {
        const [program = '', ...args] = argv;
        child = spawn(program, args, { cwd: '/', env, detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
        child.stdout?.on('data', onEvent);
        child.on('error', onMissing);
        child.on('close', () => child.pid !== undefined && resolve());
        // The stream does not keep this process alive.
        child.unref();
        (child.stdout as { unref?: () => void } | null)?.unref?.();
        if (isStopped) child.kill();
      };
      start(['setpriv', '--pdeathsig', 'TERM', ...command], () => start(command, resolve));
      return {
        ended,
        stop() {
          isStopped = true;
          child.kill();
        },
      } satisfies EventStream;
    },
  };
}

/** Includes events of the last moments, because the stream begins some time after the program starts. */
function eventArguments(): string[] {
  const since = Math.floor(Date.now() / 1000) - 1;
  return [
    'events',
    ...['--since', String(since)],
    ...['--filter', 'type=container', '--filter', 'label=com.docker.compose.project'],
    ...events.flatMap((event) => ['--filter', `event=${event}`]),
    ...['--format', '{{json .}}'],
  ];
}
