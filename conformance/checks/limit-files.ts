import { execFileSync } from 'node:child_process';
import { NotApplicable } from '../kernel/check.ts';

/** Lets no process of the group write files of more than this, as if the disk were full. A process may die of it. */
export function limitFiles(group: number, bytes: string): void {
  try {
    const inGroup = execFileSync('ps', ['-eo', 'pid=,pgid='], { encoding: 'utf8' })
      .split('\n')
      .map((line) => line.trim().split(/\s+/).map(Number))
      .flatMap(([pid = 0, pgid]) => (pgid === group ? [pid] : []));
    for (const pid of inGroup) execFileSync('prlimit', [`--pid=${pid}`, `--fsize=${bytes}`], { stdio: 'ignore' });
  } catch {
    throw new NotApplicable('this machine has no ps or prlimit');
  }
}
