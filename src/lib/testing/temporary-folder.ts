import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { environmentsFolder } from '../../../fakes/environments-folder.ts';

const made: string[] = [];

process.once('exit', () => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

/** A new folder, which is removed when this process ends. In memory, where the many synced writes take no time. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(environmentsFolder(), 'boxgate-test-'));
  made.push(folder);
  return folder;
}
