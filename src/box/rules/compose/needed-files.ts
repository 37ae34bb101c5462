import { asList, asRecord, type Fields, pathsOf } from './fields.ts';
import { buildOf, extendedIn, includedIn, servicesOf } from './further-files.ts';
import { interpolate } from './variables.ts';

/**
 * The files without which Compose refuses a project or cannot build its images, with paths as the Compose files write
 * them, variables filled in. Leaves out the `.env`, which the box writes, and what lies elsewhere: a build from a
 * repository.
 */
export function neededFiles(documents: readonly unknown[], env: Pick<ReadonlyMap<string, string>, 'get'>): string[] {
  const named = documents
    .map(asRecord)
    .flatMap((document) => [
      ...includedIn(document).flatMap(({ files, envFiles }) => [...files, ...envFiles]),
      ...extendedIn(document),
      ...servicesOf(document).flatMap(filesOf),
    ]);
  const found = named.map((path) => interpolate(path, env)).filter((path) => path !== null && path !== '');
  return [...new Set(found as string[])].filter((path) => !['.env', './.env'].includes(path));
}

function filesOf(service: Fields): string[] {
  const isRequired = (entry: unknown) => asRecord(entry).required !== false;
  const read = [...asList(service.env_file), ...asList(service.label_file)].filter(isRequired).flatMap(pathsOf);
  return [...read, ...asList(buildOf(service)?.dockerfile)] as string[];
}
