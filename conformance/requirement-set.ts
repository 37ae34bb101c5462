import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../spec/package-root.ts';
import { InvalidOption } from './invalid-option.ts';
import type { Level } from './kernel/rules.ts';

/** The checks that count, each with its level. A set never changes once its version is released. */
export type RequirementSet = { version: string; levels: ReadonlyMap<string, Level> };

export const setsFolder = join(packageRoot, 'spec', 'sets');

/** One check per line, so that a difference between two versions is readable. */
export function printSet(levels: Iterable<readonly [id: string, level: Level]>): string {
  const lines = [...levels].sort(([one], [other]) => (one < other ? -1 : 1));
  return `{\n${lines.map(([id, level]) => `  ${JSON.stringify(id)}: "${level}"`).join(',\n')}\n}\n`;
}

/** The set of a value of `--requirements`. `null` for `all`. */
export function readSet(version: string, folder = setsFolder): RequirementSet | null {
  if (version === 'all') return null;
  const versions = versionsIn(folder);
  if (!versions.includes(version))
    throw new InvalidOption(`--requirements: expected ${[...versions, 'all'].join(' or ')}, found ${version}`);
  const levels: Record<string, Level> = JSON.parse(readFileSync(join(folder, `${version}.json`), 'utf8'));
  return { version, levels: new Map(Object.entries(levels)) };
}

/** A release counts the newest set, a checkout all checks. Only a checkout has the sources of the suite. */
export function defaultSet(root = packageRoot): string {
  if (existsSync(join(root, 'conformance', 'main.ts'))) return 'all';
  return versionsIn(join(root, 'spec', 'sets')).at(-1) ?? 'all';
}

function versionsIn(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  const order = new Intl.Collator('en', { numeric: true });
  return names.map((name) => name.slice(0, -'.json'.length)).sort(order.compare);
}
