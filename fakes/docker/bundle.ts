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

/** A process for each call, and a thread for many. */
const programs = { 'fake-docker.cjs': 'main.ts', 'fake-docker-resident.cjs': 'resident/main.ts' };

/**
 * Makes plain files of the fake, because they start about as fast as Node does. The YAML parser is a
 * file of its own, so that a listing of containers never reads it. Answers the names of these files, and the
 * sources that went into them as paths from the root of the checkout.
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

/** Replaces a file whole, because the fake may be started at this moment. Answers the files that went into it. */
async function write(file: string, options: BuildOptions): Promise<string[]> {
  const { outputFiles, metafile } = await build({ ...common, ...options, metafile: true, write: false });
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, outputFiles[0]?.contents ?? '');
  renameSync(temporary, file);
  return Object.keys(metafile.inputs).filter((path) => path !== '<stdin>');
}

if (import.meta.main) await bundleFakeDocker(join(import.meta.dirname, '../../dist'));
