import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { environmentsFolder } from '../../../fakes/environments-folder.ts';

const made: string[] = [];

process.once('exit', () => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

/** Where tests make their folders: in memory if possible, because synced writes take most of the time of many tests. */
export const temporaryParent = () => environmentsFolder();

/** A new folder, which is removed when this process ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(temporaryParent(), 'boxgate-test-'));
  made.push(folder);
  return folder;
}
