import { readdirSync, readFileSync, statSync } from 'node:fs';

export type RunningCaddy = {
  user: number;
  /** The group of its user. */
  group: number;
  /** Its environment; `undefined` if the kernel does not show it to this service, or another user chose it. */
  variables: Record<string, string> | undefined;
  /** Its unit; `null` if systemd did not start it. */
  unit: string | null;
};

/**
 * The Caddy that runs on this machine, not in a container; `null` if none runs. One of a service of systemd comes first,
 * because any user can start a program of this name.
 */
export function runningCaddy(): RunningCaddy | null {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const found = ids.flatMap((id) => caddyOf(id) ?? []);
  return found.find(({ unit }) => unit !== null) ?? found[0] ?? null;
}

export function caddyOf(id: string): RunningCaddy | null {
  try {
    if (textOf(id, 'comm') !== 'caddy\n' || textOf(id, 'cmdline').split('\0')[1] !== 'run') return null;
    // A process of a container has an id there, too.
    if (!/^NSpid:\s+\d+$/m.test(textOf(id, 'status'))) return null;
    const { uid: user, gid: group } = statSync(`/proc/${id}`);
    const unit = unitOf(textOf(id, 'cgroup'));
    // Root runs Caddy with it, so it must not be that of another user.
    const isTrusted = unit !== null || user === process.getuid?.();
    return { user, group, variables: isTrusted ? variablesOf(id) : undefined, unit };
  } catch {
    return null; // The process has ended.
  }
}

function textOf(id: string, file: string): string {
  return readFileSync(`/proc/${id}/${file}`, 'utf8');
}

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

function unitOf(cgroup: string): string | null {
  const paths = cgroup.split('\n').map((line) => line.split(':').at(-1) ?? '');
  const path = paths.find((one) => one.startsWith('/system.slice/') && one.endsWith('.service'));
  return path?.split('/').at(-1) ?? null;
}
