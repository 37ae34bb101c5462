import { readFileSync } from 'node:fs';
import { ignore } from '../../lib/ignore.ts';
import { CommandFailed, runCommand } from '../../lib/process/run-command.ts';
import { JobFailed, type Jobs } from '../ports.ts';

const commandTimeoutMs = 30_000;

/**
 * The service manager as systemd: a job is a transient unit. `--collect` removes a unit when it has ended, even after
 * a failure; otherwise the name of a failed unit would stay in use. systemd restarts a killed job, so that it can
 * clean up, but not a job that exits.
 * box/process/18
 */
export function makeJobs(environment: NodeJS.ProcessEnv = process.env): Jobs {
  const run = (argv: readonly string[]) => runCommand(argv, { timeoutMs: commandTimeoutMs, env: environment });
  const isActive = async (unit: string) => {
    // `is-active` fails for every unit that is not active, also for one that is still starting.
    const asked = run([...systemctl(), 'is-active', unit]);
    const { stdout } = await asked.catch(ignore(CommandFailed, (error) => error));
    return ['active', 'activating', 'reloading', 'deactivating'].includes(stdout.trim());
  };
  return {
    async start(unit, command, variables) {
      const argv = startCommand(unit, command, variables);
      try {
        await run(argv);
        return 'started';
      } catch (error) {
        if (!isRefusal(error)) throw jobFailed(error);
      }
      if (await isActive(unit)) return 'already running';
      // An ended unit may still have the name: release the name, then try once more.
      await run([...systemctl(), 'reset-failed', unit]).catch(() => undefined);
      try {
        await run(argv);
        return 'started';
      } catch (error) {
        if (isRefusal(error) && (await isActive(unit))) return 'already running';
        throw jobFailed(error);
      }
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

/** A user other than root has a service manager of their own. */
function ownManager(): string[] {
  return process.getuid?.() === 0 ? [] : ['--user'];
}

/** Whether the service manager was reached and refused the job; the name may be taken then. */
function isRefusal(error: unknown): boolean {
  return error instanceof CommandFailed && error.status !== null && !error.notFound && !error.timedOut;
}

function jobFailed(error: unknown): unknown {
  if (!(error instanceof CommandFailed)) return error;
  if (error.notFound)
    return new JobFailed('systemd-run is not on PATH: this machine runs no systemd', { cause: error });
  if (error.timedOut) return new JobFailed('systemd-run did not answer in time', { cause: error });
  const said = error.stderrTail.trim().split('\n').at(-1) ?? '';
  return new JobFailed(said === '' ? `systemd-run ended with status ${error.status}` : said, { cause: error });
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
