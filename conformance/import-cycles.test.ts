import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

// Biome's noImportCycles does not report cycles of type imports.
const imports = new Map(
  globSync('**/*.ts', { cwd: import.meta.dirname }).map((file) => {
    const text = readFileSync(join(import.meta.dirname, file), 'utf8');
    const specifiers = [...text.matchAll(/\b(?:from |import\()'(\.[^']+)'/g)].map(([, found = '']) => found);
    return [file, specifiers.map((specifier) => join(dirname(file), specifier))];
  }),
);

/** The first import cycle below `file`, or `null`. Files in `done` are known to have none. */
function cycleFrom(file: string, path: readonly string[], done: Set<string>): string[] | null {
  if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
  if (done.has(file)) return null;
  for (const next of imports.get(file) ?? []) {
    const cycle = cycleFrom(next, [...path, file], done);
    if (cycle !== null) return cycle;
  }
  done.add(file);
  return null;
}

test('no file imports itself through others, not even types', () => {
  const done = new Set<string>();
  for (const file of imports.keys()) assert.equal(cycleFrom(file, [], done)?.join(' -> '), undefined);
});
