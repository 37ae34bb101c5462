/**
 * `node spec/generate.ts` writes all files that are generated from the documents of this folder. With `--check` it writes
 * nothing, names the files that are not current, and exits with status 1 if there are any.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import { asObject, type JsonObject, readDocument } from './document.ts';
import { validatorsFile } from './generate-validators.ts';
import { strictDocument } from './strict.ts';

const root = new URL('../', import.meta.url);
const spec = (name: string): URL => new URL(`spec/${name}`, root);

/** The expected text of every generated file, by its path from the root. */
export async function generatedFiles(): Promise<ReadonlyMap<string, string>> {
  const manifest = asObject(JSON.parse(readFileSync(spec('manifest.schema.json'), 'utf8')), 'manifest.schema.json');
  const box = readDocument('box');
  const gateway = readDocument('gateway');
  const sources = 'spec/box.openapi.yaml and spec/manifest.schema.json';
  return new Map([
    ['src/box/api.gen.ts', await typesFile('box.openapi.yaml', box)],
    ['src/box/validators.gen.ts', await validatorsFile(box, sources, { manifest })],
    ['src/gateway/api.gen.ts', await typesFile('gateway.openapi.yaml', gateway)],
    ['src/gateway/validators.gen.ts', await validatorsFile(gateway, 'spec/gateway.openapi.yaml', {})],
  ]);
}

async function typesFile(name: string, document: JsonObject): Promise<string> {
  const nodes = await openapiTS(JSON.stringify(strictDocument(document)), { silent: true });
  return `// Made by \`node spec/generate.ts\` from spec/${name}. Never edited.\n${astToString(nodes)}`;
}

/** The generated files that are not current. */
export async function staleFiles(): Promise<string[]> {
  return [...(await generatedFiles())].filter(([path, text]) => readOrEmpty(path) !== text).map(([path]) => path);
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(new URL(path, root), 'utf8');
  } catch (cause) {
    // A missing file is not current.
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return '';
    throw cause;
  }
}

async function main(args: readonly string[]): Promise<void> {
  if (args.some((arg) => arg !== '--check')) {
    console.error(`${relative(process.cwd(), fileURLToPath(import.meta.url))}: the only option is --check`);
    process.exitCode = 2;
    return;
  }
  const check = args.includes('--check');
  const generated = await generatedFiles();
  for (const path of await staleFiles()) {
    if (!check) {
      writeFileSync(new URL(path, root), generated.get(path) ?? '');
      console.log(`${path}: written`);
      continue;
    }
    console.error(`${path}: not what the documents make; run: node spec/generate.ts`);
    process.exitCode = 1;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main(process.argv.slice(2));
