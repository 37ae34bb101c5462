import { existsSync, globSync, statSync } from 'node:fs';
import { join } from 'node:path';

const here = import.meta.dirname ?? __dirname;

/**
 * The words that start the fake: this Node, and the bundle when it is there and no source is
 * newer, else the source itself (slower by a few modules, and never out of date).
 */
export function fakeDockerProgram(): string[] {
  // Without `--` Node takes an `--env-file` of Compose for its own, wherever it stands.
  found ??= [process.execPath, '--', findProgram('main.ts', 'fake-docker.cjs')];
  return found;
}

/** Looked for once a process: hundreds of worlds ask. */
let found: string[] | undefined;

/** The file of the thread that carries out calls for many launchers. */
export const residentProgram = () => findProgram('resident/main.ts', 'fake-docker-resident.cjs');

function findProgram(sourceName: string, bundleName: string): string {
  const source = join(here, sourceName);
  const places = [join(here, '../../dist', bundleName), join(here, bundleName)];
  const bundle = places.find((path) => existsSync(path));
  return bundle && isCurrent(bundle, source) ? bundle : source;
}

function isCurrent(bundle: string, source: string): boolean {
  if (!existsSync(source)) return true;
  const builtAt = statSync(bundle).mtimeMs;
  return globSync('**/*.ts', { cwd: here }).every(
    (file) => file.endsWith('.test.ts') || statSync(join(here, file)).mtimeMs <= builtAt,
  );
}
