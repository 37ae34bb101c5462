import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A new must-check makes a minor version, a changed meaning or start-up contract a major one. */
export const suiteVersion = '1.0.0';

/** What tells one text of the specification from another: of every document of `spec/`, its name and its bytes. */
export function specificationDigest(folder = join(import.meta.dirname, '..', '..', 'spec')): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(folder).sort()) {
    if (!/\.(md|yaml)$/.test(name)) continue;
    const bytes = readFileSync(join(folder, name));
    hash.update(`${name} ${bytes.length}\n`).update(bytes);
  }
  return `sha256:${hash.digest('hex')}`;
}
