import type { AppRecord, Core } from '../core.ts';
import type { Project } from './project.ts';

/** By service, a digest of its configs and secrets. Compose does not recreate a container when one of them changes. */
export function inputsOf(
  box: Pick<Core, 'folders'>,
  { model, env, files }: Pick<Project, 'model' | 'env' | 'files'>,
): Record<string, string> {
  const services = Object.entries(model.services).filter(([, one]) => one.texts.length + one.files.length > 0);
  return Object.fromEntries(
    services.map(([service, { texts, files: named }]) => {
      const values = texts.map((text) => (text.startsWith('env:') ? env.get(text.slice(4)) : text) ?? '');
      return [service, box.folders.digest(files.directory, named, JSON.stringify(values))];
    }),
  );
}

/** The services that a change has left with an old config, secret or mounted file, by name. */
export function staleServices(box: Pick<Core, 'folders'>, project: Project, record: AppRecord | undefined): string[] {
  if (record === undefined) return [];
  const inputs = inputsOf(box, project);
  const replaced = new Set(record.replaced);
  return Object.entries(project.model.services)
    .filter(([service, { mounts }]) => {
      const before = record.inputs[service];
      return (before !== undefined && before !== inputs[service]) || mounts.some((path) => replaced.has(path));
    })
    .map(([service]) => service)
    .sort();
}
