import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';

const common = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  minify: true,
  write: false,
} as const;
const yamlFile = './fake-docker-yaml.cjs';

/** A process for each call, and a thread for many. */
const programs = { 'fake-docker.cjs': 'main.ts', 'fake-docker-resident.cjs': 'resident/main.ts' };

/**
 * Makes the fake plain files, which starts about as fast as Node does. The YAML parser is a
 * file of its own, so that a listing of containers never reads it. Answers the names of what was made.
 */
export async function bundleFakeDocker(folder: string): Promise<string[]> {
  const here = import.meta.dirname;
  const parser = {
    contents: `export { LineCounter, parseDocument, stringify } from 'yaml'`,
    resolveDir: here,
  };
  mkdirSync(folder, { recursive: true });
  await write(join(folder, yamlFile), { stdin: parser });
  for (const [name, entry] of Object.entries(programs)) {
    await write(join(folder, name), {
      entryPoints: [join(here, entry)],
      alias: { yaml: yamlFile },
      external: [yamlFile],
    });
  }
  return [basename(yamlFile), ...Object.keys(programs)];
}

/** Whole or not at all, for whoever starts the fake at this moment. */
async function write(file: string, options: BuildOptions): Promise<void> {
  const { outputFiles } = await build({ ...common, ...options, write: false });
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, outputFiles[0]?.contents ?? '');
  renameSync(temporary, file);
}

if (import.meta.main) await bundleFakeDocker(join(import.meta.dirname, '../../dist'));
