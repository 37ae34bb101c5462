import { type ChildProcess, spawn } from 'node:child_process';
import type { EngineEvents, EventStream } from '../../engine/ports.ts';
import { dockerEnvironment } from './docker-environment.ts';
import { parseEvent } from './docker-output.ts';

/** Every event that changes a snapshot. The exec events of health checks are left out: they come every few seconds. */
const changes = ['create', 'start', 'die', 'oom', 'pause', 'unpause', 'rename', 'update', 'health_status', 'destroy'];
/** A signal changes no snapshot, but most often a container stops then. */
const events = [...changes, 'kill'];

/** Longer lines, which an author's labels can cause, are not read. */
const longestLine = 256 * 1024;

/**
 * The stream of `docker events`. Any change means that a new snapshot is due; only the directory of a container that
 * stops is read. When this process ends, even by SIGKILL, the kernel sends the program SIGTERM. Without `setpriv` (of util-linux), a killed box leaves
 * the program behind until the next event.
 * choice/box/265
 */
export function makeEngineEvents(environment: Readonly<Record<string, string | undefined>>): EngineEvents {
  const env = dockerEnvironment(environment);
  return {
    follow(onChange, onStop) {
      const command = ['docker', ...eventArguments()];
      let child: ChildProcess;
      let isStopped = false;
      const { promise: ended, resolve } = Promise.withResolvers<void>();
      const start = (argv: readonly string[], onMissing: () => void) => {
        const [program = '', ...args] = argv;
        child = spawn(program, args, { cwd: '/', env, detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
        let rest = '';
        child.stdout?.setEncoding('utf8').on('data', (text: string) => {
          const lines = (rest + text).split('\n');
          rest = (lines.pop() ?? '').slice(0, longestLine);
          const found = lines.map(parseEvent);
          for (const { stops } of found) if (stops !== null) onStop(stops);
          if (found.length === 0 || found.some(({ isSignal }) => !isSignal)) onChange();
        });
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
