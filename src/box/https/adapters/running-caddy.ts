import { readdirSync, readFileSync } from 'node:fs';
import { ignore } from '../../../lib/ignore.ts';
import { CommandFailed, runCommand } from '../../../lib/process/run-command.ts';
import { type CaddyProcess, chosenCaddy, ownerIn, unitIn } from '../rules/chosen-caddy.ts';

export type RunningCaddy = {
  user: number;
  /** The group of its user. */
  group: number;
  /** Its environment; `undefined` if the kernel does not show it to this service. */
  variables: Record<string, string> | undefined;
  /** Its unit; `null` if systemd did not start it. */
  unit: string | null;
};

const showMs = 10_000;

/** The Caddy that runs on this machine, not in a container; `null` if none runs. */
export async function runningCaddy(env: NodeJS.ProcessEnv): Promise<RunningCaddy | null> {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const found = ids.flatMap((id) => caddyOf(id) ?? []);
  const units = new Set(found.flatMap(({ unit }) => unit ?? []));
  const shown = units.size === 0 ? '' : await mainPrograms([...units], env);
  const chosen = chosenCaddy(found, shown, process.getuid?.() ?? 0);
  return chosen && { ...chosen, variables: variablesOf(chosen.id) };
}

/** The process if it is a `caddy run` of this machine. */
function caddyOf(id: string): CaddyProcess | null {
  try {
    if (textOf(id, 'comm') !== 'caddy\n' || textOf(id, 'cmdline').split('\0')[1] !== 'run') return null;
    const status = textOf(id, 'status');
    // A process of a container has an id there, too.
    const owner = /^NSpid:\s+\d+$/m.test(status) ? ownerIn(status) : null;
    return owner && { id, ...owner, unit: unitIn(textOf(id, 'cgroup')) };
  } catch {
    return null; // The process has ended.
  }
}

/** Empty without systemd: then there is no service. */
async function mainPrograms(units: readonly string[], { PATH }: NodeJS.ProcessEnv): Promise<string> {
  const argv = ['systemctl', 'show', '--property=Id', '--property=MainPID', '--', ...units];
  const shown = runCommand(argv, { cwd: '/', env: { PATH }, timeoutMs: showMs });
  return shown.then(
    ({ stdout }) => stdout,
    ignore(CommandFailed, () => ''),
  );
}

function textOf(id: string, file: string): string {
  return readFileSync(`/proc/${id}/${file}`, 'utf8');
}

/** Root runs Caddy with them, so those that lead the loader are left out. */
function variablesOf(id: string): Record<string, string> | undefined {
  try {
    const pairs = textOf(id, 'environ').split('\0');
    return Object.fromEntries(
      pairs.map((pair) => pair.split(/=(.*)/s, 2)).filter(([name = '']) => name !== '' && !name.startsWith('LD_')),
    );
  } catch {
    return undefined;
  }
}
