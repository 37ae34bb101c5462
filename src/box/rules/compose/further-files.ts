/** The files that one Compose document makes Compose read, with paths as the document writes them. */

import { asList, asRecord, type Fields, pathsOf } from './fields.ts';

/** An entry of `include`: its files are one project, in which the later ones override the first. */
export type Included = {
  files: string[];
  /** The directory of the project; absent for that of the first file. */
  directory: string | undefined;
  /** Empty for the `.env` of the directory, if there is one. */
  envFiles: string[];
};

export function includedIn(document: Fields): Included[] {
  return asList(document.include).map((entry) => {
    const { project_directory: directory, env_file } = asRecord(entry);
    return {
      files: pathsOf(entry),
      directory: typeof directory === 'string' ? directory : undefined,
      envFiles: asList(env_file).flatMap(pathsOf),
    };
  });
}

/** The directory of a file, in which its own paths begin. */
export function directoryOf(path: string): string {
  const end = path.lastIndexOf('/');
  return end > 0 ? path.slice(0, end) : path.slice(0, end + 1) || '.';
}

/** The files of the services that services extend. */
export function extendedIn(document: Fields): string[] {
  return servicesOf(document).flatMap((service) => asList(asRecord(service.extends).file).flatMap(pathsOf));
}

/** The files that services read as they are. */
export function readIn(document: Fields): string[] {
  return servicesOf(document).flatMap(({ env_file, label_file, security_opt }) => [
    ...[...asList(env_file), ...asList(label_file)].flatMap(pathsOf),
    ...asList(security_opt).flatMap((option) => /^seccomp[:=](.+)$/s.exec(String(option))?.[1] ?? []),
  ]);
}

/** Whether Compose needs another Compose file, or another service, to know the services. */
export function leadsFurther(document: Fields): boolean {
  return includedIn(document).length > 0 || servicesOf(document).some((service) => service.extends !== undefined);
}

export function servicesOf(document: Fields): Fields[] {
  return Object.values(asRecord(document.services)).map(asRecord);
}
