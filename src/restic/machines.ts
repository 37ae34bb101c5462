/** Which machine made a snapshot, and whether its backups belong to this one. */

/** What this machine knows of itself and of those before it. */
export type Machines = {
  /** The id that its snapshots have as a tag; empty before the first one. Two machines may have one host name. */
  self: string;
  /** The host names that it has or had. */
  names: readonly string[];
  /** Machines whose backups it took over, and the time until which these are its own. */
  taken: Readonly<Record<string, string>>;
};

type Made = { host: string; tags: readonly string[]; time: Date };

const prefix = 'machine=';

export function machineTag(self: string): string {
  return `${prefix}${self}`;
}

/**
 * Whether a snapshot is this machine's own. All snapshots of another machine are not, if it has made one since its
 * backups were taken over: it is still at work.
 */
export function makeIsOwn(snapshots: readonly Made[], machines: Machines): (snapshot: Made) => boolean {
  const { self, names, taken } = machines;
  const isSelf = (one: Made) => names.includes(one.host) && [self, ''].includes(idOf(one));
  const atWork = new Set<string>();
  for (const one of snapshots) {
    const until = Date.parse(taken[nameOf(one)] ?? '');
    if (!isSelf(one) && !(one.time.getTime() <= until)) atWork.add(nameOf(one));
  }
  return (one) => isSelf(one) || !atWork.has(nameOf(one));
}

/** All machines of these snapshots are taken over as they are now. */
export function takeOver(snapshots: readonly Made[], machines: Machines, now: Date): Machines {
  const taken = { ...machines.taken };
  for (const one of snapshots) {
    // A snapshot that was made under a wrong clock does not make its machine one that is still at work.
    const until = Math.max(now.getTime(), one.time.getTime(), Date.parse(taken[nameOf(one)] ?? '') || 0);
    taken[nameOf(one)] = new Date(until).toISOString();
  }
  return { ...machines, taken };
}

function idOf({ tags }: Made): string {
  return tags.find((tag) => tag.startsWith(prefix))?.slice(prefix.length) ?? '';
}

function nameOf(one: Made): string {
  return `${one.host} ${idOf(one)}`.trimEnd();
}
