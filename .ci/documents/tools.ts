import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { required } from '../real/support/required.ts';

const run = promisify(execFile);

/**
 * Builds vacuum and oasdiff into the scratch folder, in the versions of tools/go.mod. A second call of the same CI run
 * finds them there.
 */
export async function buildTools(): Promise<{ vacuum: string; oasdiff: string }> {
  const folder = join(required('BOXGATE_CI_SCRATCH'), 'go-tools');
  const programs = { vacuum: join(folder, 'vacuum'), oasdiff: join(folder, 'oasdiff') };
  if (!Object.values(programs).every((file) => existsSync(file))) {
    await run('go', ['install', 'tool'], {
      cwd: join(import.meta.dirname, 'tools'),
      env: { ...process.env, GOBIN: folder },
    });
  }
  return programs;
}
