/** Which of the file systems that are mounted on this machine backups may go to. */

export type Mounted = { mount: string; device: number; uuid: string | null; free: number; size: number };
/** A disk that is offered. Bytes. */
export type FoundDisk = Pick<Mounted, 'mount' | 'free' | 'size'>;

/** The system's own places, and those where a service of boxgate may not write, or has another folder than the system. */
const ofSystem = /^\/(?:boot|dev|efi|etc|home|proc|root|run|sys|tmp|usr|var\/tmp)(?:\/|$)/;
const removable = /^\/run\/media(?:\/|$)/;

export function mayHaveBackups(mount: string): boolean {
  return removable.test(mount) || (mount !== '/' && !ofSystem.test(mount));
}

/** Each disk once. `own`: those of the system, the apps and the state, where backups would be lost with these. */
export function offeredDisks(mounted: readonly Mounted[], own: readonly Mounted[]): FoundDisk[] {
  const isSame = (a: Mounted, b: Mounted) => a.device === b.device || (a.uuid !== null && a.uuid === b.uuid);
  const found: Mounted[] = [];
  for (const one of mounted) {
    if (one.free > 0 && ![...own, ...found].some((other) => isSame(one, other))) found.push(one);
  }
  return found.map(({ mount, free, size }) => ({ mount, free, size }));
}
