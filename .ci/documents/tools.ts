import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { required } from '../real/support/required.ts';

const run = promisify(execFile);

/** The packages of the tools of tools/go.mod. */
const packages = { vacuum: 'github.com/daveshanley/vacuum', oasdiff: 'github.com/oasdiff/oasdiff' };

/** Builds a tool into the scratch folder, in the version of tools/go.mod, and returns its path. */
export async function buildTool(name: keyof typeof packages): Promise<string> {
  const folder = join(required('BOXGATE_CI_SCRATCH'), 'go-tools');
  const program = join(folder, name);
  if (existsSync(program)) return program;
  const options = { cwd: join(import.meta.dirname, 'tools'), env: { ...process.env, GOBIN: folder } };
  await run('go', ['install', packages[name]], options);
  return program;
}
