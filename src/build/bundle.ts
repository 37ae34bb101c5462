/**
 * Makes what only a package has: the OpenAPI documents as JSON with their types in spec/, conformance/examples/, and
 * dist/.
 *
 * dist/ has one CommonJS file for each program, because a bundle starts three times as fast as the sources.
 * `dist/NAME.sources.json` lists the sources of a program with their times and sizes. The launcher runs the sources
 * instead if one of them has changed since.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { bundleFakeDocker } from '../../fakes/docker/bundle.ts';
import { packagedFiles } from '../../spec/generate.ts';

const root = join(import.meta.dirname, '..', '..');
const dist = join(root, 'dist');

const options = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  // `pg` works without these two.
  external: ['pg-native', 'cloudflare:sockets'],
  // Sources that read files beside the code are one folder below the root, like dist/.
  define: { 'import.meta.dirname': '__dirname', 'import.meta.main': 'false' },
  // `import()` becomes `require()`: loading Node's loader of ES modules takes half of a start.
  supported: { 'dynamic-import': false },
  legalComments: 'none',
  metafile: true,
  write: false,
  logLevel: 'warning',
} as const satisfies BuildOptions;

/** `main` has all commands, including those whose packages are in no release. */
const programs: Readonly<Record<string, BuildOptions>> = {
  main: {
    entryPoints: ['src/cli/main.ts'],
    packages: 'external',
  },
  'box-main': { entryPoints: ['src/cli/box-main.ts'] },
  'gateway-main': { entryPoints: ['src/cli/gateway-main.ts'] },
  'fake-systemd': { entryPoints: ['fakes/systemd/transport.ts'] },
};

/** Makes dist/. Returns all files that went into the programs, as paths from the root of the checkout. */
export async function makeBundles(): Promise<string[]> {
  const startedAt = Date.now();
  const bundles = await Promise.all(
    Object.entries(programs).map(async ([name, program]) => {
      const { outputFiles, metafile } = await build({ ...options, ...program, write: false, metafile: true });
      return { name, text: outputFiles[0]?.text ?? '', inputs: Object.keys(metafile.inputs) };
    }),
  );
  mkdirSync(dist, { recursive: true });
  // Without these lists the launcher runs the sources, until the new lists are complete.
  removeFromDist('sources.json');
  for (const { name, text } of bundles) replaceFile(`dist/${name}.cjs`, text);
  // `sql.js` reads this file from beside its bundle.
  copyFileSync(join(root, 'node_modules/sql.js/dist/sql-wasm.wasm'), join(dist, 'sql-wasm.wasm'));
  for (const [name, text] of await packagedFiles()) replaceFile(name, text);
  makeExamples();
  const fakes = await bundleFakeDocker(dist);
  // The package includes every `.cjs` file, so those of earlier builds must go.
  removeFromDist('.cjs', [...bundles.map(({ name }) => `${name}.cjs`), ...fakes.names]);
  for (const { name, inputs } of bundles) {
    const sources = inputs.filter((path) => !path.startsWith('node_modules/'));
    const stamps = sources.map((path) => [path, ...stampOf(path)] as const);
    // The build may have read a source before it was edited. Without a list the launcher runs the sources.
    if (stamps.some(([, mtimeMs]) => mtimeMs >= startedAt)) continue;
    replaceFile(`dist/${name}.sources.json`, JSON.stringify(stamps.flat()));
  }
  return [...new Set([...bundles.flatMap(({ inputs }) => inputs), ...fakes.inputs])].sort();
}

/** Makes the example implementations, which are those of the strength tests without their faults. Needs Python 3.11. */
function makeExamples(): void {
  const folder = 'conformance/examples';
  mkdirSync(join(root, folder), { recursive: true });
  const { status, stderr } = spawnSync('python3', ['-B', 'conformance/implementations/make_examples.py', folder], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status === 0) return;
  const reason = stderr?.trim().split('\n').at(-1) ?? 'there is no python3';
  console.error(`${folder} is not made, which needs Python 3.11 or newer: ${reason}`);
}

function removeFromDist(ending: string, kept: readonly string[] = []): void {
  const names = readdirSync(dist).filter((name) => name.endsWith(ending) && !kept.includes(name));
  // A parallel build may have removed one.
  for (const name of names) rmSync(join(dist, name), { force: true });
}

function stampOf(path: string): [mtimeMs: number, size: number] {
  const { mtimeMs, size } = statSync(join(root, path));
  return [mtimeMs, size];
}

/** Replaces a file atomically, because programs may be started during a build. */
function replaceFile(name: string, text: string): void {
  const path = join(root, name);
  writeFileSync(`${path}.${process.pid}`, text);
  renameSync(`${path}.${process.pid}`, path);
}

if (import.meta.main) await makeBundles();
