/**
 * Makes dist/: one CommonJS file for each thing that is started by itself, because that starts in a third of the
 * time that the sources take. `dist/sources.json` is written last and says of which sources, as they were when they
 * were read; the launcher runs the sources themselves where they are others by now.
 */
import { mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { bundleFakeDocker } from '../../fakes/docker/bundle.ts';

const root = join(import.meta.dirname, '..', '..');
const dist = join(root, 'dist');

/** Loaded on demand by others: the import stays one, of the file that is made for it here. */
const onDemand: Readonly<Record<string, string>> = {
  'src/box/server.ts': 'box-server',
  'src/box/update-commands.ts': 'box-update',
  'src/cli/box-commands.ts': 'box-commands',
  'src/cli/demo.ts': 'demo',
  'conformance/main.ts': 'conformance',
  'fakes/world.ts': 'world',
  'node_modules/yaml': 'yaml',
};

const entries: Readonly<Record<string, string>> = {
  'src/cli/main.ts': 'main',
  'fakes/systemd/transport.ts': 'fake-systemd',
  ...onDemand,
};

/** `import()` of a file that has a bundle of its own becomes one of that bundle. */
const separateBundles: Plugin = {
  name: 'separate-bundles',
  setup(bundler) {
    bundler.onResolve({ filter: /^[^/]*$|\.ts$/ }, ({ kind, path, resolveDir }) => {
      const source = path.startsWith('.') ? relative(root, join(resolveDir, path)) : `node_modules/${path}`;
      const name = onDemand[source];
      if (kind !== 'dynamic-import' || name === undefined) return undefined;
      return { path: `./${name}.cjs`, external: true };
    });
  },
};

/** A source that asks for its own place gets that place, so that what lies beside it is found from dist/ too. */
const sourcePlaces: Plugin = {
  name: 'source-places',
  setup(bundler) {
    bundler.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      if (path.includes('/node_modules/')) return undefined;
      const { readFile } = await import('node:fs/promises');
      const text = await readFile(path, 'utf8');
      const place = (name: string) =>
        `require('node:path').join(__dirname, '..', ${JSON.stringify(relative(root, name))})`;
      const contents = text
        .replaceAll('import.meta.dirname', place(dirname(path)))
        .replaceAll('import.meta.url', `require('node:url').pathToFileURL(${place(path)}).href`);
      return { contents, loader: 'ts' };
    });
  },
};

const options: BuildOptions = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  // `import()` becomes `require()`, at the same moment: the loader of ES modules alone is half of a start.
  supported: { 'dynamic-import': false },
  legalComments: 'none',
  metafile: true,
  write: false,
  logLevel: 'warning',
};

async function main(): Promise<void> {
  const stamps = new Map<string, string>();
  const files = await Promise.all(
    Object.entries(entries).map(async ([source, name]) => {
      const result = await build({
        ...options,
        entryPoints: [source.replace('node_modules/', '')],
        outfile: join(dist, `${name}.cjs`),
        plugins: [separateBundles, sourcePlaces],
        // The suite and the demo need packages that are large and that only they need.
        packages: name === 'conformance' || name === 'demo' ? 'external' : 'bundle',
      });
      for (const path of sourcesOf(result.metafile)) stamps.set(path, stampOf(path));
      return {
        path: join(dist, `${name}.cjs`),
        bytes: result.outputFiles?.[0]?.contents ?? new Uint8Array(),
      };
    }),
  );
  mkdirSync(dist, { recursive: true });
  rmSync(join(dist, 'sources.json'), { force: true });
  for (const { path, bytes } of files) replaceFile(path, bytes);
  await bundleFakeDocker(dist);
  replaceFile(join(dist, 'sources.json'), JSON.stringify(Object.fromEntries(stamps), null, 1));
}

function sourcesOf(metafile: Metafile | undefined): string[] {
  return Object.keys(metafile?.inputs ?? {}).filter((path) => !path.startsWith('node_modules/'));
}

function stampOf(path: string): string {
  const { mtimeMs, size } = statSync(join(root, path));
  return `${mtimeMs}/${size}`;
}

/** Whole or not at all, for whoever starts a program at this moment. */
function replaceFile(path: string, bytes: string | Uint8Array): void {
  writeFileSync(`${path}.${process.pid}`, bytes);
  renameSync(`${path}.${process.pid}`, path);
}

await main();
