import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { build, type Plugin } from 'esbuild';
import type { BoxFault, Change } from './box-fault.ts';

const root = join(import.meta.dirname, '..', '..');
const sources = join(root, 'src');

/** A change does not fit the source any more: the table of faults has to follow it. */
export class StaleFault extends Error {}

/** A program that is our box with these changes, as one text. Throws StaleFault. */
export async function faultyBox(fault: Pick<BoxFault, 'name' | 'changes'>): Promise<string> {
  for (const change of fault.changes) apply(textOf(change), [change], fault.name);
  const result = await build({
    absWorkingDir: root,
    stdin: {
      contents: "import { main } from './src/cli/main.ts';\nvoid main(process.argv.slice(2), process.env);\n",
      resolveDir: root,
      loader: 'ts',
    },
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    supported: { 'dynamic-import': false },
    legalComments: 'none',
    write: false,
    logLevel: 'silent',
    plugins: [otherCommands, changed(fault)],
  });
  return result.outputFiles[0]?.text ?? '';
}

/** The changes that do not stand exactly once in their file, in words; none is as it should be. */
export function staleChanges({ name, changes }: BoxFault): string[] {
  return changes.flatMap((change) => {
    try {
      apply(textOf(change), [change], name);
      return [];
    } catch (error) {
      if (error instanceof StaleFault) return [error.message];
      throw error;
    }
  });
}

const textOf = ({ file }: Change) => readFileSync(join(sources, file), 'utf8');

function apply(text: string, changes: readonly Change[], name: string): string {
  return changes.reduce((before, { file, from, to }) => {
    const found = before.split(from).length - 1;
    if (found !== 1) throw new StaleFault(`${name}: ${file} has ${found} times ${JSON.stringify(from)}`);
    return before.replace(from, () => to);
  }, text);
}

/** What belongs to other commands than those of a box is loaded late there, and left out here. */
const otherCommands: Plugin = {
  name: 'other-commands',
  setup(bundler) {
    bundler.onResolve({ filter: /\.ts$/ }, ({ kind, path, resolveDir }) => {
      const source = relative(root, join(resolveDir, path));
      const isBox = /^src\/(box\/|self-update\/|cli\/commands\/box)/.test(source);
      return kind === 'dynamic-import' && !isBox ? { path, external: true } : undefined;
    });
  },
};

/** Sources with their changes in them; one that asks for its own place gets that, wherever the program lies. */
function changed({ name, changes }: Pick<BoxFault, 'name' | 'changes'>): Plugin {
  return {
    name: 'changed',
    setup(bundler) {
      bundler.onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => {
        const own = changes.filter(({ file }) => join(sources, file) === path);
        const text = apply(await readFile(path, 'utf8'), own, name);
        const contents = text
          .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
          .replaceAll('import.meta.url', `require('node:url').pathToFileURL(${JSON.stringify(path)}).href`);
        return { contents, loader: 'ts' };
      });
    },
  };
}
