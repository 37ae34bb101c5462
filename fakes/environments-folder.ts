import { accessSync, constants, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Much more than the environments of one run need. */
const neededBytes = 512 * 1024 * 1024;

/**
 * The parent folder of environments. It is in memory if there is enough executable space, because a disk is slower.
 * `TMPDIR` overrides it.
 */
export function environmentsFolder(variables: NodeJS.ProcessEnv = process.env, memory = '/dev/shm'): string {
  if (variables.TMPDIR !== undefined) return tmpdir();
  found.set(memory, found.get(memory) ?? (isSuitable(memory) ? memory : tmpdir()));
  return found.get(memory) as string;
}

/** Cached, because hundreds of environments are made. */
const found = new Map<string, string>();

function isSuitable(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    if (bavail * bsize < neededBytes) return false;
    const probe = mkdtempSync(join(folder, 'boxgate-probe-'));
    try {
      const program = join(probe, 'program');
      writeFileSync(program, '', { mode: 0o755 });
      // Fails on a file system that is mounted noexec.
      accessSync(program, constants.X_OK);
      return true;
    } finally {
      rmSync(probe, { recursive: true });
    }
  } catch {
    return false;
  }
}
