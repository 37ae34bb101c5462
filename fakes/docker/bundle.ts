import { join } from 'node:path';
import { build } from 'esbuild';

const common = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  logLevel: 'warning',
} as const;
const yamlFile = './fake-docker-yaml.cjs';

/**
 * Makes the fake one plain file, which starts about as fast as Node does. The YAML parser is a
 * file of its own, so that a listing of containers never reads it.
 */
export async function bundleFakeDocker(folder: string): Promise<void> {
  const here = import.meta.dirname;
  const parser = {
    contents: `export { LineCounter, parseDocument, stringify } from 'yaml'`,
    resolveDir: here,
  };
  await build({ ...common, stdin: parser, outfile: join(folder, yamlFile) });
  await build({
    ...common,
    entryPoints: [join(here, 'main.ts')],
    outfile: join(folder, 'fake-docker.cjs'),
    alias: { yaml: yamlFile },
    external: [yamlFile],
  });
}

if (import.meta.main) await bundleFakeDocker(join(import.meta.dirname, '../../dist'));
