import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made: string[] = [];

process.once('exit', () => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

/** A new folder, which is removed when this process ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'boxgate-test-'));
  made.push(folder);
  return folder;
}
