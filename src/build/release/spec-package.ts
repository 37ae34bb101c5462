import type { ArchiveFile } from './archive.ts';

/** Where each file of the package comes from; the guide for authors of clients is its README. */
const renamed: Readonly<Record<string, string>> = { 'spec/CLIENTS.md': 'README.md', LICENSE: 'LICENSE' };
const copied = /^spec\/(?:(?:box|gateway)\.openapi\.(?:yaml|json|d\.ts)|[\w.]+\.schema\.json|API-CHANGELOG\.md)$/;

/**
 * The files of the npm package `boxgate-spec`, out of those of boxgate: the documents, their types and schemas, and what
 * changed. It is for authors of clients, who do not need the servers and their Node.
 */
export function specPackage(files: readonly ArchiveFile[]): ArchiveFile[] {
  const found = files.find(({ path }) => path === 'package.json');
  if (found === undefined) throw new Error('package.json is in no package');
  const { version, license, homepage, repository, bugs } = JSON.parse(Buffer.from(found.bytes).toString());
  const manifest = {
    name: 'boxgate-spec',
    version,
    description: 'The OpenAPI documents of boxgate, their types and JSON schemas',
    ...{ license, homepage, repository, bugs },
    exports: {
      './box': { types: './box.openapi.d.ts' },
      './gateway': { types: './gateway.openapi.d.ts' },
      './*': './*',
    },
  };
  const text = {
    path: 'package.json',
    bytes: Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`),
    executable: false,
  };
  const others = files.flatMap((file) => {
    const path = renamed[file.path] ?? (copied.test(file.path) ? file.path.replace('spec/', '') : null);
    return path === null ? [] : [{ ...file, path }];
  });
  return [text, ...others];
}
