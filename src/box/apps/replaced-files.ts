import type { FileChange } from '../change/ports.ts';
import type { Core } from '../core.ts';
import type { AppsBox } from './ports.ts';

/**
 * Notes which files that are about to be replaced are mounted, because a container keeps the old file. The next
 * reconcile that succeeds recreates their services, also after a power cut.
 */
export async function noteReplaced(
  { records }: Pick<Core, 'records'>,
  name: string,
  { plan, env }: Pick<FileChange, 'env'> & { plan: Pick<FileChange['plan'], 'steps'> | null },
): Promise<void> {
  const all = records.load();
  const record = all.get(name);
  const mounts = new Set(Object.values(record?.model?.services ?? {}).flatMap((service) => service.mounts));
  const paths = [...(plan?.steps ?? []).map(({ path }) => path), ...(env === null ? [] : ['.env'])];
  const replaced = paths.filter((path) => mounts.has(path));
  if (record === undefined || replaced.length === 0) return;
  await records.save(all.set(name, { ...record, replaced: [...new Set([...record.replaced, ...replaced])] }));
}

/** Writes the `.env` of an installed app. Returns false if it has this text already. */
export async function replaceEnv(box: AppsBox, name: string, env: string): Promise<boolean> {
  await noteReplaced(box, name, { plan: null, env });
  return box.installFiles.writeEnv(name, env);
}
