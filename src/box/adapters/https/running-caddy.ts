import { readdirSync, readFileSync, statSync } from 'node:fs';

export type RunningCaddy = {
  /** The group of its user. */
  group: number;
  /** Its environment; `undefined` if the kernel does not show it to this service. */
  variables: Record<string, string> | undefined;
  /** Its unit; `null` if systemd did not start it. */
  unit: string | null;
};

/** The Caddy that runs on this machine; `null` if none runs. */
export function runningCaddy(): RunningCaddy | null {
  for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (textOf(id, 'comm') !== 'caddy\n' || textOf(id, 'cmdline').split('\0')[1] !== 'run') continue;
      return { group: statSync(`/proc/${id}`).gid, variables: variablesOf(id), unit: unitOf(textOf(id, 'cgroup')) };
    } catch {
      // The process has ended.
    }
  }
  return null;
}

function textOf(id: string, file: string): string {
  return readFileSync(`/proc/${id}/${file}`, 'utf8');
}

function variablesOf(id: string): Record<string, string> | undefined {
  try {
    const pairs = textOf(id, 'environ').split('\0');
    return Object.fromEntries(pairs.map((pair) => pair.split(/=(.*)/s, 2)).filter(([name]) => name !== ''));
  } catch {
    return undefined;
  }
}

function unitOf(cgroup: string): string | null {
  const paths = cgroup.split('\n').map((line) => line.split(':').at(-1) ?? '');
  const path = paths.find((one) => one.startsWith('/system.slice/') && one.endsWith('.service'));
  return path?.split('/').at(-1) ?? null;
}
