import { readFileSync } from 'node:fs';
import { ignore } from '../../lib/ignore.ts';
import { CommandFailed, runCommand } from '../../lib/process/run-command.ts';
import { JobFailed, type JobStart, type ServiceManager } from '../ports.ts';
import { fail } from '../rules/update-failed.ts';

const commandTimeoutMs = 30_000;
/** A server finishes its changes before it stops, for up to 90 s; an owner's unit may allow more. */
const restartTimeoutMs = 300_000;

const asked = ['ActiveState', 'MainPID', 'NRestarts', 'ExecStart'] as const;
const running = ['active', 'activating', 'reloading', 'deactivating'];

/**
 * The service manager as systemd. A user other than root uses the user's own. A job is a transient unit: `--collect`
 * removes it when it has ended, even after a failure; otherwise the name of a failed unit would stay in use. systemd
 * restarts a killed job, so that it can clean up, but not a job that exits.
 * box/process/18, choice/box/365
 */
export function makeServiceManager(env: NodeJS.ProcessEnv = process.env): ServiceManager {
  const run = (argv: readonly string[], timeoutMs = commandTimeoutMs) => runCommand(argv, { timeoutMs, env });
  /** After too many failures, systemd refuses to start a unit. An ended unit may still have the name of a job. */
  const reset = (unit: string) => run([...systemctl(), 'reset-failed', unit]).catch(() => undefined);
  const status: ServiceManager['status'] = async (unit) => {
    const shown = await run([...systemctl(), 'show', ...asked.flatMap((name) => ['-p', name]), unit]).then(
      ({ stdout }) => propertiesOf(stdout),
      () => new Map<string, string>(),
    );
    return {
      state: shown.get('ActiveState') ?? 'unknown',
      pid: Number(shown.get('MainPID') ?? 0),
      restarts: Number(shown.get('NRestarts') ?? 0),
      command: shown.get('ExecStart') ?? '',
    };
  };
  const isRunning = async (unit: string) => {
    // Fails for every unit that is not active, also for one that is still starting.
    const { stdout } = await run([...systemctl(), 'is-active', unit]).catch(ignore(CommandFailed, (error) => error));
    return running.includes(stdout.trim());
  };
  const tryStart = async (unit: string, argv: readonly string[]): Promise<JobStart | CommandFailed> => {
    const failure = await run(argv).then(
      () => null,
      ignore(CommandFailed, (error) => error),
    );
    if (failure === null) return 'started';
    return isRefusal(failure) && (await isRunning(unit)) ? 'already running' : failure;
  };
  return {
    status,
    async start(unit, command, variables) {
      const argv = startCommand(unit, command, variables);
      let end = await tryStart(unit, argv);
      if (end instanceof CommandFailed && isRefusal(end)) {
        await reset(unit);
        end = await tryStart(unit, argv);
      }
      if (!(end instanceof CommandFailed)) return end;
      throw new JobFailed(problemOf(end, 'systemd-run', 'systemd-run did not answer in time'), { cause: end });
    },
    async restart(unit) {
      await reset(unit);
      const failed = ignore(CommandFailed, (error) => {
        const problem = problemOf(error, 'systemctl', `it did not start within ${restartTimeoutMs / 1000} seconds`);
        fail(`the unit ${unit} did not start: ${problem}; journalctl -u ${unit} says why`, error);
      });
      await run([...systemctl(), 'restart', unit], restartTimeoutMs).catch(failed);
    },
  };
}

function startCommand(unit: string, command: readonly string[], variables: Record<string, string>): string[] {
  const settings = Object.entries(variables).map(([name, value]) => `--setenv=${name}=${value}`);
  const properties = ['--property=Restart=on-abnormal', '--property=RestartSec=1'];
  const options = [`--unit=${unit}`, '--collect', ...properties, ...settings];
  return ['systemd-run', ...ownManager(), ...options, '--', ...command];
}

export const systemctl = () => ['systemctl', ...ownManager()];

function ownManager(): string[] {
  return process.getuid?.() === 0 ? [] : ['--user'];
}

function propertiesOf(text: string): Map<string, string> {
  const lines = text.split('\n').map((line) => line.split('='));
  return new Map(lines.map(([name = '', ...value]) => [name, value.join('=')]));
}

/** Whether the service manager was reached and refused a command. */
function isRefusal({ status, notFound, timedOut }: CommandFailed): boolean {
  return status !== null && !notFound && !timedOut;
}

function problemOf(error: CommandFailed, program: string, late: string): string {
  if (error.notFound) return `${program} is not on PATH: this machine runs no systemd`;
  if (error.timedOut) return late;
  return error.stderrTail.split('\n', 1)[0] || `${program} ended with status ${error.status}`;
}

/** The unit that this process runs in, from its control group; null if it runs without a unit. */
export function ownUnit(cgroupPath = '/proc/self/cgroup'): string | null {
  try {
    const groups = readFileSync(cgroupPath, 'utf8');
    return /\/([^/\s]+\.service)\s*$/m.exec(groups)?.[1] ?? null;
  } catch {
    return null; // A system without control groups has no units either.
  }
}
