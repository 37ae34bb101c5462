/** Where ids of the register are cited, for the tests that hold the texts together. */
import { globSync, readFileSync } from 'node:fs';
import { citedIds } from './register.ts';

const root = new URL('../', import.meta.url);

/** Files under the root by glob patterns, generated ones left out. */
function filesOf(patterns: readonly string[]): string[] {
  const found = globSync([...patterns], {
    cwd: root.pathname,
    exclude: ['**/node_modules/**', '**/*.gen.ts', '**/dist/**'],
  });
  return found.sort();
}

export function readText(path: string): string {
  return readFileSync(new URL(path, root), 'utf8');
}

/** Each id that files cite, with the files that cite it. */
export function citationsIn(patterns: readonly string[]): Map<string, string[]> {
  const citations = new Map<string, string[]>();
  for (const path of filesOf(patterns)) {
    for (const id of new Set(citedIds(readText(path))))
      citations.set(id, [...(citations.get(id) ?? []), path]);
  }
  return citations;
}
