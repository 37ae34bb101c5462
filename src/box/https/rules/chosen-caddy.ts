/** A process `caddy run`. `unit`: the service of systemd whose control group it is in; `null` if it is in none. */
export type CaddyProcess = { id: string; user: number; group: number; unit: string | null };

/** The service of systemd that a process belongs to, from its `/proc/ID/cgroup`. */
export function unitIn(cgroup: string): string | null {
  return /:\/system\.slice\/(?:[^/\n]+\/)*([^/\n]+\.service)$/m.exec(cgroup)?.[1] ?? null;
}

/** User and group from its `/proc/ID/status`: the owner of `/proc/ID` is root where a program hides its memory. */
export function ownerIn(status: string): { user: number; group: number } | null {
  const [user, group] = ['Uid', 'Gid'].map((key) => new RegExp(`^${key}:\\t\\d+\\t(\\d+)\\t`, 'm').exec(status)?.[1]);
  return user === undefined || group === undefined ? null : { user: Number(user), group: Number(group) };
}

/**
 * The Caddy of this machine: the main program of a service, or a program that this user started. Any user can start a
 * program of this name, also in the control group of a service, such as that of cron.
 * @param shown - the answer of `systemctl show --property=Id --property=MainPID UNIT…`
 */
export function chosenCaddy(processes: readonly CaddyProcess[], shown: string, ownUser: number): CaddyProcess | null {
  const units = shown
    .split('\n\n')
    .map((block) => new Map(block.split('\n').map((line) => line.split(/=(.*)/s, 2) as [string, string])));
  const mains = new Set(units.map((unit) => `${unit.get('Id')} ${unit.get('MainPID')}`));
  const main = processes.find(({ id, unit }) => unit !== null && mains.has(`${unit} ${id}`));
  if (main !== undefined) return main;
  const own = processes.find(({ user }) => user === ownUser);
  return own === undefined ? null : { ...own, unit: null };
}
