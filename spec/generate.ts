/**
 * `node spec/generate.ts` writes all files that are generated from the documents of this folder. With `--check` it writes
 * nothing, names the files that are not current, and exits with status 1 if there are any.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import openapiTS, { astToString, FALSE, TRUE } from 'openapi-typescript';
import { asObject, type Documented, type JsonObject, readDocument } from './document.ts';
import { validatorsFile } from './generate-validators.ts';
import { strictDocument } from './strict.ts';

const root = new URL('../', import.meta.url);
const spec = (name: string): URL => new URL(`spec/${name}`, root);

/** The expected text of every generated file that is committed, by its path from the root. */
export async function generatedFiles(): Promise<ReadonlyMap<string, string>> {
  const manifest = asObject(JSON.parse(readFileSync(spec('manifest.schema.json'), 'utf8')), 'manifest.schema.json');
  const extra: Readonly<Record<Documented, Readonly<Record<string, JsonObject>>>> = {
    box: { manifest },
    console: {},
    gateway: {},
  };
  const files = Object.entries(extra).map(async ([name, schemas]): Promise<[string, string][]> => {
    const document = readDocument(name as Documented);
    const others = Object.keys(schemas).map((schema) => `spec/${schema}.schema.json`);
    const sources = [`spec/${name}.openapi.yaml`, ...others].join(' and ');
    const folder = name === 'box' ? 'src/box/api' : `src/${name}`;
    return [
      [`${folder}/api.gen.ts`, await typesFile(`${name}.openapi.yaml`, document)],
      [`${folder}/validators.gen.ts`, await validatorsFile(document, sources, schemas)],
    ];
  });
  return new Map((await Promise.all(files)).flat());
}

async function typesFile(name: string, document: JsonObject): Promise<string> {
  const nodes = await openapiTS(JSON.stringify(strictDocument(document)), { silent: true });
  return `// Made by \`node spec/generate.ts\` from spec/${name}. Never edited.\n${astToString(nodes)}`;
}

/**
 * The files that only the package has, by their path from the root: the documents as JSON, and their types for clients.
 */
export async function packagedFiles(): Promise<ReadonlyMap<string, string>> {
  const services = ['box', 'gateway'] as const;
  const files = services.map(async (service): Promise<[string, string][]> => {
    const name = `spec/${service}.openapi`;
    const json = `${JSON.stringify(readDocument(service), null, 2)}\n`;
    const nodes = await openapiTS(json, { silent: true, transform: literalOfConst });
    const types = `// Made from boxgate's ${name}.yaml.\n${astToString(nodes)}`;
    return [
      [`${name}.json`, json],
      [`${name}.d.ts`, types],
    ];
  });
  return new Map((await Promise.all(files)).flat());
}

/** A boolean with one value becomes that literal, so that TypeScript can distinguish the members of a union. */
function literalOfConst(schema: object): typeof TRUE | typeof FALSE | undefined {
  if (!('x-const' in schema)) return undefined;
  return schema['x-const'] === true ? TRUE : FALSE;
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
