/**
 * Makes dist/: one CommonJS file for each thing that is started by itself, because that starts in a third of the
 * time that the sources take. `dist/NAME.sources.json` are written last and say of which sources, as they were when
 * they were read; the launcher runs the sources themselves where they are others by now.
 */
import { copyFileSync, mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { bundleFakeDocker } from '../../fakes/docker/bundle.ts';
import { removeAll } from './remove-all.ts';

const root = join(import.meta.dirname, '..', '..');
const dist = join(root, 'dist');

/** Loaded on demand by others: the import stays one, of the file that is made for it here. */
const onDemand: Readonly<Record<string, string>> = {
  'src/box/server.ts': 'box-server',
  'src/box/metrics.ts': 'box-metrics',
  'src/self-update/commands.ts': 'self-update',
  'src/gateway/server.ts': 'gateway-server',
  'src/gateway/metrics.ts': 'gateway-metrics',
  'src/gateway/rules/harmful-file.ts': 'harmful-file',
  'src/cli/commands/box-on-demand.ts': 'box-on-demand',
  'src/gateway/operator-commands.ts': 'gateway-operator',
  'src/gateway/doctor/doctor-command.ts': 'gateway-doctor',
  'src/gateway/update-command.ts': 'gateway-update',
  'src/cli/commands/tunnel-on-demand.ts': 'tunnel-on-demand',
  'src/cli/demo.ts': 'demo',
  'conformance/main.ts': 'conformance',
  'fakes/box-environment.ts': 'world',
  'node_modules/yaml': 'yaml',
};

/** Drivers of stores, loaded when the module that needs one is, however it imports them. */
const drivers: Readonly<Record<string, string>> = {
  'node_modules/pg': 'pg',
  'node_modules/sql.js': 'sql-js',
};
/** Looked for beside the bundle of sql.js. */
const wasm = 'sql-wasm.wasm';

const entries: Readonly<Record<string, string>> = {
  'src/cli/main.ts': 'main',
  'fakes/systemd/transport.ts': 'fake-systemd',
  ...onDemand,
  ...drivers,
};

/** `import()` of a file that has a bundle of its own becomes one of that bundle. */
const separateBundles: Plugin = {
  name: 'separate-bundles',
  setup(bundler) {
    bundler.onResolve({ filter: /^[^/]*$|\.ts$/ }, ({ kind, path, resolveDir }) => {
      const source = path.startsWith('.') ? relative(root, join(resolveDir, path)) : `node_modules/${path}`;
      const name = kind === 'dynamic-import' ? (onDemand[source] ?? drivers[source]) : drivers[source];
      if (kind === 'entry-point' || name === undefined) return undefined;
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

const options = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  // pg looks for them and does without.
  external: ['pg-native', 'cloudflare:sockets'],
  // `import()` becomes `require()`, at the same moment: the loader of ES modules alone is half of a start.
  supported: { 'dynamic-import': false },
  legalComments: 'none',
  metafile: true,
  write: false,
  logLevel: 'warning',
} as const satisfies BuildOptions;

/** Makes dist/. Answers the files that went into the bundles, as paths from the root of the checkout. */
export async function makeBundles(): Promise<string[]> {
  const startedAt = Date.now();
  const bundles = await Promise.all(Object.entries(entries).map(([source, name]) => bundle(source, name)));
  mkdirSync(dist, { recursive: true });
  // From here on no bundle is taken for one of the sources as they are.
  removeAll(dist, 'sources.json');
  for (const { name, text } of bundles) replaceFile(`${name}.cjs`, text);
  copyFileSync(join(root, 'node_modules/sql.js/dist', wasm), join(dist, wasm));
  const fakes = await bundleFakeDocker(dist);
  // An earlier build may have made others, which nothing loads any more but the package would hold.
  removeAll(dist, '.cjs', new Set([...bundles.map(({ name }) => `${name}.cjs`), ...fakes.names]));
  const inputs = [...new Set([...bundles.flatMap((made) => made.inputs), ...fakes.inputs])].sort();
  // A source that was edited meanwhile may have been read before: then there is no list, and the sources run.
  const stamps = new Map(bundles.flatMap(({ sources }) => sources).map((path) => [path, stampOf(path)]));
  if ([...stamps.values()].some(([mtimeMs]) => mtimeMs >= startedAt)) return inputs;
  for (const { name, sources } of bundles) {
    const stamped = sources.flatMap((path) => [path, ...(stamps.get(path) ?? [])]);
    replaceFile(`${name}.sources.json`, JSON.stringify(stamped));
  }
  replaceFile('sources.json', JSON.stringify(bundles.map(({ name }) => name)));
  return inputs;
}

async function bundle(
  source: string,
  name: string,
): Promise<{ name: string; text: string; sources: string[]; inputs: string[] }> {
  const result = await build({
    ...options,
    entryPoints: [source.replace('node_modules/', '')],
    outfile: join(dist, `${name}.cjs`),
    plugins: [separateBundles, sourcePlaces],
    // The suite and the demo need packages that are large and that only they need.
    packages: name === 'conformance' || name === 'demo' ? 'external' : 'bundle',
  });
  const inputs = Object.keys(result.metafile.inputs);
  const sources = inputs.filter((path) => !path.startsWith('node_modules/'));
  return { name, text: loadLate(result.outputFiles[0]?.text ?? ''), sources, inputs };
}

/**
 * Modules of Node that no start needs are loaded when something of them is first used. esbuild reaches everything
 * that was imported as `import_node_x.name`, so an object that loads at the first such look is enough. A source that
 * is itself loaded on demand has its imports indented and without `var`.
 */
function loadLate(text: string): string {
  const modules =
    /^( *(?:var )?import_(?:node_)?\w+ = )require\(("node:(?:child_process|crypto|fs\/promises|https|timers\/promises|tls)")\);$/gm;
  const changed = text.replace(modules, '$1late($2);');
  if (changed === text) return text;
  const late = 'const late = (name) => new Proxy({}, { get: (_, key) => require(name)[key] });';
  return changed.replace('"use strict";', () => `"use strict";\n${late}`);
}

function stampOf(path: string): [mtimeMs: number, size: number] {
  const { mtimeMs, size } = statSync(join(root, path));
  return [mtimeMs, size];
}

/** Whole or not at all, for whoever starts a program at this moment. */
function replaceFile(name: string, text: string): void {
  const path = join(dist, name);
  writeFileSync(`${path}.${process.pid}`, text);
  renameSync(`${path}.${process.pid}`, path);
}

if (import.meta.main) await makeBundles();
