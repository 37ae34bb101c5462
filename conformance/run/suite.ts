import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../spec/package-root.ts';

/** See "How the suite is versioned" in README.md. */
export const suiteVersion = '1.0.0';

/** A digest of the names and contents of all documents in `spec/`. */
export function specificationDigest(folder = join(packageRoot, 'spec')): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(folder).sort()) {
    if (!/\.(md|yaml)$/.test(name)) continue;
    const bytes = readFileSync(join(folder, name));
    hash.update(`${name} ${bytes.length}\n`).update(bytes);
  }
  return `sha256:${hash.digest('hex')}`;
}
