import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { required } from './required.ts';

/** Runs a command where the box sees files, and where the engine does: it has mounts of its own. */
export function onMachine(...argv: [string, ...string[]]): string {
  const unshare = readFileSync(join(required('BOXGATE_ENGINE'), 'unshare.pid'), 'utf8').trim();
  const engine = execFileSync('pgrep', ['-P', unshare], { encoding: 'utf8' }).trim();
  spawnSync(argv[0], argv.slice(1));
  return execFileSync('nsenter', ['-t', engine, '-m', '-p', ...argv], { encoding: 'utf8' });
}
