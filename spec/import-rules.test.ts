import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { importRules } from './import-rules.ts';

const root = join(import.meta.dirname, '..');
/** Imports of values, of types and of JSDoc types, and calls of `require`. */
const specifier = /\b(?:from\s+|import\s+|(?:import|require)\(\s*)'([^'\n]+)'/g;

const importsOf = new Map(
  globSync('{src,conformance,fakes,bench,spec,.ci}/**/*.{ts,js,cjs}', {
    cwd: root,
    exclude: ['**/node_modules/**'],
  }).map((file) => {
    const specifiers = [...readFileSync(join(root, file), 'utf8').matchAll(specifier)].map(([, name = '']) => name);
    return [file, specifiers.map((name) => (name.startsWith('.') ? join(dirname(file), name) : name))];
  }),
);
const isTesting = (file: string) => file.endsWith('.test.ts') || file.includes('/testing/');
const matches = (path: string, file: string) => path === file || (path.endsWith('/') && file.startsWith(path));

function ruleOf(file: string) {
  const matching = importRules.flatMap((rule) => rule.files.map((path) => ({ ...rule, path })));
  return matching.filter(({ path }) => matches(path, file)).sort((a, b) => b.path.length - a.path.length)[0];
}

function isAllowed(file: string, imported: string): boolean {
  const rule = ruleOf(file);
  if (rule === undefined) return false;
  if (imported.startsWith('node:')) return rule.imports.includes('node:') || rule.imports.includes(imported);
  if (isTesting(imported) && !isTesting(file)) return false;
  const isAdapter = imported.includes('/adapters/') && !file.includes('/adapters/');
  if ((isAdapter || ruleOf(imported)?.constructs) && !rule.constructs && !isTesting(file)) return false;
  return (
    rule.files === ruleOf(imported)?.files ||
    rule.imports.some((path) => matches(path, imported)) ||
    isPackage(imported)
  );
}

/** Whether the specifier names an npm package. */
function isPackage(imported: string): boolean {
  return !/^(?:\.\.|src|conformance|fakes|bench|spec|\.ci)\/|^package\.json$/.test(imported);
}

test('every file belongs to a row, and imports only what the row allows', () => {
  const strays = [...importsOf.keys()].filter((file) => ruleOf(file) === undefined);
  const wrong = [...importsOf]
    .filter(([file]) => !file.endsWith('.test.ts'))
    .flatMap(([file, imports]) =>
      imports.filter((one) => !isAllowed(file, one)).map((one) => `${file} imports ${one}`),
    );
  assert.deepEqual([...strays, ...wrong], [], 'spec/import-rules.ts says who may import whom');
});

/** The first import cycle below `file`, or `null`. Files in `done` are known to have none. */
function cycleFrom(file: string, path: readonly string[], done: Set<string>): string[] | null {
  if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
  if (done.has(file)) return null;
  for (const next of importsOf.get(file) ?? []) {
    const cycle = cycleFrom(next, [...path, file], done);
    if (cycle !== null) return cycle;
  }
  done.add(file);
  return null;
}

test('no file imports itself through others, not even types', () => {
  const done = new Set<string>();
  for (const file of importsOf.keys()) assert.equal(cycleFrom(file, [], done)?.join(' -> '), undefined);
});

/** Only these files write to a terminal or to the journal: the first three escape what others chose, the rest has none. */
const writers = [
  'src/cli/command.ts',
  'src/http/report.ts',
  'src/lib/log-line.ts',
  'src/cli/ask.ts',
  'src/cli/boxgate.cjs',
  'src/cli/demo.ts',
  'src/http/connections.ts',
  'src/http/serve.ts',
];

test('every other file of the product tells what it has to say through those that escape it', () => {
  const writes = /\bstd(?:out|err)\.write\(|\bconsole\.\w+\(|process\.std(?:out|err)\b/;
  const files = globSync('src/**/*.{ts,cjs}', { cwd: root }).filter(
    (file) => !isTesting(file) && !/^src\/(?:build|box\/page|console\/page)\//.test(file),
  );
  assert.deepEqual(
    files.filter((file) => writes.test(readFileSync(join(root, file), 'utf8'))).sort(),
    writers.toSorted(),
  );
});

/**
 * Only these files open a path by themselves. `src/lib/files` never waits for a pipe, follows no link to a device and
 * reads a bounded size; the others open what nobody but root and the program itself writes.
 */
const openers = {
  'src/lib/files/': 'any path',
  'src/lib/process/': 'the kernel, and a lock without waiting',
  'src/box/adapters/changes.ts': 'the kernel',
  'src/box/space/adapters/engine-space.ts': "root's configuration of Docker",
  'src/box/adapters/files/disks.ts': 'the kernel',
  'src/box/change/adapters/exchange-files.ts': 'what was a regular file at the look before',
  'src/box/change/adapters/preview-folder.ts': 'what was a regular file at the look before',
  'src/box/change/adapters/recovery.ts': 'a directory, as such',
  'src/box/https/make-https.ts': 'the package',
  'src/box/https/adapters/lego.ts': 'its own folder',
  'src/box/https/adapters/running-caddy.ts': 'the kernel',
  'src/box/adapters/machine.ts': 'the kernel',
  'src/box/versions/adapters/registry.ts': "root's configuration of Docker",
  'src/box/stores/adapters/git-store.ts': 'its own folder',
  'src/box/adapters/files/change-history.ts': 'its own folder',
  'src/box/adapters/sockets.ts': 'the kernel',
  'src/box/page/render.ts': 'the package',
  'src/cli/commands/developers.ts': 'the package',
  'src/cli/demo-front.ts': 'the package',
  'src/gateway/adapters/setup/machine.ts': 'the kernel',
  'src/gateway/adapters/traefik/invalid-files.ts': 'a file of somebody else, without waiting',
  'src/gateway/backup/restore-backup.ts': 'its own folder',
  'src/gateway/setup/setup-command.ts': 'the package',
  'src/gateway/store/postgres/postgres-address.ts': "root's settings",
  'src/gateway/store/sqlite/file-like.ts': 'a store that was a regular file at the look before',
  'src/self-update/adapters/': 'its own folder, and the kernel',
  'src/box/addresses/adapters/kernel.ts': 'the kernel',
};

test('every other file of the product opens what others can write through src/lib/files', () => {
  const opens =
    /import \{[^}]*\b(?:readFileSync|openSync|createReadStream|readFile|copyFile|open|appendFileSync)\b[^}]*\} from 'node:fs/;
  const files = globSync('src/**/*.ts', { cwd: root }).filter(
    (file) => !isTesting(file) && !file.startsWith('src/build/') && opens.test(readFileSync(join(root, file), 'utf8')),
  );
  const isOpener = (file: string) => Object.keys(openers).some((path) => matches(path, file));
  assert.deepEqual(
    files.filter((file) => !isOpener(file)),
    [],
  );
  assert.deepEqual(
    Object.keys(openers).filter((path) => !files.some((file) => matches(path, file))),
    [],
  );
});
