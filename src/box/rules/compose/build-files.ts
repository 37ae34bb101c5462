/** The files that a build reads beside its context, with paths as the Compose files write them. */

import { asList, asRecord, type Fields } from './fields.ts';
import { servicesOf } from './further-files.ts';

/**
 * Its context is a folder of this machine. `dockerfile` is undefined if its text is in the Compose file; `written`: as
 * the Compose file names it, from the context on.
 */
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
    ...(dockerfile === undefined ? [] : [dockerfile, `${dockerfile}.dockerignore`]),
    ...(dockerfile === undefined ? [] : [inLowerCase(dockerfile)]),
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
