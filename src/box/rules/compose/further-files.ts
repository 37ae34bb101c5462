import { asList, asRecord, type Fields, pathsOf } from './fields.ts';
import { interpolate } from './variables.ts';

/** The files that Compose reads for a Compose document and for its builds, with paths as the document writes them. */

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

/** `dockerfile`: absent if its text is in the Compose file. `written`: as named there, relative to the context. */
type Build = Fields & { context: string; dockerfile: string | undefined; written: string };

/** The build of a service, unless it is made from a repository. */
export function buildOf({ build }: Fields): Build | null {
  if (build === undefined || build === null) return null;
  const fields = typeof build === 'string' ? { context: build } : asRecord(build);
  const { context = '.', dockerfile = 'Dockerfile', dockerfile_inline } = fields;
  if (typeof context !== 'string' || /^(?:[a-z+]+:\/\/|git@)/i.test(context)) return null;
  const written = typeof dockerfile === 'string' && dockerfile_inline === undefined ? dockerfile : '';
  const file = written.startsWith('/') ? written : `${context}/${written}`;
  return { ...fields, context, dockerfile: written === '' ? undefined : file, written };
}

/** Compose or the engine reads each as a whole, or waits for its end. Files that are only in the context are copied. */
export function buildFiles(documents: readonly Fields[]): string[] {
  const builds = documents.flatMap(servicesOf).flatMap((service) => buildOf(service) ?? []);
  const used = new Set(builds.flatMap(({ secrets }) => asList(secrets).map((one) => asRecord(one).source ?? one)));
  const secrets = documents
    .flatMap((document) => Object.entries(asRecord(document.secrets)))
    .flatMap(([name, secret]) => (used.has(name) ? textsOf([asRecord(secret).file]) : []));
  return [...new Set([...builds.flatMap(filesOf), ...secrets])];
}

function filesOf({ context, dockerfile, written, additional_contexts, ssh, cache_from }: Build): string[] {
  const contexts = [context, ...valuesOf(additional_contexts)];
  return [
    // BuildKit also takes the name in lower case, and a list of ignored files for one Dockerfile.
    ...(dockerfile === undefined ? [] : [dockerfile, `${dockerfile}.dockerignore`, inLowerCase(dockerfile)]),
    ...(written.includes('$') ? [written] : []), // A variable may make it an absolute path.
    ...contexts.flatMap((folder) => [
      `${folder}/.dockerignore`,
      `${folder.replace(/^oci-layout:\/\//, '')}/index.json`,
    ]),
    ...valuesOf(ssh).flatMap((keys) => keys.split(',')),
    ...textsOf(asList(cache_from)).flatMap((cache) => {
      const [, folder] = /(?:^|,)src=([^,]+)/.exec(cache) ?? [];
      return folder === undefined ? [] : [`${folder}/index.json`];
    }),
  ];
}

/** The values of a mapping, or of a list of `NAME=VALUE`. */
function valuesOf(field: unknown): string[] {
  if (Array.isArray(field)) return textsOf(field).flatMap((entry) => entry.split('=').slice(1).join('=') || []);
  return textsOf(Object.values(asRecord(field)));
}

function textsOf(values: readonly unknown[]): string[] {
  return values.filter((value) => typeof value === 'string');
}

function inLowerCase(file: string): string {
  const start = file.lastIndexOf('/') + 1;
  return file.slice(0, start) + file.slice(start).toLowerCase();
}

/** The files without which Compose refuses a project or builds nothing, but for the `.env`, which the box writes. */
export function neededFiles(documents: readonly unknown[], env: Pick<ReadonlyMap<string, string>, 'get'>): string[] {
  const named = documents
    .map(asRecord)
    .flatMap((document) => [
      ...includedIn(document).flatMap(({ files, envFiles }) => [...files, ...envFiles]),
      ...extendedIn(document),
      ...servicesOf(document).flatMap(neededBy),
    ]);
  const found = named.map((path) => interpolate(path, env)).filter((path) => path !== null && path !== '');
  return [...new Set(found as string[])].filter((path) => !['.env', './.env'].includes(path));
}

function neededBy(service: Fields): string[] {
  const isRequired = (entry: unknown) => asRecord(entry).required !== false;
  const read = [...asList(service.env_file), ...asList(service.label_file)].filter(isRequired).flatMap(pathsOf);
  return [...read, ...asList(buildOf(service)?.dockerfile)] as string[];
}
