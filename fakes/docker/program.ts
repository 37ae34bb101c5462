import { existsSync, globSync, statSync } from 'node:fs';
import { join } from 'node:path';

const here = import.meta.dirname ?? __dirname;

/** The command of the fake: the bundle, or the source if a source is newer. */
export function fakeDockerProgram(): string[] {
  // Without `--`, Node would interpret `--env-file` itself.
  found ??= [process.execPath, '--', findProgram('main.ts', 'fake-docker.cjs')];
  return found;
}

/** Cached, because hundreds of environments are made. */
let found: string[] | undefined;

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
