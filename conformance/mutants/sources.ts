import { globSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');

/** What of `src` no server executes, or no suite can ask for, with the reason. */
export const leftOut: readonly { files: RegExp; reason: string }[] = [
  { files: /\.test\.ts$|\/testing\//, reason: 'tests' },
  { files: /\.gen\.ts$/, reason: 'made from the OpenAPI documents by a generator' },
  { files: /\/box\/page\//, reason: 'the page, which is tested in a browser' },
  {
    files:
      /\/(trash-commands|doctor|doctor-command|operator-commands|diagnosis|probe-host|shown-name|reserve-file)\.ts$/,
    reason: 'other commands than the servers',
  },
  {
    files:
      /\/store\/(postgres.*|processes|route-follower|manager-lock|token-lookups|route-changes|snapshot)\.ts$/,
    reason: 'executed only with a PostgreSQL, for which the suites are run apart',
  },
];

/** Sorted paths of the sources of both servers, relative to the root. */
export function mutatedFiles(paths: readonly string[] = globSync('src/**/*.ts', { cwd: root })): string[] {
  return paths.filter((path) => isServer(path) && !leftOut.some(({ files }) => files.test(path))).sort();
}

const isServer = (path: string) => /^src\/(box|gateway|http|lib)\//.test(path);
