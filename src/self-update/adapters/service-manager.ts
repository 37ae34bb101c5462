import { ignore } from '../../lib/ignore.ts';
import { CommandFailed, runCommand } from '../../lib/process/run-command.ts';
import { fail } from '../rules/update-failed.ts';
import type { ServiceManager } from '../updater-ports.ts';
import { systemctl } from './systemd.ts';

const questionTimeoutMs = 30_000;
/** A server finishes its changes before it stops, for up to 90 s; an owner's unit may allow more. */
const restartTimeoutMs = 300_000;

const asked = ['ActiveState', 'MainPID', 'NRestarts', 'ExecStart'] as const;

/** Services of systemd. A user other than root uses the user's own service manager. choice/box/365 */
export function makeServiceManager(environment: NodeJS.ProcessEnv = process.env): ServiceManager {
  const run = (args: readonly string[], timeoutMs: number) =>
    runCommand([...systemctl(), ...args], { timeoutMs, env: environment });
  return {
    async status(unit) {
      const question = ['show', ...asked.flatMap((name) => ['-p', name]), unit];
      const shown = await run(question, questionTimeoutMs).then(
        ({ stdout }) => propertiesOf(stdout),
        () => new Map<string, string>(),
      );
      return {
        state: shown.get('ActiveState') ?? 'unknown',
        pid: Number(shown.get('MainPID') ?? 0),
        restarts: Number(shown.get('NRestarts') ?? 0),
        command: shown.get('ExecStart') ?? '',
      };
    },
    async restart(unit) {
      // Resets systemd's start counter: after too many failures, systemd refuses to start the unit.
      await run(['reset-failed', unit], questionTimeoutMs).catch(() => undefined);
      const failed = ignore(CommandFailed, (error) => {
        const text = `the unit ${unit} did not start: ${problemOf(error)}; journalctl -u ${unit} says why`;
        fail('notStarted', text, error);
      });
      await run(['restart', unit], restartTimeoutMs).catch(failed);
    },
  };
}

function propertiesOf(text: string): Map<string, string> {
  const lines = text.split('\n').map((line) => line.split('='));
  return new Map(lines.map(([name = '', ...value]) => [name, value.join('=')]));
}

function problemOf(error: CommandFailed): string {
  if (error.notFound) return 'systemctl is not on PATH: this machine runs no systemd';
  if (error.timedOut) return `it did not start within ${restartTimeoutMs / 1000} seconds`;
  return error.stderrTail.split('\n', 1)[0] || `systemctl ended with status ${error.status}`;
}
