import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';

const here = import.meta.dirname;

const common = {
  absWorkingDir: join(here, '../..'),
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  minify: true,
  write: false,
} as const;
const yamlFile = './fake-docker-yaml.cjs';

/** The program of a single call, and the thread that serves many. */
const programs = { 'fake-docker.cjs': 'main.ts', 'fake-docker-resident.cjs': 'resident/main.ts' };

/**
 * Bundles the fake, because a bundle starts almost as fast as Node itself. The YAML parser is a separate file, so that
 * `docker ps` does not load it. Returns the file names and their sources, relative to the checkout.
 */
export async function bundleFakeDocker(folder: string): Promise<{ names: string[]; inputs: string[] }> {
  const parser = {
    contents: `export { LineCounter, parseDocument, stringify } from 'yaml'`,
    resolveDir: here,
  };
  mkdirSync(folder, { recursive: true });
  const inputs = await write(join(folder, yamlFile), { stdin: parser });
  for (const [name, entry] of Object.entries(programs)) {
    const made = await write(join(folder, name), {
      entryPoints: [join(here, entry)],
      alias: { yaml: yamlFile },
      external: [yamlFile],
    });
    inputs.push(...made);
  }
  return { names: [basename(yamlFile), ...Object.keys(programs)], inputs };
}

/** Writes a file by rename, because the fake may be starting right now. Returns its sources. */
async function write(file: string, options: BuildOptions): Promise<string[]> {
  const { outputFiles, metafile } = await build({ ...common, ...options, metafile: true, write: false });
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, outputFiles[0]?.contents ?? '');
  renameSync(temporary, file);
  return Object.keys(metafile.inputs).filter((path) => path !== '<stdin>');
}

if (import.meta.main) await bundleFakeDocker(join(import.meta.dirname, '../../dist'));
