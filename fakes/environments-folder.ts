import { accessSync, constants, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** More than all worlds of a run hold at a time, many times over: a small place is left to whom it was meant for. */
const roomBytes = 512 * 1024 * 1024;

/**
 * The folder in which worlds of stand-ins are made: in memory, where the machine has a place for that with room for
 * them and for programs: a disk takes time to keep safe what is thrown away a second later.
 * `TMPDIR` names another one.
 */
export function environmentsFolder(variables: NodeJS.ProcessEnv = process.env, memory = '/dev/shm'): string {
  if (variables.TMPDIR !== undefined) return tmpdir();
  found.set(memory, found.get(memory) ?? (holdsWorlds(memory) ? memory : tmpdir()));
  return found.get(memory) as string;
}

/** Looked at once a process: hundreds of worlds ask. */
const found = new Map<string, string>();

function holdsWorlds(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    if (bavail * bsize < roomBytes) return false;
    const probe = mkdtempSync(join(folder, 'boxgate-probe-'));
    try {
      const program = join(probe, 'program');
      writeFileSync(program, '', { mode: 0o755 });
      // Refused where nothing may be run, whoever asks.
      accessSync(program, constants.X_OK);
      return true;
    } finally {
      rmSync(probe, { recursive: true });
    }
  } catch {
    return false;
  }
}
