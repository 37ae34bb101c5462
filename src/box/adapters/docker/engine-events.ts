import { type ChildProcess, spawn } from 'node:child_process';
import type { EngineEvents, EventStream } from '../../ports.ts';
import { dockerEnvironment } from './docker-environment.ts';

/** Whatever changes what a look shows. The exec events of health checks are left out: they come every few seconds. */
const events = [
  'create',
  'start',
  'die',
  'oom',
  'pause',
  'unpause',
  'rename',
  'update',
  'health_status',
  'destroy',
];

/**
 * The stream of `docker events`. Its text is not read: any event means that it is time to look again.
 *
 * When this process ends, even by SIGKILL, the kernel sends the program SIGTERM. Without `setpriv` (of util-linux), a
 * killed box leaves it behind until the next event.
 * choice/box/269
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
        // The stream never keeps the process from ending.
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

/** With the events of the last moment, because the stream begins some time after the program does. */
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
