/** Finds the citations of register ids, for the tests that compare the texts. */
import { globSync, readFileSync } from 'node:fs';
import { citedIds } from './register.ts';

const root = new URL('../', import.meta.url);

/** Files under the root that match glob patterns, without generated ones. */
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

/** The files that cite each id. */
export function citationsIn(patterns: readonly string[]): Map<string, string[]> {
  const citations = new Map<string, string[]>();
  for (const path of filesOf(patterns)) {
    for (const id of new Set(citedIds(readText(path)))) citations.set(id, [...(citations.get(id) ?? []), path]);
  }
  return citations;
}
