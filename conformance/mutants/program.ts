import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { build, type Plugin } from 'esbuild';
import type { Instrumented } from './instrument.ts';
import { root } from './sources.ts';

/** Command lines of servers with one mutant switched on, or with none and a file that learns what was executed. */
export type Program = {
  withMutant: (id: string) => string[];
  watched: (name: string) => { argv: string[]; executed: () => Set<string> };
};

/** Bundles both servers, with all their mutants in them, into a folder. */
export async function buildProgram({ texts }: Pick<Instrumented, 'texts'>, folder: string): Promise<Program> {
  mkdirSync(folder, { recursive: true });
  const result = await build({
    absWorkingDir: root,
    stdin: { contents: "export { main } from './src/cli/main.ts';", resolveDir: root, loader: 'ts' },
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    external: ['pg', 'sql.js'],
    supported: { 'dynamic-import': false },
    legalComments: 'none',
    write: false,
    logLevel: 'silent',
    plugins: [otherCommands, instrumented(texts)],
  });
  writeFileSync(join(folder, 'servers.cjs'), result.outputFiles[0]?.text ?? '');
  const launcher = (name: string, switches: string) => {
    const path = join(folder, `${name}.cjs`);
    writeFileSync(path, `${switches}\n${start}`);
    return [process.execPath, path];
  };
  return {
    withMutant: (id) =>
      launcher(`mutant-${id}`, `globalThis.__stryker__ = { activeMutant: ${JSON.stringify(id)} };`),
    watched: (name) => {
      const file = join(folder, `${createHash('sha256').update(name).digest('hex').slice(0, 16)}.executed`);
      writeFileSync(file, '');
      return {
        argv: launcher(`watched-${name.replaceAll('/', '-')}`, watcher(file)),
        executed: () => new Set(readFileSync(file, 'utf8').split('\n').filter(Boolean)),
      };
    },
  };
}

/** A command of its own has a launcher of its own: what a server starts from it has the same mutant. */
const start = `require('node:module').enableCompileCache(require('node:path').join(__dirname, 'compiled'));
require('./servers.cjs').main(process.argv.slice(2), process.env);
`;

/** Writes at once what is executed for the first time, because some checks kill a server at any moment. */
const watcher = (file: string) => `const { openSync, writeSync } = require('node:fs');
const file = openSync(${JSON.stringify(file)}, 'a');
const executed = new Proxy({}, {
  set(before, id, count) {
    if (!(id in before)) writeSync(file, id + '\\n');
    before[id] = count;
    return true;
  },
});
globalThis.__stryker__ = { mutantCoverage: { static: executed, perTest: {} } };`;

/** The suites and the demo are loaded late, and left out here. */
const otherCommands: Plugin = {
  name: 'other-commands',
  setup(bundler) {
    bundler.onResolve({ filter: /\.ts$/ }, ({ kind, path, resolveDir }) => {
      const source = relative(root, join(resolveDir, path));
      const isOther = /^(conformance|fakes|src\/cli\/demo)/.test(source);
      return kind === 'dynamic-import' && isOther ? { path, external: true } : undefined;
    });
  },
};

/** Sources with their mutants in them; one that asks for its own place gets that, wherever the program lies. */
function instrumented(texts: ReadonlyMap<string, string>): Plugin {
  return {
    name: 'instrumented',
    setup(bundler) {
      bundler.onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => {
        const text = texts.get(relative(root, path)) ?? readFileSync(path, 'utf8');
        const contents = text
          .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
          .replaceAll('import.meta.url', `require('node:url').pathToFileURL(${JSON.stringify(path)}).href`);
        return { contents, loader: 'ts' };
      });
    },
  };
}
