import type { FileChange } from '../change/ports.ts';
import type { BoxPorts } from '../ports.ts';

/** The paths that a refresh replaces, and the `.env` if it is written. */
export function replacedBy({ plan, env }: FileChange): string[] {
  return [...plan.steps.map(({ path }) => path), ...(env === null ? [] : ['.env'])];
}

/**
 * Writes files of an app. A new file takes the place of the old one, and a container that mounts the old one keeps it.
 * So the record notes, before the write, which of the files are mounted. The next reconcile that succeeds recreates
 * the services that mount them, also after a power cut.
 */
export async function writeReplacing<T>(
  box: Pick<BoxPorts, 'records'>,
  name: string,
  paths: readonly string[],
  write: () => Promise<T>,
): Promise<T> {
  const records = box.records.load();
  const record = records.get(name);
  const mounts = new Set(Object.values(record?.model?.services ?? {}).flatMap((service) => service.mounts));
  const replaced = paths.filter((path) => mounts.has(path));
  if (record !== undefined && replaced.length > 0) {
    const all = [...new Set([...record.replaced, ...replaced])];
    await box.records.save(new Map(records).set(name, { ...record, replaced: all }));
  }
  return write();
}
